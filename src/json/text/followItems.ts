import type { JsonValue } from '../../base/json.ts';
import { sameItems, saysSame } from './sameItems.ts';

/**
 * Tells where an item of `before` is in `after`: where one that says the same stands. One that says something else
 * now is taken for the one in its place only if nothing else has come, gone, moved or changed, and `isStill` agrees.
 * `undefined` where it cannot be told, or is gone.
 */
export function followItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  isStill: (before: JsonValue, after: JsonValue) => boolean,
): (place: number) => number | undefined {
  const pairs = sameItems(before, after);
  const places = new Map<number | undefined, number>();
  pairs.forEach((old, place) => places.set(old, place));
  const changed = soleChange(before, after, pairs);
  if (changed !== undefined && isStill(before[changed] ?? null, after[changed] ?? null)) {
    places.set(changed, changed);
  }
  return (place) => places.get(place);
}

/** The place of the only item that is another, while all others stand where they stood. */
function soleChange(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  pairs: readonly (number | undefined)[],
): number | undefined {
  const changed = pairs.flatMap((old, place) => (old === place ? [] : [place]));
  const [place] = changed;
  const isSole = before.length === after.length && changed.length === 1 && place !== undefined;
  // A copy of another item is not this one changed.
  return isSole && !before.some((item) => saysSame(item, after[place])) ? place : undefined;
}
