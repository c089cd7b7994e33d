import { readArray, isObject, isNonEmptyString, getSharePartyId, type UnknownObject } from '../readRules.ts';
import { getPartyIdProperty } from './contentLints.ts';
import { createFinding, type RuleFinding } from './finding.ts';

/**
 * Matches characters that no ID contains, such as the space in a name or the @ in an e-mail address: the identifiers of
 * users and groups are 24 hexadecimal digits (platform-facts.md, 3.1). Other texts may be IDs of another kind.
 */
const nonIdPattern = /[\s@]/;

/**
 * Finds problems with the parties of one rule: users and groups need an ID, a default entry must not have one
 * (rest-api.md, "Data security rule, extract datamodel" and "Data security rule, live datamodel"). Both `party` and
 * `partyId` are valid: responses use `partyId` for all rules (platform-facts.md, 3.1), and the client writes the right
 * one.
 */
export function lintShares(rule: UnknownObject, index: number): readonly RuleFinding[] {
  const shares = readArray(rule['shares']);
  if (shares.length === 0) {
    return [createFinding(index, 'party-required', ['shares'])];
  }
  return shares.flatMap((share, shareIndex) => {
    if (!isObject(share)) {
      return [];
    }
    const path = ['shares', shareIndex];
    const { type } = share;
    if (type === 'default') {
      return (['party', 'partyId'] as const)
        .filter((key) => isNonEmptyString(share[key]))
        .map((key) => createFinding(index, 'default-has-party', [...path, key], [key]));
    }
    if (type !== 'user' && type !== 'group') {
      return [];
    }
    const key = (['party', 'partyId'] as const).find((name) => name in share) ?? getPartyIdProperty(rule);
    const id = getSharePartyId(share);
    if (id === undefined) {
      return [createFinding(index, 'party-required', [...path, key], [type, key])];
    }
    return nonIdPattern.test(id) ? [createFinding(index, 'party-not-id', [...path, key], [id, type])] : [];
  });
}
