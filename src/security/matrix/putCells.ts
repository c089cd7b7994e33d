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

/** The rows and columns as they are shown: filtered and sorted. */
export interface Shown {
  readonly base: RuleMatrix;
  readonly draft: MatrixDraft;
  readonly parties: readonly MatrixParty[];
  readonly columns: readonly MatrixColumn[];
  /** A live datamodel whose server shows no rule that hides values. */
  readonly hidesNothing: boolean;
}

/** Why a cell did not take a value. */
export interface Refused {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly reason: CellProblem | FixedReason;
  readonly text: string;
}

/** A cell, and the text that goes into it. */
export interface CellText {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly text: string;
}

/** What cells say now, as text. */
export const textOf = ({ base, draft }: Shown, party: MatrixParty, column: MatrixColumn): string =>
  writeCell(cellNow(draft, base, cellKey(party.key, column.key)).value);

/** What texts change in their cells; one that says what its cell says changes nothing. */
export function putCells(
  { base, draft, hidesNothing }: Shown,
  cells: Iterable<CellText>,
): { readonly changes: readonly CellChange[]; readonly refused: readonly Refused[] } {
  const changes: CellChange[] = [];
  const refused: Refused[] = [];
  // A fill puts one text, which may be long, into many cells.
  const read = new Map<string, ReadText>();
  for (const { party, column, text } of cells) {
    const cell = cellNow(draft, base, cellKey(party.key, column.key));
    const wanted = read.get(text) ?? readText(text, hidesNothing);
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
  return { changes, refused };
}

interface ReadText {
  readonly value: readonly ValueSet[];
  readonly says: string;
  readonly problem?: CellProblem;
}

function readText(text: string, hidesNothing: boolean): ReadText {
  const read = readCell(text, hidesNothing);
  return 'value' in read
    ? { value: read.value, says: valueKey(read.value) }
    : // What does not say anything certain may stay where it is.
      { value: [], says: text.trim() === '?' ? '?' : '\u0000', problem: read.problem };
}
