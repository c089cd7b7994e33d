import type { JsonValue } from '../../base/json.ts';
import { trackItems } from '../../json/text/trackItems.ts';
import { matchItems } from '../../json/text/matchItems.ts';
import { readColumn } from './readViewpoint.ts';

/** Returns a function from previous to current column index; `undefined` for a column that no longer exists. */
export const trackColumns = (
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ((place: number) => number | undefined) => trackItems(before, after, isSameColumn);

/**
 * Like {@link trackColumns}, for the selection: if no column was added, removed or moved, columns keep their index even
 * if several of them have changed at once.
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

/** Returns whether two entries refer to the same column of the datamodel. */
function isSameColumn(before: JsonValue, after: JsonValue): boolean {
  const [old, current] = [readColumn(before), readColumn(after)];
  return old.table === current.table && old.column === current.column;
}
