import { toArray, isObject, isText } from './readRule.ts';

/**
 * Whether rules of live datamodels may hide values (`exclusionary`): `taken` where the server shows that it knows the
 * field, `not-shown` where it answers live rules without it, `unknown` where there is no rule to tell by.
 */
export type LiveExclusionSupport = 'taken' | 'not-shown' | 'unknown';

/**
 * What live rules that came from a server show. The contract (v1.0) has `exclusionary` and `dataSourceId` on them, the
 * spec's table has neither; `dataSourceId`, which only a server makes, is on all of them.
 * @param rules those of a live datamodel; one without an identifier is not the server's and shows nothing
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
