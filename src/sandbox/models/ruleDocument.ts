import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';

/** Looks up the display names of users and groups; `undefined` for an unknown party. */
export interface PartyNameResolver {
  getPartyName(type: string, id: string): string | undefined;
}

/**
 * Adds `partyName` to each share whose party is known (platform-facts.md, 3.1). Unknown parties are kept as they are
 * (decisions.md, "Sandbox").
 */
export function addPartyNames(rule: JsonObject, resolver: PartyNameResolver): JsonObject {
  const shares = Array.isArray(rule['shares']) ? rule['shares'] : [];
  return {
    ...rule,
    shares: shares.map((share) => (isJsonObject(share) ? addPartyName(share, resolver) : share)),
  };
}

function addPartyName(share: JsonObject, resolver: PartyNameResolver): JsonObject {
  const party = share['party'] ?? share['partyId'];
  const name =
    typeof party === 'string' ? resolver.getPartyName(getTextMember(share, 'type'), party) : undefined;
  return name === undefined ? share : { ...share, partyName: name };
}

/** Creates a rule with the fields that the server adds (platform-facts.md, 3.1). `timestamp` is an ISO 8601 time. */
export const createStoredRuleDocument = (
  input: JsonObject,
  id: string,
  timestamp: string,
  resolver: PartyNameResolver,
): JsonObject => ({
  allMembers: null,
  ...addPartyNames(input, resolver),
  _id: id,
  created: timestamp,
  lastModified: timestamp,
});

/** Returns the rule after a PUT: the sent fields, and the stored `_id` and `created`. */
export const updateRuleDocument = (
  input: JsonObject,
  storedRule: JsonObject,
  timestamp: string,
  resolver: PartyNameResolver,
): JsonObject => ({
  allMembers: null,
  ...addPartyNames(input, resolver),
  _id: storedRule['_id'] ?? null,
  created: storedRule['created'] ?? null,
  lastModified: timestamp,
});
