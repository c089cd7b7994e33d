import type { CatalogColumn, CatalogTable } from '../../sql/catalog.ts';
import {
  type JsonMember,
  type JsonNode,
  lastMembers,
  type ObjectNode,
  textOf,
} from '../../json/text/jsonNode.ts';
import { calendar, isDateType, type Model } from '../model.ts';
import { datatypes } from '../vocabulary.ts';

/** What a column of a viewpoint says of itself, and what the datamodel knows of it. */
export interface ColumnFacts {
  readonly node: ObjectNode;
  readonly members: ReadonlyMap<string, JsonMember>;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly dim: string | undefined;
  readonly knownTable: CatalogTable | undefined;
  readonly knownColumn: CatalogColumn | undefined;
  /** Whether it holds dates; `undefined` where neither the document nor the model tells. */
  readonly isDate: boolean | undefined;
  /** Whether it cannot hold dates: the document says so, or the datamodel, whatever the document says. */
  readonly isNoDate: boolean;
  /** The datatype as it is written, or in words of the model. */
  readonly kind: string;
}

/** Reads a column; what is of a wrong type is as if it were not there. */
export function columnFacts(node: ObjectNode, model: Model): ColumnFacts {
  const members = lastMembers(node);
  const field = (key: string): string | undefined => {
    const text = textOf(members.get(key)?.value);
    return text === undefined || text === '' ? undefined : text;
  };
  const [table, column, dim] = [field('table'), field('column'), textOf(members.get('dim')?.value)];
  const byDim =
    table === undefined && column === undefined && dim !== undefined ? model.byDim(dim) : undefined;
  const knownTable = byDim?.table ?? (table === undefined ? undefined : model.table(table));
  const knownColumn =
    byDim?.column ??
    (knownTable === undefined || column === undefined ? undefined : model.column(knownTable, column));
  const datatype = field('datatype');
  const written = datatype !== undefined && datatypes.seen.includes(datatype) ? datatype : undefined;
  const inModel = isDateType(knownColumn?.type);
  const isDate =
    written === undefined
      ? (inModel ?? (dim?.endsWith(`${calendar}]`) === true ? true : undefined))
      : written === 'datetime';
  const isOtherInModel = inModel === false && model.isComplete;
  return {
    node,
    members,
    table,
    column,
    dim,
    knownTable,
    knownColumn,
    isDate,
    isNoDate: isDate === false || isOtherInModel,
    kind: written === undefined || (isDate && isOtherInModel) ? 'no date in the datamodel' : written,
  };
}

/** The members of `infusion`; none where it is no object. */
export function infusionOf({ members }: ColumnFacts): ReadonlyMap<string, JsonMember> {
  const infusion = members.get('infusion')?.value;
  return infusion?.kind === 'object' ? lastMembers(infusion) : new Map();
}

export const isTrue = (node: JsonNode | undefined): boolean =>
  node?.kind === 'literal' && node.value === true;
