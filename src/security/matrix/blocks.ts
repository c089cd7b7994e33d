import type { CellChange } from './matrixDraft.ts';
import {
  type CellText,
  applyCellTexts,
  type RefusedCell,
  type VisibleMatrix,
  getCellText,
} from './putCells.ts';
import { readTsv, writeTsv } from './tsv.ts';

/** A rectangle of cells by indexes (all inclusive), in the displayed order of rows and columns. */
export interface Block {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The result of a fill or paste. */
export interface BlockChange {
  readonly changes: readonly CellChange[];
  readonly refused: readonly RefusedCell[];
  /** The number of values that were dropped because they are beyond the last row or column. */
  readonly beyond: number;
  /** Pasted headings that match no row or column of the matrix. */
  readonly unknown: readonly string[];
  /** The block that was filled. */
  readonly block: Block;
}

export const createBlock = (
  a: { readonly row: number; readonly column: number },
  b: { readonly row: number; readonly column: number },
): Block => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column),
});

/** Returns the text of a visible cell; empty outside the matrix. */
function getTextAt(shown: VisibleMatrix, row: number, at: number): string {
  const [party, column] = [shown.parties[row], shown.columns[at]];
  return party === undefined || column === undefined ? '' : getCellText(shown, party, column);
}

const createRange = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const getTexts = (
  shown: VisibleMatrix,
  { top, left, bottom, right }: Block,
): readonly (readonly string[])[] =>
  createRange(top, bottom).map((row) =>
    createRange(left, right).map((column) => getTextAt(shown, row, column)),
  );

/** Copies a block as text for a spreadsheet. */
export const copyBlock = (shown: VisibleMatrix, block: Block): string => writeTsv(getTexts(shown, block));

/** Fills every cell of a block with one text. */
export const fillBlock = (shown: VisibleMatrix, block: Block, text: string): BlockChange =>
  putTexts(shown, block, [[text]], block);

/** Fills all rows of a block with its first row, or a block of one row with the row above it. */
export function fillDown(shown: VisibleMatrix, block: Block): BlockChange {
  const from = block.top === block.bottom ? Math.max(block.top - 1, 0) : block.top;
  return putTexts(shown, block, getTexts(shown, { ...block, top: from, bottom: from }), block);
}

/** Fills all columns of a block with its first column, or a block of one column with the column before it. */
export function fillRight(shown: VisibleMatrix, block: Block): BlockChange {
  const from = block.left === block.right ? Math.max(block.left - 1, 0) : block.left;
  return putTexts(shown, block, getTexts(shown, { ...block, left: from, right: from }), block);
}

/**
 * Pastes text copied from a spreadsheet, starting at the first cell of the block. If the block's size is a multiple of
 * the text's, it is filled with copies, as spreadsheets do; otherwise the pasted range has the size of the text.
 */
export function pasteBlock(shown: VisibleMatrix, block: Block, text: string): BlockChange {
  const rows = readTsv(text);
  const height = rows.length;
  const width = getMaxWidth(rows);
  const [high, wide] = [block.bottom - block.top + 1, block.right - block.left + 1];
  const isTiled = height > 0 && high % height === 0 && wide % width === 0;
  const to = isTiled ? block : { ...block, bottom: block.top + height - 1, right: block.left + width - 1 };
  return putTexts(shown, to, rows, block);
}

function putTexts(
  shown: VisibleMatrix,
  block: Block,
  rows: readonly (readonly string[])[],
  was: Block,
): BlockChange {
  const { parties, columns } = shown;
  const cells: CellText[] = [];
  let beyond = 0;
  const width = getMaxWidth(rows);
  for (const row of createRange(block.top, block.bottom)) {
    const texts = rows[(row - block.top) % rows.length] ?? [];
    for (const at of createRange(block.left, block.right)) {
      const text = texts[(at - block.left) % width];
      const [party, column] = [parties[row], columns[at]];
      if (text !== undefined && party !== undefined && column !== undefined) {
        cells.push({ party, column, text });
      } else if (text !== undefined) {
        beyond += 1;
      }
    }
  }
  const last = {
    bottom: Math.min(block.bottom, parties.length - 1),
    right: Math.min(block.right, columns.length - 1),
  };
  const isPut = block.bottom >= block.top && block.right >= block.left;
  return { ...applyCellTexts(shown, cells), beyond, unknown: [], block: isPut ? { ...block, ...last } : was };
}

/** Does not use `Math.max(...lengths)`: pasted text may have more rows than a function accepts arguments. */
const getMaxWidth = (rows: readonly (readonly string[])[]): number =>
  rows.reduce((most, { length }) => Math.max(most, length), 1);
