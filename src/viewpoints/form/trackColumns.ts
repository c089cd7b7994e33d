import type { JsonValue } from '../../base/json.ts';
import { trackItems } from '../../json/text/trackItems.ts';
import { matchItems } from '../../json/text/matchItems.ts';
import { readColumn } from './readViewpoint.ts';

/** Returns a function from previous to current column index; `undefined` for a column that no longer exists. */
export const trackColumns = (
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ((index: number) => number | undefined) => trackItems(before, after, isSameColumn);

/**
 * Like {@link trackColumns}, for the selection: if no column was added, removed or moved, columns keep their index even
 * if several of them have changed at once.
 */
export function trackSelectedColumns(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): (index: number) => number | undefined {
  const previousIndexes = matchItems(before, after);
  const currentIndexes = new Map<number | undefined, number>();
  previousIndexes.forEach((previousIndex, index) => currentIndexes.set(previousIndex, index));
  const hasSameOrder =
    before.length === after.length &&
    previousIndexes.every((previousIndex, index) => previousIndex === undefined || previousIndex === index);
  const hasSameIndex = (index: number): boolean =>
    hasSameOrder && index < before.length && isSameColumn(before[index] ?? null, after[index] ?? null);
  return (index) => currentIndexes.get(index) ?? (hasSameIndex(index) ? index : undefined);
}

/** Returns whether two entries refer to the same column of the datamodel. */
function isSameColumn(before: JsonValue, after: JsonValue): boolean {
  const [oldColumn, currentColumn] = [readColumn(before), readColumn(after)];
  return oldColumn.table === currentColumn.table && oldColumn.column === currentColumn.column;
}
