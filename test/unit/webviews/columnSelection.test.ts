import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.ts';
import { trackSelectedColumns } from '../../../src/viewpoints/form/trackColumns.ts';
import {
  selectMovedColumns,
  selectMatchingColumns,
  selectOne,
  selectRange,
  emptySelection,
  findNeighborColumn,
  mapSelection,
  toggleColumn,
} from '../../../src/webviews/viewpointForm/columnSelection.ts';

const matchingIndexes = [0, 2, 4, 6, 8];

test('a range is selected in display order, from its anchor', () => {
  const range = selectRange(selectOne(6), 2, matchingIndexes);
  expect([...range.selectedIndexes]).toEqual([2, 4, 6]);
  expect([...selectRange(range, 8, matchingIndexes).selectedIndexes]).toEqual([6, 8]);
});

test('single columns are added to a selection and removed', () => {
  const twoSelected = toggleColumn(selectOne(2), 6);
  expect([...twoSelected.selectedIndexes]).toEqual([2, 6]);
  expect([...toggleColumn(twoSelected, 2).selectedIndexes]).toEqual([6]);
  expect([...selectMatchingColumns(twoSelected, matchingIndexes).selectedIndexes]).toEqual(matchingIndexes);
});

test('stepping moves to the neighboring column in display order, and stops at the ends', () => {
  expect(findNeighborColumn(emptySelection, 1, matchingIndexes)).toBe(0);
  expect(findNeighborColumn(emptySelection, -1, matchingIndexes)).toBe(8);
  expect(findNeighborColumn(selectOne(2), 1, matchingIndexes)).toBe(4);
  expect(findNeighborColumn(selectOne(2), -Infinity, matchingIndexes)).toBe(0);
  expect(findNeighborColumn(selectOne(2), Infinity, matchingIndexes)).toBe(8);
  expect(findNeighborColumn(selectOne(2), 1, [])).toBeUndefined();
});

test('moved columns stay selected in their new positions', () => {
  const movedSelection = selectMovedColumns(
    { selectedIndexes: new Set([1, 3]), activeIndex: 3, anchorIndex: 1 },
    [1, 3],
    0,
  );
  expect([[...movedSelection.selectedIndexes], movedSelection.activeIndex]).toEqual([[0, 1], 1]);
  expect([...selectMovedColumns(selectOne(0), [0], 3).selectedIndexes]).toEqual([2]);
  // Other columns than the selected ones are moved.
  const moveOther = (moved: number, insertIndex: number): readonly number[] => [
    ...selectMovedColumns(selectOne(2), [moved], insertIndex).selectedIndexes,
  ];
  expect([moveOther(0, 4), moveOther(0, 2), moveOther(4, 0), moveOther(4, 3)]).toEqual([[1], [2], [3], [2]]);
});

test('a selection follows its columns through moves, undo and other edits, and drops removed columns', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((column) => ({ table: 'T', column }));
  const before = [a ?? null, b ?? null, c ?? null];
  const selection = { selectedIndexes: new Set([0, 2]), activeIndex: 2, anchorIndex: 0 };
  const mapAfterChange = (columns: readonly JsonValue[]) => {
    const { selectedIndexes, activeIndex, anchorIndex } = mapSelection(
      selection,
      trackSelectedColumns(before, structuredClone(columns)),
    );
    return [[...selectedIndexes], activeIndex, anchorIndex];
  };
  expect(mapAfterChange(before)).toEqual([[0, 2], 2, 0]);
  expect(mapAfterChange([c ?? null, a ?? null, b ?? null])).toEqual([[1, 0], 0, 1]);
  expect(mapAfterChange([{ table: 'T', column: 'N' }, ...before])).toEqual([[1, 3], 3, 1]);
  expect(mapAfterChange([a ?? null, b ?? null])).toEqual([[0], undefined, 0]);
  const flaggedColumns = before.map((column) => ({ ...column, infusion: { header: true } }));
  expect(mapAfterChange(flaggedColumns), 'all columns changed at once').toEqual([[0, 2], 2, 0]);
  expect(mapAfterChange([])).toEqual([[], undefined, undefined]);
});
