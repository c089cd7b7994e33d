import type { JsonValue } from '../../base/json.ts';
import { matchItems, deepEquals } from './matchItems.ts';

/**
 * Finds where an item of `before` is in `after`: at an equal item. A changed item counts as the one in its place only
 * if nothing else was added, removed, moved or changed, and `isSameItem` agrees. `undefined` if it is gone or cannot be
 * found for certain.
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

/** The place of the only changed item, while all others stay where they were. */
function findSoleChange(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  pairs: readonly (number | undefined)[],
): number | undefined {
  const changed = pairs.flatMap((old, place) => (old === place ? [] : [place]));
  const [place] = changed;
  const isSole = before.length === after.length && changed.length === 1 && place !== undefined;
  // A copy of another item is not this item changed.
  return isSole && !before.some((item) => deepEquals(item, after[place])) ? place : undefined;
}
