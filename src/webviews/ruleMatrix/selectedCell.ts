/** The position of a cell: the indexes of its row and its column among the visible ones. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/**
 * A selected cell, identified by its keys: rows and columns move when names arrive or rules are reloaded. The position
 * is where the cell was when it was selected. As long as no visible cell has the keys, the cell at this position counts
 * as selected.
 */
export interface SelectedCell extends CellPosition {
  readonly partyKey: string | undefined;
  readonly columnKey: string | undefined;
}

/** Returns the index of the item with the key; the expected index if no item has it. */
export function findIndexByKey(
  items: readonly { readonly key: string }[],
  key: string | undefined,
  expectedIndex: number,
): number {
  if (key === undefined || items[expectedIndex]?.key === key) {
    return expectedIndex;
  }
  const index = items.findIndex((item) => item.key === key);
  return index === -1 ? expectedIndex : index;
}
