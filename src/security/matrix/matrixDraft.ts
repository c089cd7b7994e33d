import type { ValueSet } from '../valueSet.ts';
import { getValueKey } from './cellText.ts';
import {
  getCellKey,
  emptyCell,
  type MatrixCell,
  type MatrixColumn,
  type MatrixParty,
  type RuleMatrix,
} from './ruleMatrix.ts';

/** A cell changed by the user. *Saved rules* are those of the server, of a document, or of the files of a project. */
export interface CellEdit {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  /** The new value; empty for no rule. */
  readonly value: readonly ValueSet[];
  /** {@link getValueKey} of the value. */
  readonly canonicalKey: string;
  /**
   * {@link getValueKey} of the saved rules when the user began to edit the cell. If the saved rules have another key
   * now, they have changed since.
   */
  readonly baseKey: string;
}

/** All unsaved changes. */
export interface MatrixDraft {
  /** The edits by {@link getCellKey}. An edit whose value equals the saved rules is not a change. */
  readonly edits: ReadonlyMap<string, CellEdit>;
  /** Added rows and columns, with or without a value. */
  readonly parties: readonly MatrixParty[];
  readonly columns: readonly MatrixColumn[];
}

export const emptyDraft: MatrixDraft = { edits: new Map(), parties: [], columns: [] };

/** A new value for a cell. */
export interface CellChange {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly value: readonly ValueSet[];
}

export const getCellEditKey = ({ party, column }: Pick<CellEdit, 'party' | 'column'>): string =>
  getCellKey(party.key, column.key);

/** Returns the draft with new values in cells; a value equal to the saved rules removes the cell's edit. */
export function withCells(
  draft: MatrixDraft,
  savedMatrix: RuleMatrix,
  changes: readonly CellChange[],
): MatrixDraft {
  const edits = new Map(draft.edits);
  // Compute the key of equal values once: a fill gives many cells one value, which may be long.
  const valueKeys = new Map<readonly ValueSet[], string>();
  for (const change of changes) {
    const cellKey = getCellEditKey(change);
    const baseKey = getSavedCell(savedMatrix, cellKey).canonicalKey;
    const newKey = valueKeys.get(change.value) ?? getValueKey(change.value);
    valueKeys.set(change.value, newKey);
    if (newKey === baseKey) {
      edits.delete(cellKey);
    } else {
      edits.set(cellKey, { ...change, canonicalKey: newKey, baseKey });
    }
  }
  return { ...draft, edits };
}

/** Returns the draft without the edits of these cells. */
export function withoutEdits(draft: MatrixDraft, cellKeys: readonly string[]): MatrixDraft {
  const edits = new Map(draft.edits);
  for (const cellKey of cellKeys) {
    edits.delete(cellKey);
  }
  return { ...draft, edits };
}

/** Returns the current content of a cell, with its edit applied. */
export const getCurrentCell = (draft: MatrixDraft, savedMatrix: RuleMatrix, cellKey: string): MatrixCell => {
  const cell = getSavedCell(savedMatrix, cellKey);
  const edit = draft.edits.get(cellKey);
  return edit === undefined ? cell : { ...cell, value: edit.value, canonicalKey: edit.canonicalKey };
};

const getSavedCell = (savedMatrix: RuleMatrix, cellKey: string): MatrixCell =>
  savedMatrix.cells.get(cellKey) ?? emptyCell;

/** Returns the keys of the cells whose edits differ from the saved rules. */
export const getChangedCellKeys = ({ edits }: MatrixDraft, savedMatrix: RuleMatrix): readonly string[] =>
  [...edits].flatMap(([cellKey, { canonicalKey }]) =>
    canonicalKey === getSavedCell(savedMatrix, cellKey).canonicalKey ? [] : [cellKey],
  );

/** Returns whether a cell's saved rules have changed since its edit began, and differ from the edit's value. */
export function isConflicting(edit: CellEdit, savedMatrix: RuleMatrix): boolean {
  const { canonicalKey } = getSavedCell(savedMatrix, getCellEditKey(edit));
  return canonicalKey !== edit.baseKey && canonicalKey !== edit.canonicalKey;
}

/** Returns the keys of the cells that were changed in the draft and, differently, in the saved rules. */
export const getConflictKeys = (draft: MatrixDraft, savedMatrix: RuleMatrix): readonly string[] =>
  [...draft.edits].flatMap(([cellKey, edit]) => (isConflicting(edit, savedMatrix) ? [cellKey] : []));

/** Resolves conflicts in favor of the edits: bases them on the current saved rules. */
export const keepLocalEdits = (
  draft: MatrixDraft,
  savedMatrix: RuleMatrix,
  cellKeys: readonly string[],
): MatrixDraft =>
  withCells(
    draft,
    savedMatrix,
    cellKeys.flatMap((cellKey) => draft.edits.get(cellKey) ?? []),
  );

/** Returns the draft after a reload of the rules, without edits that now equal the saved rules. */
export function pruneDraft(draft: MatrixDraft, savedMatrix: RuleMatrix): MatrixDraft {
  const changedKeys = new Set(getChangedCellKeys(draft, savedMatrix));
  return withoutEdits(
    draft,
    [...draft.edits.keys()].filter((cellKey) => !changedKeys.has(cellKey)),
  );
}

/** The undo and redo stacks of drafts. */
export interface MatrixHistory {
  readonly past: readonly MatrixDraft[];
  readonly present: MatrixDraft;
  readonly future: readonly MatrixDraft[];
}

export const createMatrixHistory = (present: MatrixDraft = emptyDraft): MatrixHistory => ({
  past: [],
  present,
  future: [],
});

/** The maximum number of undo steps. */
const maxSteps = 500;

export const pushDraft = ({ past, present }: MatrixHistory, next: MatrixDraft): MatrixHistory => ({
  past: [...past, present].slice(-maxSteps),
  present: next,
  future: [],
});

export function undoDraft({ past, present, future }: MatrixHistory): MatrixHistory {
  const last = past.at(-1);
  return last === undefined
    ? { past, present, future }
    : { past: past.slice(0, -1), present: last, future: [present, ...future] };
}

export function redoDraft({ past, present, future }: MatrixHistory): MatrixHistory {
  const [next, ...remaining] = future;
  return next === undefined
    ? { past, present, future }
    : { past: [...past, present], present: next, future: remaining };
}
