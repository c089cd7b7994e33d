import type { CatalogColumn, CatalogTable } from '../../sql/catalog.ts';
import {
  type JsonMember,
  type JsonNode,
  getMembersByKey,
  type ObjectNode,
  getLiteralText,
} from '../../json/text/jsonNode.ts';
import { calendarSuffix } from '../../contract/terms.ts';
import { isDateType, type DatamodelLookup } from '../datamodelLookup.ts';
import { datatypeWords } from '../vocabulary.ts';

/** The properties of a viewpoint column, combined with those of the datamodel's column. */
export interface ColumnFacts {
  readonly node: ObjectNode;
  readonly members: ReadonlyMap<string, JsonMember>;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly dim: string | undefined;
  readonly knownTable: CatalogTable | undefined;
  readonly knownColumn: CatalogColumn | undefined;
  /** Whether the column holds dates; `undefined` if neither the document nor the datamodel defines it. */
  readonly isDate: boolean | undefined;
  /** True if the column can't hold dates according to the document or the datamodel. */
  readonly cannotBeDate: boolean;
  /** The datatype for messages: as written in the document, or that it is not a date in the datamodel. */
  readonly datatypeLabel: string;
}

/** Reads a column; values of a wrong type are treated as missing. */
export function readColumnFacts(node: ObjectNode, datamodel: DatamodelLookup): ColumnFacts {
  const members = getMembersByKey(node);
  const readField = (key: string): string | undefined => {
    const text = getLiteralText(members.get(key)?.value);
    return text === undefined || text === '' ? undefined : text;
  };
  const [table, column, dim] = [
    readField('table'),
    readField('column'),
    getLiteralText(members.get('dim')?.value),
  ];
  const dimTarget =
    table === undefined && column === undefined && dim !== undefined ? datamodel.findByDim(dim) : undefined;
  const knownTable = dimTarget?.table ?? (table === undefined ? undefined : datamodel.findTable(table));
  const knownColumn =
    dimTarget?.column ??
    (knownTable === undefined || column === undefined ? undefined : datamodel.findColumn(knownTable, column));
  const datatype = readField('datatype');
  const documentedDatatype =
    datatype !== undefined && datatypeWords.documented.includes(datatype) ? datatype : undefined;
  const isDateInDatamodel = isDateType(knownColumn?.type);
  const isDate =
    documentedDatatype === undefined
      ? (isDateInDatamodel ?? (dim?.endsWith(`${calendarSuffix}]`) === true ? true : undefined))
      : documentedDatatype === 'datetime';
  const isNonDateInDatamodel = isDateInDatamodel === false && datamodel.isComplete;
  return {
    node,
    members,
    table,
    column,
    dim,
    knownTable,
    knownColumn,
    isDate,
    cannotBeDate: isDate === false || isNonDateInDatamodel,
    datatypeLabel:
      documentedDatatype === undefined || (isDate && isNonDateInDatamodel)
        ? 'not a date in the datamodel'
        : documentedDatatype,
  };
}

/** Returns the members of `infusion`; none if it is not an object. */
export function getInfusionMembers({ members }: ColumnFacts): ReadonlyMap<string, JsonMember> {
  const infusion = members.get('infusion')?.value;
  return infusion?.kind === 'object' ? getMembersByKey(infusion) : new Map();
}

export const isTrueLiteral = (node: JsonNode | undefined): boolean =>
  node?.kind === 'literal' && node.value === true;
