import type { ValueSet } from '../valueSet.ts';
import { type CellProblem, parseMatrixCell, getValueKey, formatMatrixCell } from './cellText.ts';
import { type CellChange, getCurrentCell, type MatrixDraft } from './matrixDraft.ts';
import {
  getCellKey,
  type ReadOnlyReason,
  type MatrixColumn,
  type MatrixParty,
  type RuleMatrix,
} from './ruleMatrix.ts';

/** The matrix with its visible rows and columns, filtered and sorted. */
export interface VisibleMatrix {
  /** The rules without the user's edits: of the server, of a document, or of the files of a project. */
  readonly savedMatrix: RuleMatrix;
  readonly draft: MatrixDraft;
  readonly parties: readonly MatrixParty[];
  readonly columns: readonly MatrixColumn[];
  /** True for a live datamodel whose server shows no support for rules that hide values. */
  readonly isExclusionUnsupported: boolean;
}

/** A cell that can't have the new text, and why. */
export interface RefusedCell {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly reason: CellProblem | ReadOnlyReason;
  readonly text: string;
}

/** A cell and its new text. */
export interface CellText {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly text: string;
}

/** Returns the current content of a cell as text. */
export const getCellText = (
  { savedMatrix, draft }: VisibleMatrix,
  party: MatrixParty,
  column: MatrixColumn,
): string => formatMatrixCell(getCurrentCell(draft, savedMatrix, getCellKey(party.key, column.key)).value);

/** Computes the changes for new cell texts; a text equal to the cell's content changes nothing. */
export function computeCellChanges(
  { savedMatrix, draft, isExclusionUnsupported }: VisibleMatrix,
  cells: Iterable<CellText>,
): { readonly changes: readonly CellChange[]; readonly refusedCells: readonly RefusedCell[] } {
  const changes: CellChange[] = [];
  const refusedCells: RefusedCell[] = [];
  // Parse equal texts once: a fill puts one text, which may be long, into many cells.
  const parsedByText = new Map<string, ParsedCellText>();
  for (const { party, column, text } of cells) {
    const cell = getCurrentCell(draft, savedMatrix, getCellKey(party.key, column.key));
    const parsed = parsedByText.get(text) ?? parseCellText(text, isExclusionUnsupported);
    parsedByText.set(text, parsed);
    // The unchanged text of a cell with several rules may parse to something else: equal rules become one, and a rule
    // with an unclear meaning makes the whole text unclear.
    if (
      parsed.canonicalKey === cell.canonicalKey ||
      (cell.value.length > 1 && formatMatrixCell(cell.value) === text)
    ) {
      continue;
    }
    const reason = cell.readOnlyReason ?? parsed.problem;
    if (reason === undefined) {
      changes.push({ party, column, value: parsed.value });
    } else {
      refusedCells.push({ party, column, reason, text });
    }
  }
  return { changes, refusedCells };
}

interface ParsedCellText {
  readonly value: readonly ValueSet[];
  readonly canonicalKey: string;
  readonly problem?: CellProblem;
}

function parseCellText(text: string, isExclusionUnsupported: boolean): ParsedCellText {
  const parsed = parseMatrixCell(text, isExclusionUnsupported);
  return 'value' in parsed
    ? { value: parsed.value, canonicalKey: getValueKey(parsed.value) }
    : // `?` equals the content of a cell with an unclear rule; any other invalid text differs from the
      // content of every cell, also from that of an empty one.
      { value: [], canonicalKey: text.trim() === '?' ? '?' : '\u0000', problem: parsed.problem };
}
