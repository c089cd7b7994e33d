import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import { serverMadeRuleFields } from '../../contract/rule.ts';
import { jsonHash } from '../model/documentHash.ts';

/** What identifies a rule and its datamodel, what the server makes, and what is spelled in several ways. */
const notSaid: ReadonlySet<string> = new Set([
  '_id',
  'server',
  'elasticube',
  'fullname',
  'live',
  'shares',
  'exclusionary',
  'allMembers',
  ...serverMadeRuleFields,
]);

/** What a rule says apart from its parties and its two flags. */
export const ruleFields = (rule: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => !notSaid.has(name)));

/** What a rule says, in whichever spelling (platform-facts 3.1). */
export const ruleKey = (rule: JsonObject): string => jsonHash([ruleFields(rule), ...partiesOf(rule)]);

/** Whether two rules are for the same parties, and list values alike. */
export const sameParties = (a: JsonObject, b: JsonObject): boolean =>
  jsonHash(partiesOf(a)) === jsonHash(partiesOf(b));

function partiesOf({ shares, exclusionary, allMembers }: JsonObject): readonly JsonValue[] {
  const list = Array.isArray(shares) ? (shares as readonly JsonValue[]).filter(isJsonObject) : [];
  const parties = list.map(({ type, party, partyId }) => stringify([type, party ?? partyId ?? null]));
  return [exclusionary === true, allMembers ?? null, parties.sort()];
}
