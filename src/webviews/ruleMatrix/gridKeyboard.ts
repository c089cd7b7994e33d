import { fillBlock, fillDown, fillRight, type BlockChange } from '../../security/matrix/blocks.ts';
import { formatMatrixCell } from '../../security/matrix/cellText.ts';
import { getCurrentCell } from '../../security/matrix/matrixDraft.ts';
import { getCellKey } from '../../security/matrix/ruleMatrix.ts';
import { isAllValues, isNoValues } from '../../security/valueSet.ts';
import { getShortcutLetter } from '../shared/shortcuts.ts';
import { announcements } from './announcements.ts';
import type { MatrixModel } from './matrixModel.ts';
import type { CellPosition } from './selectedCell.ts';

/** Handles the keys of the grid, which are those of spreadsheets. */
export function handleMatrixKey(model: MatrixModel, event: KeyboardEvent, pageRows: number): void {
  const previousSelection = model.selection.value;
  if (
    handleMoveKey(model, event, pageRows) ||
    handleCommandKey(model, event) ||
    handleTypedKey(model, event)
  ) {
    model.shouldFocusGrid = model.selection.value !== previousSelection;
    event.preventDefault();
    // VS Code would handle the key as well, as one of its own shortcuts.
    event.stopPropagation();
  }
}

const lastIndex = Number.MAX_SAFE_INTEGER;

function handleMoveKey(model: MatrixModel, event: KeyboardEvent, pageRows: number): boolean {
  const { active, anchor } = model.selection.value;
  const movesToEdge = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    return false;
  }
  const target = getMoveTarget(event.key, active, movesToEdge, pageRows);
  if (target === undefined) {
    return false;
  }
  model.select(target, event.shiftKey ? anchor : target);
  return true;
}

function getMoveTarget(
  key: string,
  { row, column }: CellPosition,
  movesToEdge: boolean,
  pageRows: number,
): CellPosition | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: movesToEdge ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: movesToEdge ? lastIndex : row + 1, column };
    case 'ArrowLeft':
      return { row, column: movesToEdge ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: movesToEdge ? lastIndex : column + 1 };
    case 'Home':
      return { row: movesToEdge ? 0 : row, column: 0 };
    case 'End':
      return { row: movesToEdge ? lastIndex : row, column: lastIndex };
    case 'PageUp':
      return { row: row - pageRows, column };
    case 'PageDown':
      return { row: row + pageRows, column };
    default:
      return undefined;
  }
}

function handleCommandKey(model: MatrixModel, event: KeyboardEvent): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  const command = `${isControl ? 'Control+' : ''}${event.shiftKey ? 'Shift+' : ''}${getShortcutLetter(event) ?? event.key}`;
  switch (command) {
    case 'Enter':
    case 'F2':
      startEditing(model);
      return true;
    case 'Delete':
    case 'Backspace':
      fillSelection(model, '');
      return true;
    case ' ':
      cycleSelectedValues(model);
      return true;
    case 'Escape':
      model.select(model.selection.value.active);
      return true;
    case 'Control+a':
      selectAll(model);
      return true;
    case 'Control+d':
      applyBlockChange(model, fillDown(model.visibleMatrix.value, model.selectedBlock.value));
      return true;
    case 'Control+r':
      applyBlockChange(model, fillRight(model.visibleMatrix.value, model.selectedBlock.value));
      return true;
    case 'Control+z':
      // Without a draft, the editor of the document undoes its changes.
      if (!model.keepsDraft) {
        return false;
      }
      model.undo();
      announcements.reportUnappliedChanges(model);
      return true;
    case 'Control+y':
    case 'Control+Shift+z':
      if (!model.keepsDraft) {
        return false;
      }
      model.redo();
      announcements.reportUnappliedChanges(model);
      return true;
    default:
      return false;
  }
}

/** Starts to edit the active cell with the typed character, which replaces its content. */
function handleTypedKey(model: MatrixModel, event: KeyboardEvent): boolean {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return false;
  }
  startEditing(model, { text: event.key });
  return true;
}

/**
 * Opens the editor of the active cell; if the cell cannot be changed, announces the reason.
 * @param options.text the initial text; the content of the cell if absent
 * @param options.fillsSelection whether the text applies to all selected cells
 */
export function startEditing(
  model: MatrixModel,
  { text, fillsSelection = false }: { readonly text?: string; readonly fillsSelection?: boolean } = {},
): void {
  const cell = getActiveCell(model);
  if (cell === undefined || model.isBusy.value) {
    return;
  }
  if (model.readOnlyReason.value !== undefined) {
    model.announcement.value = model.readOnlyReason.value;
    return;
  }
  if (cell.readOnlyReason !== undefined) {
    announcements.reportReadOnlyCell(model, cell.readOnlyReason);
    return;
  }
  model.activeEdit.value = {
    text: text ?? (cell.value.includes('unclear') ? '' : formatMatrixCell(cell.value)),
    fillsSelection,
  };
}

export function getActiveCell(model: MatrixModel) {
  const { parties, columns, savedMatrix, draft } = model.visibleMatrix.value;
  const { row, column } = model.selection.value.active;
  const [party, matrixColumn] = [parties[row], columns[column]];
  return party === undefined || matrixColumn === undefined
    ? undefined
    : {
        party,
        column: matrixColumn,
        ...getCurrentCell(draft, savedMatrix, getCellKey(party.key, matrixColumn.key)),
      };
}

export function fillSelection(model: MatrixModel, text: string): void {
  applyBlockChange(model, fillBlock(model.visibleMatrix.value, model.selectedBlock.value, text));
}

export function applyBlockChange(model: MatrixModel, change: BlockChange): void {
  if (model.readOnlyReason.value !== undefined) {
    model.announcement.value = model.readOnlyReason.value;
  } else if (!model.isBusy.value) {
    model.applyBlockChange(change);
    announcements.reportChange(model, change);
  }
}

/** Cycles the selected cells through Nothing, All, and no rule. Nothing comes first, because it grants no access. */
function cycleSelectedValues(model: MatrixModel): void {
  const value = getActiveCell(model)?.value ?? [];
  const [first] = value;
  const isSingleGrant = value.length === 1 && first !== undefined && first !== 'unclear';
  if (isSingleGrant && isNoValues(first)) {
    fillSelection(model, 'All');
  } else {
    fillSelection(model, isSingleGrant && isAllValues(first) ? '' : 'Nothing');
  }
}

export function selectAll(model: MatrixModel): void {
  const { parties, columns } = model.visibleMatrix.value;
  model.select({ row: 0, column: 0 }, { row: parties.length - 1, column: columns.length - 1 });
}

export const fillSelectionDown = (model: MatrixModel): void =>
  applyBlockChange(model, fillDown(model.visibleMatrix.value, model.selectedBlock.value));
