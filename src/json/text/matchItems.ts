import { toCanonicalText } from '../../base/canonicalJson.ts';
import { isJsonObject, isRawNumber, type JsonValue } from '../../base/json.ts';

/**
 * Returns, for each item of `after`, the index of an equal item of `before`, or `undefined` if there is none. Items at
 * the same index, counted from the start or the end, are matched first; other matches have moved.
 */
export function matchItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly (number | undefined)[] {
  const oldIndexes = matchInPlace(before, after);
  matchRemaining(before, after, oldIndexes, (item) => item);
  matchRemaining(before, after, oldIndexes, (item) => toCanonicalText(item));
  return oldIndexes;
}

/** Matches items at the same index, counted from the start or, after additions and removals, from the end. */
function matchInPlace(before: readonly JsonValue[], after: readonly JsonValue[]): (number | undefined)[] {
  const lengthDifference = before.length - after.length;
  if (lengthDifference === 0) {
    return after.map((item, index) => (deepEquals(before[index], item) ? index : undefined));
  }
  const oldIndexes = after.map((): number | undefined => undefined);
  const commonLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < commonLength && deepEquals(before[start], after[start])) {
    oldIndexes[start] = start;
    start += 1;
  }
  let end = after.length - 1;
  while (
    end >= start &&
    end + lengthDifference >= start &&
    deepEquals(before[end + lengthDifference], after[end])
  ) {
    oldIndexes[end] = end + lengthDifference;
    end -= 1;
  }
  return oldIndexes;
}

/** Matches the remaining items that have the same key, in order. */
function matchRemaining(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  oldIndexes: (number | undefined)[],
  getKey: (item: JsonValue) => unknown,
): void {
  const matchedIndexes = new Set(oldIndexes);
  const unmatchedByKey = new Map<unknown, number[]>();
  if (!oldIndexes.includes(undefined)) {
    return;
  }
  before.forEach((item, index) => {
    if (!matchedIndexes.has(index)) {
      const key = getKey(item);
      const indexes = unmatchedByKey.get(key);
      if (indexes === undefined) {
        unmatchedByKey.set(key, [index]);
      } else {
        indexes.push(index);
      }
    }
  });
  if (unmatchedByKey.size > 0) {
    after.forEach((item, index) => {
      oldIndexes[index] ??= unmatchedByKey.get(getKey(item))?.shift();
    });
  }
}

/** Deep equality. Numbers are equal only in the same notation: `1` and `1.0` differ. */
export function deepEquals(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) {
    return true;
  }
  if (isArray(a) && isArray(b)) {
    return a.length === b.length && a.every((item, index) => deepEquals(item, b[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && deepEquals(a[name], b[name]))
    );
  }
  return isRawNumber(a) && isRawNumber(b) && a.rawJSON === b.rawJSON;
}

const isArray = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);
