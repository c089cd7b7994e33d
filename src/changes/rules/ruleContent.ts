import { type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { ruleIdentityFields } from '../../contract/rule.ts';
import { hashJson } from '../model/documentHash.ts';
import { getObjects } from '../model/jsonMembers.ts';

/** Fields that identify a rule or its datamodel, are assigned by the server, or have several spellings. */
const omittedFields: ReadonlySet<string> = new Set([
  ...ruleIdentityFields,
  'shares',
  'exclusionary',
  'allMembers',
]);

/** Returns the content of a rule without its parties, `exclusionary` and `allMembers`. */
export const getRuleContentWithoutParties = (rule: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => !omittedFields.has(name)));

/**
 * Returns a key of all fields of a rule but those that identify it or that the server assigns. It is the same for all
 * spellings of the parties and flags (platform-facts.md, 3.1), but depends on fields without a meaning for the access.
 */
export const getRuleContentKey = (rule: JsonObject): string =>
  hashJson([getRuleContentWithoutParties(rule), ...getPartiesAndFlags(rule)]);

/** Returns whether two rules have the same parties, `exclusionary` and `allMembers`. */
export const hasSamePartiesAndFlags = (a: JsonObject, b: JsonObject): boolean =>
  hashJson(getPartiesAndFlags(a)) === hashJson(getPartiesAndFlags(b));

/** Returns the parties, `exclusionary` and `allMembers` of a rule in a comparable form. */
function getPartiesAndFlags({ shares, exclusionary, allMembers }: JsonObject): readonly JsonValue[] {
  const parties = getObjects(shares).map(({ type, party, partyId }) =>
    stringify([type, party ?? partyId ?? null]),
  );
  return [exclusionary === true, allMembers ?? null, parties.sort()];
}
