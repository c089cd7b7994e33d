import type { JsonObject } from '../../base/json.ts';
import { isDefaultShare, getSharePartyKeys, getShares } from '../models/ruleShares.ts';
import type { PartyNameResolver } from '../models/ruleDocument.ts';
import { getTextMember } from '../documents.ts';
import { HttpProblem } from '../problem.ts';

/** A rejected live rule: 400 with a code (platform-facts.md, 6.2, live datasecurity POST and DELETE). */
const createLiveRuleProblem = (code: 30_001 | 30_003 | 30_004 | 30_006, message: string): HttpProblem =>
  new HttpProblem(400, 'BadRequest', code, message);

/**
 * Checks the parties of a new live rule. A default rule must have no other share, no party and no members (30001). All
 * parties must exist (30004), and must not be in another rule of the column or twice in this one (30003).
 * @throws HttpProblem 400 with one of these codes
 */
export function checkLiveParties(
  rule: JsonObject,
  otherRules: readonly JsonObject[],
  resolver: PartyNameResolver,
): void {
  const shares = getShares(rule);
  if (shares.some(isDefaultShare)) {
    requireValidDefaultRule(rule, shares);
    return;
  }
  const unknownShare = shares.find(
    (share) => resolver.getPartyName(getTextMember(share, 'type'), getShareParty(share)) === undefined,
  );
  if (unknownShare !== undefined) {
    throw createLiveRuleProblem(30_004, `User or group not found: ${getShareParty(unknownShare)}`);
  }
  const takenKeys = new Set(otherRules.flatMap(getSharePartyKeys));
  for (const [index, key] of getSharePartyKeys(rule).entries()) {
    if (takenKeys.has(key)) {
      throw createLiveRuleProblem(30_003, `Duplicate user or group: ${getShareParty(shares[index] ?? {})}`);
    }
    takenKeys.add(key);
  }
}

function requireValidDefaultRule(rule: JsonObject, shares: readonly JsonObject[]): void {
  const members = rule['members'];
  if (shares.length > 1) {
    throw createLiveRuleProblem(30_001, "Invalid default rule: it can't apply to other users or groups");
  }
  if (shares.some((share) => getShareParty(share) !== '')) {
    throw createLiveRuleProblem(30_001, "Invalid default rule: it can't name a user or group");
  }
  if (Array.isArray(members) && members.length > 0) {
    throw createLiveRuleProblem(30_001, "Invalid default rule: it can't list members");
  }
}

/**
 * Requires that a default rule is deleted after all other rules of its column. The DELETE of a column is exempt.
 * @throws HttpProblem 400 with code 30006
 */
export function checkLiveDelete(rule: JsonObject, otherRules: readonly JsonObject[]): void {
  if (getShares(rule).some(isDefaultShare) && otherRules.length > 0) {
    throw createLiveRuleProblem(30_006, 'Cannot delete default rule before other rules');
  }
}

const getShareParty = (share: JsonObject): string =>
  getTextMember(share, 'partyId') || getTextMember(share, 'party');
