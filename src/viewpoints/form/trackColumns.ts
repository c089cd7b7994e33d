import type { JsonValue } from '../../base/json.ts';
import { trackItems } from '../../json/text/trackItems.ts';
import { matchItems } from '../../json/text/matchItems.ts';
import { readColumn } from './readViewpoint.ts';

/** Tells where a column that stood at a place is now; `undefined` where it is gone. */
export const trackColumns = (
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ((place: number) => number | undefined) => trackItems(before, after, isSameColumn);

/**
 * As {@link trackColumns}, for columns that are only chosen: where none has come, gone or moved, one that has changed
 * is the one in its place, however many have changed at once.
 */
export function trackSelectedColumns(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): (place: number) => number | undefined {
  const pairs = matchItems(before, after);
  const places = new Map<number | undefined, number>();
  pairs.forEach((old, place) => places.set(old, place));
  const standStill =
    before.length === after.length && pairs.every((old, place) => old === undefined || old === place);
  const isInPlace = (place: number): boolean =>
    standStill && place < before.length && isSameColumn(before[place] ?? null, after[place] ?? null);
  return (place) => places.get(place) ?? (isInPlace(place) ? place : undefined);
}

/** A column of another table or column of the datamodel is another one. */
function isSameColumn(before: JsonValue, after: JsonValue): boolean {
  const [old, current] = [readColumn(before), readColumn(after)];
  return old.table === current.table && old.column === current.column;
}
