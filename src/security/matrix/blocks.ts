import type { ValueSet } from '../valueSet.ts';
import { type CellProblem, readCell, valueKey, writeCell } from './cellText.ts';
import { type CellChange, cellNow, type MatrixDraft } from './matrixDraft.ts';
import {
  cellKey,
  type FixedReason,
  type MatrixColumn,
  type MatrixParty,
  type RuleMatrix,
} from './ruleMatrix.ts';
import { readTsv, writeTsv } from './tsv.ts';

/** A rectangle of cells, ends included, in the order in which rows and columns are shown. */
export interface Block {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The rows and columns as they are shown: filtered and sorted. */
export interface Shown {
  readonly base: RuleMatrix;
  readonly draft: MatrixDraft;
  readonly parties: readonly MatrixParty[];
  readonly columns: readonly MatrixColumn[];
  readonly isLive: boolean;
}

/** Why a cell did not take a value. */
export interface Refused {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly reason: CellProblem | FixedReason;
  readonly text: string;
}

/** What a fill or paste does. */
export interface BlockChange {
  readonly changes: readonly CellChange[];
  readonly refused: readonly Refused[];
  /** How many values lay beyond the last row or column. */
  readonly beyond: number;
  /** Where the values went. */
  readonly block: Block;
}

export const blockOf = (
  a: { readonly row: number; readonly column: number },
  b: { readonly row: number; readonly column: number },
): Block => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column),
});

/** What a cell that is shown says, as text. */
function textAt({ base, draft, parties, columns }: Shown, row: number, column: number): string {
  const [party, at] = [parties[row], columns[column]];
  return party === undefined || at === undefined
    ? ''
    : writeCell(cellNow(draft, base, cellKey(party.key, at.key)).value);
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const textsOf = (shown: Shown, { top, left, bottom, right }: Block): readonly (readonly string[])[] =>
  range(top, bottom).map((row) => range(left, right).map((column) => textAt(shown, row, column)));

/** A block as a spreadsheet takes it. */
export const copyBlock = (shown: Shown, block: Block): string => writeTsv(textsOf(shown, block));

/** One text in every cell of a block. */
export const fillBlock = (shown: Shown, block: Block, text: string): BlockChange =>
  put(shown, block, [[text]], block);

/** The first row of a block in all of its rows; a block of one row takes the row above it. */
export function fillDown(shown: Shown, block: Block): BlockChange {
  const from = block.top === block.bottom ? Math.max(block.top - 1, 0) : block.top;
  return put(shown, block, textsOf(shown, { ...block, top: from, bottom: from }), block);
}

/** The first column of a block in all of its columns; a block of one column takes the one before it. */
export function fillRight(shown: Shown, block: Block): BlockChange {
  const from = block.left === block.right ? Math.max(block.left - 1, 0) : block.left;
  return put(shown, block, textsOf(shown, { ...block, left: from, right: from }), block);
}

/**
 * What a spreadsheet has copied, from the first cell of the block on. Where the block is as large as several copies it
 * is filled with them, as spreadsheets do; else it is as large as what is pasted.
 */
export function pasteBlock(shown: Shown, block: Block, text: string): BlockChange {
  const rows = readTsv(text);
  const height = rows.length;
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const [high, wide] = [block.bottom - block.top + 1, block.right - block.left + 1];
  const isTiled = height > 0 && width > 0 && high % height === 0 && wide % width === 0;
  const to = isTiled ? block : { ...block, bottom: block.top + height - 1, right: block.left + width - 1 };
  return put(shown, to, rows, block);
}

function put(shown: Shown, block: Block, rows: readonly (readonly string[])[], was: Block): BlockChange {
  const { base, draft, parties, columns, isLive } = shown;
  const changes: CellChange[] = [];
  const refused: Refused[] = [];
  let beyond = 0;
  const read = new Map<string, ReadText>();
  const width = Math.max(1, ...rows.map(({ length }) => length));
  for (const row of range(block.top, block.bottom)) {
    const texts = rows[(row - block.top) % rows.length] ?? [];
    for (const at of range(block.left, block.right)) {
      const text = texts[(at - block.left) % width];
      const [party, column] = [parties[row], columns[at]];
      if (text === undefined) {
        continue;
      }
      if (party === undefined || column === undefined) {
        beyond += 1;
        continue;
      }
      const cell = cellNow(draft, base, cellKey(party.key, column.key));
      const wanted = read.get(text) ?? readText(text, isLive);
      read.set(text, wanted);
      if (wanted.says === cell.says || (cell.value.length > 1 && writeCell(cell.value) === text)) {
        continue;
      }
      const reason = cell.fixed ?? wanted.problem;
      if (reason === undefined) {
        changes.push({ party, column, value: wanted.value });
      } else {
        refused.push({ party, column, reason, text });
      }
    }
  }
  const last = {
    bottom: Math.min(block.bottom, parties.length - 1),
    right: Math.min(block.right, columns.length - 1),
  };
  const isPut = block.bottom >= block.top && block.right >= block.left;
  return { changes, refused, beyond, block: isPut ? { ...block, ...last } : was };
}

interface ReadText {
  readonly value: readonly ValueSet[];
  readonly says: string;
  readonly problem?: CellProblem;
}

function readText(text: string, isLive: boolean): ReadText {
  const read = readCell(text, isLive);
  return 'value' in read
    ? { value: read.value, says: valueKey(read.value) }
    : // What does not say anything certain may stay where it is.
      { value: [], says: text.trim() === '?' ? '?' : '\u0000', problem: read.problem };
}
