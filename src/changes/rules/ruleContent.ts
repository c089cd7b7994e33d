import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import { serverManagedRuleFields } from '../../contract/rule.ts';
import { hashJson } from '../model/documentHash.ts';

/** What identifies a rule and its datamodel, what the server makes, and what is spelled in several ways. */
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

/** What a rule says apart from its parties and its two flags. */
export const getRuleContent = (rule: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => !nonContentFields.has(name)));

/** What a rule says, in whichever spelling (platform-facts 3.1). */
export const getRuleContentKey = (rule: JsonObject): string =>
  hashJson([getRuleContent(rule), ...getPartyKeys(rule)]);

/** Whether two rules are for the same parties, and list values alike. */
export const hasSameParties = (a: JsonObject, b: JsonObject): boolean =>
  hashJson(getPartyKeys(a)) === hashJson(getPartyKeys(b));

function getPartyKeys({ shares, exclusionary, allMembers }: JsonObject): readonly JsonValue[] {
  const list = Array.isArray(shares) ? (shares as readonly JsonValue[]).filter(isJsonObject) : [];
  const parties = list.map(({ type, party, partyId }) => stringify([type, party ?? partyId ?? null]));
  return [exclusionary === true, allMembers ?? null, parties.sort()];
}
