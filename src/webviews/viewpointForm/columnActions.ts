import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { selectMovedColumns, selectOne, emptySelection } from './columnSelection.ts';

/** Returns the indexes of the selected columns, in ascending order. */
export const getSelectedColumnIndexes = ({ selection, fields }: ViewpointFormModel): readonly number[] =>
  [...selection.value.selectedIndexes]
    .filter((columnIndex) => columnIndex < fields.value.columns.length)
    .sort((a, b) => a - b);

/**
 * Moves the selected columns, as one block, before the row above them (-1) or after the row below them (1). Returns
 * false if there is no such row.
 */
export function moveSelectedColumns(form: ViewpointFormModel, step: number): boolean {
  const columnIndexes = getSelectedColumnIndexes(form);
  const [first] = columnIndexes;
  const last = columnIndexes.at(-1);
  const count = form.fields.value.columns.length;
  if (first === undefined || last === undefined) {
    return false;
  }
  const insertIndex = step < 0 ? first - 1 : last + 2;
  if (insertIndex < 0 || insertIndex > count) {
    return false;
  }
  moveColumnsTo(form, columnIndexes, insertIndex);
  return true;
}

/** Moves columns before the column at `insertIndex`, or to the end. */
export function moveColumnsTo(
  form: ViewpointFormModel,
  columnIndexes: readonly number[],
  insertIndex: number,
): void {
  if (!form.page.isLocked.value) {
    // The selection is updated after each edit by comparing columns. Setting it here also works for equal columns.
    const { value: selection } = form.selection;
    form.page.edit({ kind: 'moveColumns', columns: columnIndexes, insertIndex });
    form.selection.value = selectMovedColumns(selection, columnIndexes, insertIndex);
  }
}

export function removeSelectedColumns(form: ViewpointFormModel): void {
  const columnIndexes = getSelectedColumnIndexes(form);
  const [first] = columnIndexes;
  if (first !== undefined && !form.page.isLocked.value) {
    form.page.edit({ kind: 'removeColumns', columns: columnIndexes });
    // A column that the search hides must not be selected: pressing Delete again would remove it.
    const { value: matchingIndexes } = form.matchingIndexes;
    const next = matchingIndexes.find((columnIndex) => columnIndex >= first) ?? matchingIndexes.at(-1);
    form.select(next === undefined ? emptySelection : selectOne(next));
  }
}

/** Opens a quick pick for columns, which are inserted after the selected ones, or at the end. */
export function askForColumns(form: ViewpointFormModel): void {
  const last = getSelectedColumnIndexes(form).at(-1);
  form.page.askHost({
    kind: 'columns',
    insertIndex: last === undefined ? form.fields.value.columns.length : last + 1,
  });
}
