import { isJsonObject, type JsonValue } from '../../base/json.ts';

/** For each new item, its index in the old list; `undefined` for an added item. */
type OldIndexes = readonly (number | undefined)[];

/**
 * Finds the old index of each item of `after` in `before`: that of the identical item (`===`); if no item has moved,
 * that of a similar item between the same neighbors; and if both lists have the same length, the same index.
 */
export function pairItems(before: readonly JsonValue[], after: readonly JsonValue[]): OldIndexes {
  const oldIndexes = pairSimilar(before, after, pairIdentical(before, after));
  const isInPlace = oldIndexes.every((oldIndex, index) => oldIndex === undefined || oldIndex === index);
  if (before.length !== after.length || !isInPlace) {
    return oldIndexes;
  }
  const pairedIndexes = new Set(oldIndexes);
  return oldIndexes.map((oldIndex, index) => oldIndex ?? (pairedIndexes.has(index) ? undefined : index));
}

function pairIdentical(before: readonly JsonValue[], after: readonly JsonValue[]): OldIndexes {
  const oldIndexes = pairInPlace(before, after);
  const pairedIndexes = new Set(oldIndexes);
  const unpairedByItem = new Map<JsonValue, number[]>();
  before.forEach((item, index) => {
    if (!pairedIndexes.has(index)) {
      const indexes = unpairedByItem.get(item);
      if (indexes === undefined) {
        unpairedByItem.set(item, [index]);
      } else {
        indexes.push(index);
      }
    }
  });
  return after.map((item, index) => oldIndexes[index] ?? unpairedByItem.get(item)?.shift());
}

/** Pairs identical items at the same index, counted from the start or, after additions and removals, from the end. */
function pairInPlace(before: readonly JsonValue[], after: readonly JsonValue[]): OldIndexes {
  const lengthDifference = before.length - after.length;
  const commonLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < commonLength && before[start] === after[start]) {
    start += 1;
  }
  let end = after.length;
  while (
    end > start &&
    end + lengthDifference > start &&
    before[end - 1 + lengthDifference] === after[end - 1]
  ) {
    end -= 1;
  }
  return after.map((item, index) => {
    if (index >= end) {
      return index + lengthDifference;
    }
    return index < start || (lengthDifference === 0 && before[index] === item) ? index : undefined;
  });
}

/** The maximum number of removed items that each new item is compared with. */
const maxCandidates = 20;

/** Pairs changed items with their old versions among additions and removals, so that they keep comments and layout. */
function pairSimilar(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  oldIndexes: OldIndexes,
): OldIndexes {
  const pairedOldIndexes = oldIndexes.filter((oldIndex) => oldIndex !== undefined);
  if (pairedOldIndexes.some((oldIndex, index) => oldIndex <= (pairedOldIndexes[index - 1] ?? -1))) {
    return oldIndexes;
  }
  const endIndexes = getNextPairedIndexes(oldIndexes, before.length);
  let nextOldIndex = 0;
  return oldIndexes.map((oldIndex, index) => {
    if (oldIndex !== undefined) {
      nextOldIndex = oldIndex + 1;
      return oldIndex;
    }
    const endIndex = Math.min(endIndexes[index] ?? before.length, nextOldIndex + maxCandidates);
    for (let candidateIndex = nextOldIndex; candidateIndex < endIndex; candidateIndex += 1) {
      if (areSimilar(before[candidateIndex], after[index])) {
        nextOldIndex = candidateIndex + 1;
        return candidateIndex;
      }
    }
    return undefined;
  });
}

/** Returns, for each new item, the old index of the first paired item from there on; `oldLength` if there is none. */
function getNextPairedIndexes(oldIndexes: OldIndexes, oldLength: number): readonly number[] {
  const nextIndexes = oldIndexes.map(() => oldLength);
  let nextIndex = oldLength;
  for (let index = oldIndexes.length - 1; index >= 0; index -= 1) {
    nextIndex = oldIndexes[index] ?? nextIndex;
    nextIndexes[index] = nextIndex;
  }
  return nextIndexes;
}

/** True if more than half of the properties of both objects are identical. */
function areSimilar(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined || !isJsonObject(a) || !isJsonObject(b)) {
    return false;
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const identicalNames = [...names].filter(
    (name) => Object.hasOwn(a, name) && Object.hasOwn(b, name) && a[name] === b[name],
  );
  return identicalNames.length * 2 > names.size;
}
