import { toArray, isObject, isText } from './readRule.ts';

/**
 * Support for live datamodel rules that hide values (`exclusionary`): `taken` if the server's rules have the field,
 * `not-shown` if its live rules lack it, `unknown` if there is no rule to judge by.
 */
export type LiveExclusionSupport = 'taken' | 'not-shown' | 'unknown';

/**
 * Detects support from live rules that came from a server. The contract (platform-facts.md, 6.2) has `exclusionary` and
 * `dataSourceId` on them, the guide's table has neither; `dataSourceId`, which only a server creates, is on all of
 * them.
 * @param rules those of a live datamodel; one without an ID is not the server's and shows nothing
 */
export function getLiveExclusionSupport(rules: readonly unknown[]): LiveExclusionSupport {
  const known = toArray(rules)
    .filter(isObject)
    .filter(({ _id }) => isText(_id));
  const shows = known.some(
    ({ exclusionary, dataSourceId }) =>
      typeof exclusionary === 'boolean' || (dataSourceId !== undefined && dataSourceId !== null),
  );
  return shows ? 'taken' : known.length > 0 ? 'not-shown' : 'unknown';
}
