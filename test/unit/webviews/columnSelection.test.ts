import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.ts';
import { trackSelectedColumns } from '../../../src/viewpoints/form/trackColumns.ts';
import {
  selectMoved,
  selectAllShown,
  selectOne,
  selectRange,
  emptySelection,
  findNeighborRow,
  mapSelection,
  toggleSelected,
} from '../../../src/webviews/viewpointForm/columnSelection.ts';

const shown = [0, 2, 4, 6, 8];

test('a range is selected in display order, from its anchor', () => {
  const range = selectRange(selectOne(6), 2, shown);
  expect([...range.selected]).toEqual([2, 4, 6]);
  expect([...selectRange(range, 8, shown).selected]).toEqual([6, 8]);
});

test('single columns are added to a selection and removed', () => {
  const two = toggleSelected(selectOne(2), 6);
  expect([...two.selected]).toEqual([2, 6]);
  expect([...toggleSelected(two, 2).selected]).toEqual([6]);
  expect([...selectAllShown(two, shown).selected]).toEqual(shown);
});

test('the next column is the next in display order, and stops at the ends', () => {
  expect(findNeighborRow(emptySelection, 1, shown)).toBe(0);
  expect(findNeighborRow(emptySelection, -1, shown)).toBe(8);
  expect(findNeighborRow(selectOne(2), 1, shown)).toBe(4);
  expect(findNeighborRow(selectOne(2), -Infinity, shown)).toBe(0);
  expect(findNeighborRow(selectOne(2), Infinity, shown)).toBe(8);
  expect(findNeighborRow(selectOne(2), 1, [])).toBeUndefined();
});

test('moved columns stay selected in their new positions', () => {
  const moved = selectMoved({ selected: new Set([1, 3]), active: 3, anchor: 1 }, [1, 3], 0);
  expect([[...moved.selected], moved.active]).toEqual([[0, 1], 1]);
  expect([...selectMoved(selectOne(0), [0], 3).selected]).toEqual([2]);
});

test('a selection follows its columns through moves, undo and other edits, and drops removed columns', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((column) => ({ table: 'T', column }));
  const before = [a ?? null, b ?? null, c ?? null];
  const choice = { selected: new Set([0, 2]), active: 2, anchor: 0 };
  const after = (columns: readonly JsonValue[]) => {
    const { selected, active, anchor } = mapSelection(
      choice,
      trackSelectedColumns(before, structuredClone(columns)),
    );
    return [[...selected], active, anchor];
  };
  expect(after(before)).toEqual([[0, 2], 2, 0]);
  expect(after([c ?? null, a ?? null, b ?? null])).toEqual([[1, 0], 0, 1]);
  expect(after([{ table: 'T', column: 'N' }, ...before])).toEqual([[1, 3], 3, 1]);
  expect(after([a ?? null, b ?? null])).toEqual([[0], undefined, 0]);
  const flagged = before.map((column) => ({ ...column, infusion: { header: true } }));
  expect(after(flagged), 'all of them changed at once').toEqual([[0, 2], 2, 0]);
  expect(after([])).toEqual([[], undefined, undefined]);
});
