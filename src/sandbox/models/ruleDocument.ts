import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';

/** Knows the names of parties; `undefined` for a party that is not known. */
export interface PartyNameResolver {
  getPartyName(type: string, id: string): string | undefined;
}

/**
 * The rule with `partyName` in each share whose party is known (platform-facts 3.1). Unknown parties are kept as
 * they are (design.md, section 5).
 */
export function addPartyNames(rule: JsonObject, names: PartyNameResolver): JsonObject {
  const shares = Array.isArray(rule['shares']) ? rule['shares'] : [];
  return {
    ...rule,
    shares: shares.map((share) => (isJsonObject(share) ? addPartyName(share, names) : share)),
  };
}

function addPartyName(share: JsonObject, names: PartyNameResolver): JsonObject {
  const party = share['party'] ?? share['partyId'];
  const name =
    typeof party === 'string' ? names.getPartyName(getTextMember(share, 'type'), party) : undefined;
  return name === undefined ? share : { ...share, partyName: name };
}

/** What the server makes of a new rule (platform-facts 3.1). `now` is an ISO 8601 time. */
export const createStoredRuleDocument = (
  sent: JsonObject,
  id: string,
  now: string,
  names: PartyNameResolver,
): JsonObject => ({
  allMembers: null,
  ...addPartyNames(sent, names),
  _id: id,
  created: now,
  lastModified: now,
});

/** The rule that a PUT leaves: what was sent, with the server's own fields kept. */
export const updateRuleDocument = (
  sent: JsonObject,
  stored: JsonObject,
  now: string,
  names: PartyNameResolver,
): JsonObject => ({
  allMembers: null,
  ...addPartyNames(sent, names),
  _id: stored['_id'] ?? null,
  created: stored['created'] ?? null,
  lastModified: now,
});
