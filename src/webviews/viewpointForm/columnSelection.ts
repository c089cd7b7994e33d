/** The selected columns, by their indexes in the viewpoint. */
export interface ColumnSelection {
  readonly selectedIndexes: ReadonlySet<number>;
  /** The focused column. */
  readonly activeIndex: number | undefined;
  /** The start of a range selection. */
  readonly anchorIndex: number | undefined;
}

export const emptySelection: ColumnSelection = {
  selectedIndexes: new Set(),
  activeIndex: undefined,
  anchorIndex: undefined,
};

export const selectOne = (columnIndex: number): ColumnSelection => ({
  selectedIndexes: new Set([columnIndex]),
  activeIndex: columnIndex,
  anchorIndex: columnIndex,
});

/**
 * Selects the columns from the anchor to the given column.
 * @param matchingIndexes the indexes of the columns that match the filter, so that they have rows
 */
export function selectRange(
  selection: ColumnSelection,
  columnIndex: number,
  matchingIndexes: readonly number[],
): ColumnSelection {
  const anchor = selection.anchorIndex ?? columnIndex;
  const [start, end] = [matchingIndexes.indexOf(anchor), matchingIndexes.indexOf(columnIndex)].sort(
    (a, b) => a - b,
  );
  return {
    selectedIndexes: new Set(matchingIndexes.slice(Math.max(0, start ?? 0), (end ?? 0) + 1)),
    activeIndex: columnIndex,
    anchorIndex: anchor,
  };
}

export function toggleColumn(selection: ColumnSelection, columnIndex: number): ColumnSelection {
  const selected = new Set(selection.selectedIndexes);
  if (!selected.delete(columnIndex)) {
    selected.add(columnIndex);
  }
  return { selectedIndexes: selected, activeIndex: columnIndex, anchorIndex: columnIndex };
}

export const selectMatchingColumns = (
  selection: ColumnSelection,
  matchingIndexes: readonly number[],
): ColumnSelection => ({
  ...selection,
  selectedIndexes: new Set(matchingIndexes),
});

/**
 * Returns the index of the column that is `step` rows from the active one; limited to the columns of the first and last
 * rows.
 */
export function findNeighborColumn(
  { activeIndex }: ColumnSelection,
  step: number,
  matchingIndexes: readonly number[],
): number | undefined {
  const rowIndex = activeIndex === undefined ? -1 : matchingIndexes.indexOf(activeIndex);
  const next = rowIndex === -1 ? (step > 0 ? 0 : matchingIndexes.length - 1) : rowIndex + step;
  return matchingIndexes[Math.min(Math.max(next, 0), matchingIndexes.length - 1)];
}

/** Returns the selection after columns were moved: the same columns, at their new indexes. */
export function selectMovedColumns(
  { selectedIndexes, activeIndex }: ColumnSelection,
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
  const newActive = activeIndex === undefined ? undefined : getNewIndex(activeIndex);
  return {
    selectedIndexes: new Set([...selectedIndexes].map(getNewIndex)),
    activeIndex: newActive,
    anchorIndex: newActive,
  };
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
  const { selectedIndexes, activeIndex, anchorIndex } = selection;
  const isSame = [...selectedIndexes, activeIndex, anchorIndex].every(
    (columnIndex) => mapIndex(columnIndex) === columnIndex,
  );
  return isSame
    ? selection
    : {
        selectedIndexes: new Set(
          [...selectedIndexes].map(getNewIndex).filter((columnIndex) => columnIndex !== undefined),
        ),
        activeIndex: mapIndex(activeIndex),
        anchorIndex: mapIndex(anchorIndex),
      };
}
