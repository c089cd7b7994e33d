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
): (place: number) => number | undefined {
  const pairs = matchItems(before, after);
  const places = new Map<number | undefined, number>();
  pairs.forEach((old, place) => places.set(old, place));
  const changed = findSoleChange(before, after, pairs);
  if (changed !== undefined && isSameItem(before[changed] ?? null, after[changed] ?? null)) {
    places.set(changed, changed);
  }
  return (place) => places.get(place);
}

/** Returns the index of the changed item if all other items are unchanged at the same index. */
function findSoleChange(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  pairs: readonly (number | undefined)[],
): number | undefined {
  const changed = pairs.flatMap((old, place) => (old === place ? [] : [place]));
  const [place] = changed;
  const isSole = before.length === after.length && changed.length === 1 && place !== undefined;
  // If the new item is a copy of an old one, it is not a changed version of this item.
  return isSole && !before.some((item) => deepEquals(item, after[place])) ? place : undefined;
}
