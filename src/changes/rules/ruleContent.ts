import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import { serverManagedRuleFields } from '../../contract/rule.ts';
import { hashJson } from '../model/documentHash.ts';

/** Fields that identify a rule and its datamodel, that the server assigns, or that have several spellings. */
const nonContentFields: ReadonlySet<string> = new Set([
  '_id',
  'server',
  'elasticube',
  'fullname',
  'live',
  'shares',
  'exclusionary',
  'allMembers',
  ...serverManagedRuleFields,
]);

/** Returns the content of a rule apart from its parties and its two flags. */
export const getRuleContent = (rule: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => !nonContentFields.has(name)));

/** Returns a key of a rule's content that doesn't depend on its spelling (platform-facts.md, 3.1). */
export const getRuleContentKey = (rule: JsonObject): string =>
  hashJson([getRuleContent(rule), ...getPartyKeys(rule)]);

/** Returns whether two rules are for the same parties and list values in the same way. */
export const hasSameParties = (a: JsonObject, b: JsonObject): boolean =>
  hashJson(getPartyKeys(a)) === hashJson(getPartyKeys(b));

function getPartyKeys({ shares, exclusionary, allMembers }: JsonObject): readonly JsonValue[] {
  const list = Array.isArray(shares) ? (shares as readonly JsonValue[]).filter(isJsonObject) : [];
  const parties = list.map(({ type, party, partyId }) => stringify([type, party ?? partyId ?? null]));
  return [exclusionary === true, allMembers ?? null, parties.sort()];
}
