import type { JsonObject } from '../../base/json.ts';
import { isDefaultShare, partyKeys, sharesOf } from '../models/ruleShares.ts';
import type { PartyNames } from '../models/ruleDocument.ts';
import { textIn } from '../documents.ts';
import { HttpProblem } from '../problem.ts';

/** The refusals of live rules by number (vendor's contract v1.0, live datasecurity POST and DELETE). */
const refused = (code: 30_001 | 30_003 | 30_004 | 30_006, words: string): HttpProblem =>
  new HttpProblem(400, 'BadRequest', code, words);

/**
 * Checks the parties of a new live rule: a default rule is for nobody else, names nobody and lists no members (30001);
 * whom a rule names is known (30004), and is named by no other rule of the column, nor twice by this one (30003).
 */
export function checkLiveParties(rule: JsonObject, others: readonly JsonObject[], people: PartyNames): void {
  const shares = sharesOf(rule);
  if (shares.some(isDefaultShare)) {
    requireDefaultRule(rule, shares);
    return;
  }
  const unknown = shares.find(
    (share) => people.partyName(textIn(share, 'type'), partyIn(share)) === undefined,
  );
  if (unknown !== undefined) {
    throw refused(30_004, `User or group not found: ${partyIn(unknown)}`);
  }
  const taken = new Set(others.flatMap(partyKeys));
  for (const [index, key] of partyKeys(rule).entries()) {
    if (taken.has(key)) {
      throw refused(30_003, `Duplicate user or group: ${partyIn(shares[index] ?? {})}`);
    }
    taken.add(key);
  }
}

function requireDefaultRule(rule: JsonObject, shares: readonly JsonObject[]): void {
  const members = rule['members'];
  if (shares.length > 1) {
    throw refused(30_001, 'Invalid default rule: it is for no other user or group');
  }
  if (shares.some((share) => partyIn(share) !== '')) {
    throw refused(30_001, 'Invalid default rule: it names no user or group');
  }
  if (Array.isArray(members) && members.length > 0) {
    throw refused(30_001, 'Invalid default rule: it lists no members');
  }
}

/** A default rule goes last (30006). The DELETE of a whole column takes it along. */
export function checkLiveDelete(rule: JsonObject, others: readonly JsonObject[]): void {
  if (sharesOf(rule).some(isDefaultShare) && others.length > 0) {
    throw refused(30_006, 'Cannot delete default rule before other rules');
  }
}

const partyIn = (share: JsonObject): string => textIn(share, 'partyId') || textIn(share, 'party');
