import { asList, isObject, isText, partyIdOf, type UnknownObject } from '../readRule.ts';
import { partyKeyOf } from './contentLints.ts';
import { finding, type RuleLint } from './finding.ts';

/**
 * What is wrong with the parties of one rule (spec: `shares[].party` and `shares[].partyId` are "required when type is
 * user or group; not required when type is default"). Either spelling is good: answers say `partyId` for all rules
 * (platform-facts 3.1), and the client writes the right one.
 */
export function shareLints(rule: UnknownObject, index: number): readonly RuleLint[] {
  const shares = asList(rule['shares']);
  if (shares.length === 0) {
    return [finding(index, 'party-required', ['shares'])];
  }
  return shares.flatMap((share, position) => {
    if (!isObject(share)) {
      return [];
    }
    const path = ['shares', position];
    const { type } = share;
    if (type === 'default') {
      return (['party', 'partyId'] as const)
        .filter((key) => isText(share[key]))
        .map((key) => finding(index, 'default-has-party', [...path, key], [key]));
    }
    if ((type === 'user' || type === 'group') && partyIdOf(share) === undefined) {
      const key = (['party', 'partyId'] as const).find((each) => each in share) ?? partyKeyOf(rule);
      return [finding(index, 'party-required', [...path, key], [type, key])];
    }
    return [];
  });
}
