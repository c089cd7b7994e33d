import { getShortcutLetter } from '../shared/shortcuts.ts';
import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { moveSelectedColumns, removeSelectedColumns } from './columnActions.ts';
import {
  selectMatchingColumns,
  selectOne,
  selectRange,
  emptySelection,
  findNeighborColumn,
  toggleColumn,
} from './columnSelection.ts';

const rowsPerPage = 15;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: rowsPerPage,
  PageUp: -rowsPerPage,
  Home: -Infinity,
  End: Infinity,
};

/** Handles the keys of the grid, as in the lists of VS Code. `open` moves the focus to the fields of the column. */
export function handleColumnGridKey(form: ViewpointFormModel, event: KeyboardEvent, open: () => void): void {
  if (handleKey(form, event, open)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function handleKey(form: ViewpointFormModel, event: KeyboardEvent, open: () => void): boolean {
  const { selection, matchingIndexes } = form;
  const columnIndexes = matchingIndexes.value;
  const step = steps[event.key];
  if (step !== undefined) {
    if (event.altKey) {
      return Math.abs(step) === 1 && moveSelectedColumns(form, step);
    }
    const nextIndex = findNeighborColumn(selection.value, step, columnIndexes);
    if (nextIndex !== undefined) {
      form.select(
        event.shiftKey ? selectRange(selection.value, nextIndex, columnIndexes) : selectOne(nextIndex),
      );
    }
    return true;
  }
  if (getShortcutLetter(event) === 'a') {
    form.select(selectMatchingColumns(selection.value, columnIndexes));
    return true;
  }
  const { activeIndex } = selection.value;
  switch (event.key) {
    case ' ':
      if (activeIndex !== undefined) {
        form.select(toggleColumn(selection.value, activeIndex));
      }
      return true;
    case 'Enter':
    case 'F2':
      open();
      return true;
    case 'Delete':
    case 'Backspace':
      removeSelectedColumns(form);
      return true;
    case 'Escape':
      form.select(
        activeIndex === undefined ? emptySelection : { ...selection.value, selectedIndexes: new Set() },
      );
      return true;
    default:
      return false;
  }
}
