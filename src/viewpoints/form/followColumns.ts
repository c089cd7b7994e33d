import type { JsonValue } from '../../base/json.ts';
import { followItems } from '../../json/text/followItems.ts';
import { sameItems } from '../../json/text/sameItems.ts';
import { readColumn } from './readViewpoint.ts';

/** Tells where a column that stood at a place is now; `undefined` where it is gone. */
export const followColumns = (
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ((place: number) => number | undefined) => followItems(before, after, isStill);

/**
 * As {@link followColumns}, for columns that are only chosen: where none has come, gone or moved, one that has changed
 * is the one in its place, however many have changed at once.
 */
export function followChosen(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): (place: number) => number | undefined {
  const pairs = sameItems(before, after);
  const places = new Map<number | undefined, number>();
  pairs.forEach((old, place) => places.set(old, place));
  const standStill =
    before.length === after.length && pairs.every((old, place) => old === undefined || old === place);
  const isInPlace = (place: number): boolean =>
    standStill && place < before.length && isStill(before[place] ?? null, after[place] ?? null);
  return (place) => places.get(place) ?? (isInPlace(place) ? place : undefined);
}

/** A column of another table or column of the datamodel is another one. */
function isStill(before: JsonValue, after: JsonValue): boolean {
  const [old, current] = [readColumn(before), readColumn(after)];
  return old.table === current.table && old.column === current.column;
}
