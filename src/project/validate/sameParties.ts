import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { toCanonicalText } from '../../base/canonicalJson.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';

/** A rule for exactly the same parties as an earlier one of the same file. */
export interface SamePartiesRule {
  readonly index: number;
  readonly earlierIndex: number;
}

/**
 * Finds the rules of a file that are for exactly the same parties as an earlier rule in it: the API doesn't say whether
 * a server keeps both (platform-facts.md, 3.4).
 * @param rules the content of a file with rules, all of which are on the same column
 */
export function findSamePartiesRules(rules: JsonValue): readonly SamePartiesRule[] {
  const firstIndexes = new Map<string, number>();
  return (isJsonArray(rules) ? rules : []).flatMap((rule, index) => {
    const key = isJsonObject(rule) ? getPartiesKey(rule['shares']) : undefined;
    const earlierIndex = key === undefined ? undefined : firstIndexes.get(key);
    if (key !== undefined && earlierIndex === undefined) {
      firstIndexes.set(key, index);
    }
    return earlierIndex === undefined ? [] : [{ index, earlierIndex }];
  });
}

/** Returns a key of the parties, in any order; `undefined` without parties, which is a problem of its own. */
function getPartiesKey(shares: JsonValue | undefined): string | undefined {
  const parties = (isJsonArray(shares) ? shares : [])
    .filter(isJsonObject)
    .map(({ type = null, party = null }) => toCanonicalText([type, party]));
  return parties.length === 0 ? undefined : [...new Set(parties)].sort().join(' ');
}
