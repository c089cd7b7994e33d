/** The selected columns, by their indexes in the viewpoint. */
export interface ColumnSelection {
  readonly selected: ReadonlySet<number>;
  /** The focused column. */
  readonly active: number | undefined;
  /** The start of a range selection. */
  readonly anchor: number | undefined;
}

export const emptySelection: ColumnSelection = { selected: new Set(), active: undefined, anchor: undefined };

export const selectOne = (columnIndex: number): ColumnSelection => ({
  selected: new Set([columnIndex]),
  active: columnIndex,
  anchor: columnIndex,
});

/** Selects the visible columns from the anchor to the given column. */
export function selectRange(
  selection: ColumnSelection,
  columnIndex: number,
  visibleIndexes: readonly number[],
): ColumnSelection {
  const anchor = selection.anchor ?? columnIndex;
  const [start, end] = [visibleIndexes.indexOf(anchor), visibleIndexes.indexOf(columnIndex)].sort(
    (a, b) => a - b,
  );
  return {
    selected: new Set(visibleIndexes.slice(Math.max(0, start ?? 0), (end ?? 0) + 1)),
    active: columnIndex,
    anchor,
  };
}

export function toggleSelected(selection: ColumnSelection, columnIndex: number): ColumnSelection {
  const selected = new Set(selection.selected);
  if (!selected.delete(columnIndex)) {
    selected.add(columnIndex);
  }
  return { selected, active: columnIndex, anchor: columnIndex };
}

export const selectAllVisible = (
  selection: ColumnSelection,
  visibleIndexes: readonly number[],
): ColumnSelection => ({
  ...selection,
  selected: new Set(visibleIndexes),
});

/**
 * Returns the index of the visible column that is `step` rows from the active one; limited to the first and last
 * visible column.
 */
export function findNeighborColumn(
  { active }: ColumnSelection,
  step: number,
  visibleIndexes: readonly number[],
): number | undefined {
  const rowIndex = active === undefined ? -1 : visibleIndexes.indexOf(active);
  const next = rowIndex === -1 ? (step > 0 ? 0 : visibleIndexes.length - 1) : rowIndex + step;
  return visibleIndexes[Math.min(Math.max(next, 0), visibleIndexes.length - 1)];
}

/** Returns the selection after columns were moved: the same columns, at their new indexes. */
export function selectMoved(
  { selected, active }: ColumnSelection,
  movedIndexes: readonly number[],
  insertIndex: number,
): ColumnSelection {
  const sorted = movedIndexes.toSorted((a, b) => a - b);
  const countMovedBefore = (index: number): number =>
    sorted.filter((movedIndex) => movedIndex < index).length;
  const start = insertIndex - countMovedBefore(insertIndex);
  const getNewIndex = (columnIndex: number): number => {
    const movedPosition = sorted.indexOf(columnIndex);
    if (movedPosition !== -1) {
      return start + movedPosition;
    }
    const index = columnIndex - countMovedBefore(columnIndex);
    return columnIndex < insertIndex ? index : index + sorted.length;
  };
  const newActive = active === undefined ? undefined : getNewIndex(active);
  return { selected: new Set([...selected].map(getNewIndex)), active: newActive, anchor: newActive };
}

/**
 * Returns the selection after the document has changed: the same columns at their new indexes, without removed ones. If
 * nothing has changed, returns the same object, so that no rows are rendered again.
 * @param getNewIndex returns `undefined` for a removed column
 */
export function mapSelection(
  selection: ColumnSelection,
  getNewIndex: (columnIndex: number) => number | undefined,
): ColumnSelection {
  const mapIndex = (columnIndex: number | undefined): number | undefined =>
    columnIndex === undefined ? undefined : getNewIndex(columnIndex);
  const { selected, active, anchor } = selection;
  const isSame = [...selected, active, anchor].every((columnIndex) => mapIndex(columnIndex) === columnIndex);
  return isSame
    ? selection
    : {
        selected: new Set([...selected].map(getNewIndex).filter((columnIndex) => columnIndex !== undefined)),
        active: mapIndex(active),
        anchor: mapIndex(anchor),
      };
}
