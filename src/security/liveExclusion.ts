import { readArray, isObject, isNonEmptyString } from './readRules.ts';

/**
 * Whether a server supports live rules that hide values (`exclusionary`): `supported` if its rules show that it does,
 * `not-shown` if they don't, `unknown` if there is no rule to judge by.
 */
export type LiveExclusionSupport = 'supported' | 'not-shown' | 'unknown';

/**
 * Detects support from the live rules of a server. According to the vendor's contract (platform-facts.md, 6.2), they
 * have `exclusionary` and `dataSourceId`; according to the guide, they have neither. All live rules of a server that
 * follows the contract have `dataSourceId`, which only the server creates.
 * @param rules the rules of a live datamodel; a rule without an ID is not from the server and is ignored
 */
export function getLiveExclusionSupport(rules: readonly unknown[]): LiveExclusionSupport {
  const serverRules = readArray(rules)
    .filter(isObject)
    .filter(({ _id }) => isNonEmptyString(_id));
  const isSupported = serverRules.some(
    ({ exclusionary, dataSourceId }) =>
      typeof exclusionary === 'boolean' || (dataSourceId !== undefined && dataSourceId !== null),
  );
  return isSupported ? 'supported' : serverRules.length > 0 ? 'not-shown' : 'unknown';
}
