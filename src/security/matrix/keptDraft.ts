import type { PartyType } from '../../contract/terms.ts';
import { valueKey } from './cellText.ts';
import { type CellEdit, keyOf, type MatrixDraft } from './matrixDraft.ts';
import { columnKey, type MatrixColumn, type MatrixParty, matrixParty } from './ruleMatrix.ts';

interface PlainParty {
  readonly type: PartyType;
  readonly id?: string | undefined;
}

interface PlainColumn {
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
}

/** A changed cell as plain JSON. */
export interface PlainCell {
  readonly party: PlainParty;
  readonly column: PlainColumn;
  readonly value: readonly { readonly kind: 'only' | 'except'; readonly values: readonly string[] }[];
  readonly was: string;
}

/** A draft as plain JSON. */
export interface PlainDraft {
  readonly cells: readonly PlainCell[];
  readonly parties: readonly PlainParty[];
  readonly columns: readonly PlainColumn[];
}

const plainParty = ({ type, id }: MatrixParty) => (id === undefined ? { type } : { type, id });

export const plainColumn = ({ table, column, datatype }: MatrixColumn) => ({ table, column, datatype });

export const plainCell = ({ party, column, value, was }: CellEdit) => ({
  party: plainParty(party),
  column: plainColumn(column),
  value: value.map(({ kind, values }) => ({ kind, values: [...values] })),
  was,
});

/** @param nameOf what people call a party that was added, since no rule of the server tells it yet */
export const plainDraft = (draft: MatrixDraft, nameOf: (party: MatrixParty) => string) => ({
  cells: [...draft.edits.values()].map(plainCell),
  parties: draft.parties.map((party) => ({ ...plainParty(party), name: nameOf(party) })),
  columns: draft.columns.map(plainColumn),
});

const partyOf = ({ type, id }: PlainParty): MatrixParty =>
  matrixParty({ type, ...(id === undefined ? {} : { id }) });

const columnOf = ({ table, column, datatype }: PlainColumn): MatrixColumn => ({
  key: columnKey(table, column),
  table,
  column,
  datatype,
});

export function cellEdit({ party, column, value, was }: PlainCell): CellEdit {
  const sets = value.map(({ kind, values }) => ({ kind, values: new Set(values) }));
  return { party: partyOf(party), column: columnOf(column), value: sets, says: valueKey(sets), was };
}

export const readDraft = ({ cells, parties, columns }: PlainDraft): MatrixDraft => ({
  edits: new Map(cells.map(cellEdit).map((edit) => [keyOf(edit), edit])),
  parties: parties.map(partyOf),
  columns: columns.map(columnOf),
});
