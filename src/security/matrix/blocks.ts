import type { CellChange } from './matrixDraft.ts';
import {
  type CellText,
  computeCellChanges,
  type RefusedCell,
  type VisibleMatrix,
  getCellText,
} from './computeCellChanges.ts';
import { parseGridTsv, formatGridTsv } from './gridTsv.ts';

/** A rectangle of cells by indexes (all inclusive), in the displayed order of rows and columns. */
export interface CellBlock {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The result of a fill or paste. */
export interface BlockChange {
  readonly changes: readonly CellChange[];
  readonly refusedCells: readonly RefusedCell[];
  /** The number of values that were dropped because they are beyond the last row or column. */
  readonly cutOffCount: number;
  /** Pasted headings that match no row or column of the matrix. */
  readonly unknownHeadings: readonly string[];
  /** True if the pasted table has headings, but no column of parties, so that nothing was pasted. */
  readonly isPartyColumnMissing?: true;
  /**
   * The block to select afterwards: the filled cells, without those beyond the last row or column. The previous
   * selection if nothing was filled, or if the pasted text has headings.
   */
  readonly block: CellBlock;
}

/** Creates the block between two opposite corners. */
export const createBlock = (
  a: { readonly row: number; readonly column: number },
  b: { readonly row: number; readonly column: number },
): CellBlock => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column),
});

/** Returns the text of a visible cell; empty outside the matrix. */
function getTextAt(matrix: VisibleMatrix, rowIndex: number, columnIndex: number): string {
  const [party, column] = [matrix.parties[rowIndex], matrix.columns[columnIndex]];
  return party === undefined || column === undefined ? '' : getCellText(matrix, party, column);
}

const createRange = (start: number, end: number): readonly number[] =>
  Array.from({ length: end - start + 1 }, (_, index) => start + index);

const getTexts = (
  matrix: VisibleMatrix,
  { top, left, bottom, right }: CellBlock,
): readonly (readonly string[])[] =>
  createRange(top, bottom).map((row) =>
    createRange(left, right).map((column) => getTextAt(matrix, row, column)),
  );

/** Formats a block as text for pasting into a spreadsheet. */
export const formatBlock = (matrix: VisibleMatrix, block: CellBlock): string =>
  formatGridTsv(getTexts(matrix, block));

/** Fills every cell of a block with one text. */
export const fillBlock = (matrix: VisibleMatrix, block: CellBlock, text: string): BlockChange =>
  fillRange(matrix, block, [[text]], block);

/** Fills all rows of a block with its first row, or a block of one row with the row above it. */
export function fillDown(matrix: VisibleMatrix, block: CellBlock): BlockChange {
  const sourceRow = block.top === block.bottom ? Math.max(block.top - 1, 0) : block.top;
  return fillRange(matrix, block, getTexts(matrix, { ...block, top: sourceRow, bottom: sourceRow }), block);
}

/** Fills all columns of a block with its first column, or a block of one column with the column before it. */
export function fillRight(matrix: VisibleMatrix, block: CellBlock): BlockChange {
  const sourceColumn = block.left === block.right ? Math.max(block.left - 1, 0) : block.left;
  return fillRange(
    matrix,
    block,
    getTexts(matrix, { ...block, left: sourceColumn, right: sourceColumn }),
    block,
  );
}

/**
 * Pastes text copied from a spreadsheet, starting at the first cell of the block. If the block's size is a multiple of
 * the text's, it is filled with copies, as spreadsheets do; otherwise the pasted range has the size of the text.
 */
export function pasteBlock(matrix: VisibleMatrix, block: CellBlock, text: string): BlockChange {
  const rows = parseGridTsv(text);
  const textHeight = rows.length;
  const textWidth = getMaxWidth(rows);
  const [blockHeight, blockWidth] = [block.bottom - block.top + 1, block.right - block.left + 1];
  const isTiled = textHeight > 0 && blockHeight % textHeight === 0 && blockWidth % textWidth === 0;
  const targetBlock = isTiled
    ? block
    : { ...block, bottom: block.top + textHeight - 1, right: block.left + textWidth - 1 };
  return fillRange(matrix, targetBlock, rows, block);
}

/**
 * Fills a block with rows of texts, repeated if the block is larger. Texts beyond the last row or column of the matrix
 * are dropped and counted.
 * @param fallbackBlock the block to select afterwards if `block` is empty
 */
function fillRange(
  matrix: VisibleMatrix,
  block: CellBlock,
  rows: readonly (readonly string[])[],
  fallbackBlock: CellBlock,
): BlockChange {
  const { parties, columns } = matrix;
  const cells: CellText[] = [];
  let cutOffCount = 0;
  const textWidth = getMaxWidth(rows);
  for (const rowIndex of createRange(block.top, block.bottom)) {
    const texts = rows[(rowIndex - block.top) % rows.length] ?? [];
    for (const columnIndex of createRange(block.left, block.right)) {
      const text = texts[(columnIndex - block.left) % textWidth];
      const [party, column] = [parties[rowIndex], columns[columnIndex]];
      if (text !== undefined && party !== undefined && column !== undefined) {
        cells.push({ party, column, text });
      } else if (text !== undefined) {
        cutOffCount += 1;
      }
    }
  }
  const clippedEnds = {
    bottom: Math.min(block.bottom, parties.length - 1),
    right: Math.min(block.right, columns.length - 1),
  };
  const isNonEmpty = block.bottom >= block.top && block.right >= block.left;
  return {
    ...computeCellChanges(matrix, cells),
    cutOffCount,
    unknownHeadings: [],
    block: isNonEmpty ? { ...block, ...clippedEnds } : fallbackBlock,
  };
}

/** Does not use `Math.max(...lengths)`: pasted text may have more rows than a function accepts arguments. */
const getMaxWidth = (rows: readonly (readonly string[])[]): number =>
  rows.reduce((maxWidth, { length }) => Math.max(maxWidth, length), 1);
