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

/** A cell that a person has changed. */
export interface CellEdit {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  /** What it says now; empty for no rule. */
  readonly value: readonly ValueSet[];
  /** {@link getValueKey} of the value. */
  readonly canonicalKey: string;
  /** What the server's rules said when the person began ({@link getValueKey}); else they changed meanwhile. */
  readonly was: string;
}

/** Everything that is not yet sent. */
export interface MatrixDraft {
  /** By {@link getCellKey}; what says the same as the server is no change. */
  readonly edits: ReadonlyMap<string, CellEdit>;
  /** Rows and columns that were added, whether they have a value or not. */
  readonly parties: readonly MatrixParty[];
  readonly columns: readonly MatrixColumn[];
}

export const emptyDraft: MatrixDraft = { edits: new Map(), parties: [], columns: [] };

/** A value for a cell. */
export interface CellChange {
  readonly party: MatrixParty;
  readonly column: MatrixColumn;
  readonly value: readonly ValueSet[];
}

export const getCellEditKey = ({ party, column }: Pick<CellEdit, 'party' | 'column'>): string =>
  getCellKey(party.key, column.key);

/** The draft with other values in cells; one that a cell has by the server's rules ends its edit. */
export function withCells(draft: MatrixDraft, base: RuleMatrix, changes: readonly CellChange[]): MatrixDraft {
  const edits = new Map(draft.edits);
  // A fill gives many cells one value, which may be long.
  const keys = new Map<readonly ValueSet[], string>();
  for (const change of changes) {
    const key = getCellEditKey(change);
    const was = getBaseCell(base, key).canonicalKey;
    const says = keys.get(change.value) ?? getValueKey(change.value);
    keys.set(change.value, says);
    if (says === was) {
      edits.delete(key);
    } else {
      edits.set(key, { ...change, canonicalKey: says, was });
    }
  }
  return { ...draft, edits };
}

/** The server's rules in place of edits. */
export function withoutEdits(draft: MatrixDraft, keys: readonly string[]): MatrixDraft {
  const edits = new Map(draft.edits);
  for (const key of keys) {
    edits.delete(key);
  }
  return { ...draft, edits };
}

/** What cells say now. */
export const getCurrentCell = (draft: MatrixDraft, base: RuleMatrix, key: string): MatrixCell => {
  const cell = getBaseCell(base, key);
  const edit = draft.edits.get(key);
  return edit === undefined ? cell : { ...cell, value: edit.value, canonicalKey: edit.canonicalKey };
};

const getBaseCell = (base: RuleMatrix, key: string): MatrixCell => base.cells.get(key) ?? emptyCell;

/** The edits that still say something else than the server. */
export const getChangedKeys = ({ edits }: MatrixDraft, base: RuleMatrix): readonly string[] =>
  [...edits].flatMap(([key, { canonicalKey }]) =>
    canonicalKey === getBaseCell(base, key).canonicalKey ? [] : [key],
  );

/** Cells that were changed here and, otherwise, on the server meanwhile: somebody has to decide. */
export const getConflictingKeys = (draft: MatrixDraft, base: RuleMatrix): readonly string[] =>
  getChangedKeys(draft, base).filter(
    (key) => draft.edits.get(key)?.was !== getBaseCell(base, key).canonicalKey,
  );

/** Edits that were looked at and are meant in spite of what the server says now. */
export const keepLocalEdits = (draft: MatrixDraft, base: RuleMatrix, keys: readonly string[]): MatrixDraft =>
  withCells(
    draft,
    base,
    keys.flatMap((key) => draft.edits.get(key) ?? []),
  );

/** The draft after rules were read anew: what says the same as the server is no edit any more. */
export function pruneDraft(draft: MatrixDraft, base: RuleMatrix): MatrixDraft {
  const changed = new Set(getChangedKeys(draft, base));
  return withoutEdits(
    draft,
    [...draft.edits.keys()].filter((key) => !changed.has(key)),
  );
}

/** Drafts of before and, after some were taken back, of then. */
export interface MatrixHistory {
  readonly past: readonly MatrixDraft[];
  readonly now: MatrixDraft;
  readonly future: readonly MatrixDraft[];
}

export const createHistory = (now: MatrixDraft = emptyDraft): MatrixHistory => ({
  past: [],
  now,
  future: [],
});

/** How many steps can be taken back. */
const maxSteps = 500;

export const pushDraft = ({ past, now }: MatrixHistory, next: MatrixDraft): MatrixHistory => ({
  past: [...past, now].slice(-maxSteps),
  now: next,
  future: [],
});

export function undoDraft({ past, now, future }: MatrixHistory): MatrixHistory {
  const last = past.at(-1);
  return last === undefined
    ? { past, now, future }
    : { past: past.slice(0, -1), now: last, future: [now, ...future] };
}

export function redoDraft({ past, now, future }: MatrixHistory): MatrixHistory {
  const [next, ...rest] = future;
  return next === undefined ? { past, now, future } : { past: [...past, now], now: next, future: rest };
}
