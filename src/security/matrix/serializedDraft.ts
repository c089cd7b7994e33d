import type { PartyType } from '../../contract/terms.ts';
import { getValueKey } from './cellText.ts';
import { type CellEdit, getCellEditKey, type MatrixDraft } from './matrixDraft.ts';
import { getMatrixColumnKey, type MatrixColumn, type MatrixParty, toMatrixParty } from './ruleMatrix.ts';

interface SerializedParty {
  readonly type: PartyType;
  readonly id?: string | undefined;
}

interface SerializedColumn {
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
}

/** A changed cell as plain JSON. */
export interface SerializedCell {
  readonly party: SerializedParty;
  readonly column: SerializedColumn;
  readonly value: readonly { readonly kind: 'only' | 'except'; readonly values: readonly string[] }[];
  /** {@link CellEdit.baseKey}. */
  readonly was: string;
}

/** A draft as plain JSON. */
export interface SerializedDraft {
  readonly cells: readonly SerializedCell[];
  readonly parties: readonly SerializedParty[];
  readonly columns: readonly SerializedColumn[];
}

const serializeParty = ({ type, id }: MatrixParty) => (id === undefined ? { type } : { type, id });

export const serializeColumn = ({ table, column, datatype }: MatrixColumn) => ({ table, column, datatype });

export const serializeCell = ({ party, column, value, baseKey }: CellEdit) => ({
  party: serializeParty(party),
  column: serializeColumn(column),
  value: value.map(({ kind, values }) => ({ kind, values: [...values] })),
  was: baseKey,
});

/**
 * Converts a draft to plain JSON.
 * @param getPartyName returns the display name of an added party, which no rule of the server contains yet
 */
export const serializeDraft = (draft: MatrixDraft, getPartyName: (party: MatrixParty) => string) => ({
  cells: [...draft.edits.values()].map(serializeCell),
  parties: draft.parties.map((party) => ({ ...serializeParty(party), name: getPartyName(party) })),
  columns: draft.columns.map(serializeColumn),
});

const deserializeColumn = ({ table, column, datatype }: SerializedColumn): MatrixColumn => ({
  key: getMatrixColumnKey(table, column),
  table,
  column,
  datatype,
});

export function deserializeCellEdit({ party, column, value, was }: SerializedCell): CellEdit {
  const sets = value.map(({ kind, values }) => ({ kind, values: new Set(values) }));
  return {
    party: toMatrixParty(party),
    column: deserializeColumn(column),
    value: sets,
    canonicalKey: getValueKey(sets),
    baseKey: was,
  };
}

export const deserializeDraft = ({ cells, parties, columns }: SerializedDraft): MatrixDraft => ({
  edits: new Map(cells.map(deserializeCellEdit).map((edit) => [getCellEditKey(edit), edit])),
  parties: parties.map(toMatrixParty),
  columns: columns.map(deserializeColumn),
});
