import type { JsonValue } from '../../base/json.ts';
import { matchItems, deepEquals } from './matchItems.ts';

/**
 * Returns a function that maps the index of an item in `before` to its index in `after`, or to `undefined` if it was
 * removed or cannot be found reliably. Items are found by equality. A changed item is found at its old index only if it
 * is the only change to the list and `isSameItem` returns true.
 */
export function trackItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  isSameItem: (before: JsonValue, after: JsonValue) => boolean,
): (index: number) => number | undefined {
  const oldIndexes = matchItems(before, after);
  const newIndexes = new Map<number | undefined, number>();
  oldIndexes.forEach((oldIndex, index) => newIndexes.set(oldIndex, index));
  const changedIndex = findOnlyChangedIndex(before, after, oldIndexes);
  if (changedIndex !== undefined && isSameItem(before[changedIndex] ?? null, after[changedIndex] ?? null)) {
    newIndexes.set(changedIndex, changedIndex);
  }
  return (index) => newIndexes.get(index);
}

/** Returns the index of the changed item if all other items are unchanged at the same index. */
function findOnlyChangedIndex(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  oldIndexes: readonly (number | undefined)[],
): number | undefined {
  const changedIndexes = oldIndexes.flatMap((oldIndex, index) => (oldIndex === index ? [] : [index]));
  const [index] = changedIndexes;
  const isOnlyChange = before.length === after.length && changedIndexes.length === 1 && index !== undefined;
  // If the new item is a copy of an old one, it is not a changed version of this item.
  return isOnlyChange && !before.some((item) => deepEquals(item, after[index])) ? index : undefined;
}
