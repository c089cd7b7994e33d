import { fillBlock, fillDown, fillRight, type BlockChange } from '../../security/matrix/blocks.ts';
import { writeCell } from '../../security/matrix/cellText.ts';
import { cellNow } from '../../security/matrix/matrixDraft.ts';
import { cellKey } from '../../security/matrix/ruleMatrix.ts';
import { isEverything, isNothing } from '../../security/valueSet.ts';
import { tell } from './announce.ts';
import type { MatrixModel, Place } from './model.ts';

/** What the keys do in the grid, as in a spreadsheet. */
export function gridKey(model: MatrixModel, event: KeyboardEvent, pageRows: number): void {
  const before = model.selection.value;
  if (doesMove(model, event, pageRows) || doesCommand(model, event) || doesType(model, event)) {
    model.wantsFocus = model.selection.value !== before;
    event.preventDefault();
    // The editor around the page has keys of its own.
    event.stopPropagation();
  }
}

const far = Number.MAX_SAFE_INTEGER;

function doesMove(model: MatrixModel, event: KeyboardEvent, pageRows: number): boolean {
  const { active, anchor } = model.selection.value;
  const isFar = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    return false;
  }
  const to = target(event.key, active, isFar, pageRows);
  if (to === undefined) {
    return false;
  }
  model.select(to, event.shiftKey ? anchor : to);
  return true;
}

function target(key: string, { row, column }: Place, isFar: boolean, pageRows: number): Place | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: isFar ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: isFar ? far : row + 1, column };
    case 'ArrowLeft':
      return { row, column: isFar ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: isFar ? far : column + 1 };
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 };
    case 'End':
      return { row: isFar ? far : row, column: far };
    case 'PageUp':
      return { row: row - pageRows, column };
    case 'PageDown':
      return { row: row + pageRows, column };
    default:
      return undefined;
  }
}

function doesCommand(model: MatrixModel, event: KeyboardEvent): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  const command = `${isControl ? 'Control+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
  switch (command) {
    case 'Enter':
    case 'F2':
      startEditing(model);
      return true;
    case 'Delete':
    case 'Backspace':
      fill(model, '');
      return true;
    case ' ':
      toggle(model);
      return true;
    case 'Escape':
      model.select(model.selection.value.active);
      return true;
    case 'Control+a':
      selectAll(model);
      return true;
    case 'Control+d':
      put(model, fillDown(model.shown.value, model.block.value));
      return true;
    case 'Control+r':
      put(model, fillRight(model.shown.value, model.block.value));
      return true;
    case 'Control+z':
      model.undo();
      tell.undone(model);
      return true;
    case 'Control+y':
    case 'Control+Shift+z':
      model.redo();
      tell.undone(model);
      return true;
    default:
      return false;
  }
}

/** A letter begins to type over the cell. */
function doesType(model: MatrixModel, event: KeyboardEvent): boolean {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return false;
  }
  startEditing(model, event.key);
  return true;
}

/** Opens the field over the cell with the focus; says why where the cell cannot be changed. */
export function startEditing(model: MatrixModel, text?: string, fills = false): void {
  const cell = activeCell(model);
  if (cell === undefined || model.isBusy.value) {
    return;
  }
  if (cell.fixed !== undefined) {
    tell.fixed(model, cell.fixed);
    return;
  }
  model.editing.value = {
    text: text ?? (cell.value.includes('unclear') ? '' : writeCell(cell.value)),
    fills,
  };
}

export function activeCell(model: MatrixModel) {
  const { parties, columns, base, draft } = model.shown.value;
  const { row, column } = model.selection.value.active;
  const [party, at] = [parties[row], columns[column]];
  return party === undefined || at === undefined
    ? undefined
    : { party, column: at, ...cellNow(draft, base, cellKey(party.key, at.key)) };
}

export function fill(model: MatrixModel, text: string): void {
  put(model, fillBlock(model.shown.value, model.block.value, text));
}

export function put(model: MatrixModel, change: BlockChange): void {
  if (!model.isBusy.value) {
    model.put(change);
    tell.changed(model, change);
  }
}

/** *Nothing*, then *All*, then no rule: the first step never opens anything. */
function toggle(model: MatrixModel): void {
  const value = activeCell(model)?.value ?? [];
  const [first] = value;
  const isOne = value.length === 1 && first !== undefined && first !== 'unclear';
  if (isOne && isNothing(first)) {
    fill(model, 'All');
  } else {
    fill(model, isOne && isEverything(first) ? '' : 'Nothing');
  }
}

export function selectAll(model: MatrixModel): void {
  const { parties, columns } = model.shown.value;
  model.select({ row: 0, column: 0 }, { row: parties.length - 1, column: columns.length - 1 });
}

export const fillDownSelection = (model: MatrixModel): void =>
  put(model, fillDown(model.shown.value, model.block.value));
