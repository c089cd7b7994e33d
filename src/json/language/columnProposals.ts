import { getColumnType, getColumnTypeLabel } from '../../contract/terms.ts';
import type { CatalogColumn, CatalogTable } from '../../sql/catalog.ts';
import { findLineStart } from '../../base/findLineStart.ts';
import { detectEndOfLine } from '../text/layout.ts';
import { type JsonMember, getMembersByKey, type ObjectNode, getLiteralText } from '../text/jsonNode.ts';
import { formatDim, isDateType, type DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import type { Proposal, ProposalList } from './languageContext.ts';
import type { LocatedDocument, JsonLocation } from './jsonLocation.ts';

/** More proposals would be too many to read, and slow to show. */
const maxProposals = 500;

/** A column of the datamodel with its table. */
export interface CatalogTableColumn {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
}

/**
 * Returns the name that a document uses for the datatype of a column. Viewpoints and rules use different names
 * (rest-api.md, "Column metadata" and "Data security rule").
 */
export type ColumnDatatypeProvider = (column: CatalogColumn) => string | undefined;

export const getViewpointDatatype: ColumnDatatypeProvider = ({ type }) => {
  const group = getColumnType(type)?.group;
  if (group === undefined || group === 'other') {
    return undefined;
  }
  return { text: 'text', number: 'numeric', boolean: 'numeric', 'date-time': 'datetime', time: 'datetime' }[
    group
  ];
};

/** Finds columns whose table and column name match the typed text, those of the given table first. */
export function findMatchingColumns(
  model: DatamodelLookup,
  typedText: string,
  table: string | undefined,
): { readonly columns: readonly CatalogTableColumn[]; readonly isComplete: boolean } {
  const typedLetters = toLetters(typedText);
  const namedTable = table === undefined ? undefined : model.findTable(table);
  const tables =
    namedTable === undefined
      ? model.tables
      : [namedTable, ...model.tables.filter((otherTable) => otherTable !== namedTable)];
  const columns: CatalogTableColumn[] = [];
  for (const candidate of tables) {
    const tableLetters = toLetters(candidate.name);
    for (const column of candidate.columns) {
      if (isSubsequence(typedLetters, tableLetters + toLetters(column.name))) {
        if (columns.length === maxProposals) {
          return { columns, isComplete: false };
        }
        columns.push({ table: candidate, column });
      }
    }
  }
  return { columns, isComplete: true };
}

/** Leaves out what the list at a location already contains. */
export function omitListed<Item>(
  items: readonly Item[],
  { otherItems = [] }: JsonLocation,
  getValue: (item: Item) => string,
): readonly Item[] {
  const listed = new Set(otherItems.map(getLiteralText));
  return items.filter((item) => !listed.has(getValue(item)));
}

/**
 * Returns all items if they are few enough to propose, otherwise the first that match the typed text.
 * @param getText returns the text of an item that VS Code matches with the typed text
 */
export function limitProposals<Item>(
  items: readonly Item[],
  typedText: string,
  getText: (item: Item) => string,
): { readonly items: readonly Item[]; readonly isComplete: boolean } {
  if (items.length <= maxProposals) {
    return { items, isComplete: true };
  }
  const typedLetters = toLetters(typedText);
  const matches: Item[] = [];
  for (const item of items) {
    if (isSubsequence(typedLetters, toLetters(getText(item)))) {
      matches.push(item);
    }
    if (matches.length === maxProposals) {
      break;
    }
  }
  return { items: matches, isComplete: false };
}

const toLetters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** True if the typed letters occur in this order, which is how VS Code filters proposals. */
function isSubsequence(typedLetters: string, letters: string): boolean {
  let searchStart = 0;
  for (const letter of typedLetters) {
    searchStart = letters.indexOf(letter, searchStart) + 1;
    if (searchStart === 0) {
      return false;
    }
  }
  return true;
}

/** Returns the part of a value before the caret. */
export function getTypedText({ text }: LocatedDocument, { start }: JsonLocation, offset: number): string {
  return text.slice(start, offset);
}

export const formatColumnType = ({ type, hidden }: CatalogColumn): string =>
  [getColumnTypeLabel(type), hidden === true ? 'hidden' : ''].filter((part) => part !== '').join(', ');

/** Creates a proposal that replaces the value at a location. */
export const createValueProposal = (
  location: JsonLocation,
  value: string,
  options: Omit<Proposal, 'filterText' | 'insertText' | 'start' | 'end' | 'label'> & {
    readonly label?: string;
  },
): Proposal => ({
  label: value,
  filterText: JSON.stringify(value),
  insertText: JSON.stringify(value),
  start: location.start,
  end: location.end,
  ...options,
});

/** Proposes dims. Accepting one also sets the table, the column and the datatype next to it. */
export function createDimProposals(
  locatedDocument: LocatedDocument,
  location: JsonLocation,
  model: DatamodelLookup,
  offset: number,
): ProposalList {
  const [enclosingObject] = location.enclosingObjects;
  const table = enclosingObject === undefined ? undefined : getFieldText(enclosingObject, 'table');
  const { columns, isComplete } = findMatchingColumns(
    model,
    getTypedText(locatedDocument, location, offset),
    table,
  );
  const siblingContext = readSiblingContext(locatedDocument, location);
  const items = columns.map((match, rank): Proposal => {
    const dim = formatDim(match.table.name, match.column.name, isDateType(match.column.type) === true);
    const siblingEdits = createDimSiblingEdits(locatedDocument, location, match, {
      datatype: getViewpointDatatype(match.column),
      ...siblingContext,
    });
    return {
      ...createValueProposal(location, dim, { kind: 'column', detail: formatColumnType(match.column), rank }),
      insertText: JSON.stringify(dim) + siblingEdits.textAfter,
      additionalTextEdits: siblingEdits.additionalTextEdits,
    };
  });
  return { items, isComplete };
}

export const getFieldText = (object: ObjectNode, key: string): string | undefined =>
  getLiteralText(getMembersByKey(object).get(key)?.value);

/**
 * Creates the edits that set the table, column and datatype next to a dim. Existing properties are changed. A missing
 * table or column is added before the dim, a missing datatype after it.
 */
function createDimSiblingEdits(
  locatedDocument: LocatedDocument,
  location: JsonLocation,
  { table, column }: CatalogTableColumn,
  { datatype, separator, fields }: SiblingContext & { readonly datatype: string | undefined },
): {
  readonly textAfter: string;
  readonly additionalTextEdits: NonNullable<Proposal['additionalTextEdits']>;
} {
  const [enclosingObject] = location.enclosingObjects;
  const { member } = location;
  if (enclosingObject === undefined || member === undefined) {
    return { textAfter: '', additionalTextEdits: [] };
  }
  const additionalTextEdits: { start: number; end: number; newText: string }[] = [];
  const names = { table: table.name, column: column.name };
  const missingNames = Object.entries(names).filter(([key]) => !fields.has(key));
  if (missingNames.length > 0) {
    const newText = missingNames
      .map(([key, name]) => `"${key}": ${JSON.stringify(name)},${separator}`)
      .join('');
    additionalTextEdits.push({ start: member.start, end: member.start, newText });
  }
  const fieldValues = { ...names, ...(datatype === undefined ? {} : { datatype }) };
  for (const [key, newValue] of Object.entries(fieldValues)) {
    const value = fields.get(key)?.value;
    if (value !== undefined && getLiteralText(value) !== newValue) {
      const [start, end] = [
        locatedDocument.toDocumentOffset(value.start),
        locatedDocument.toDocumentOffset(value.end),
      ];
      additionalTextEdits.push({ start, end, newText: JSON.stringify(newValue) });
    }
  }
  const isDatatypeMissing = datatype !== undefined && !fields.has('datatype');
  return {
    textAfter: isDatatypeMissing ? `,${separator}"datatype": ${JSON.stringify(datatype)}` : '',
    additionalTextEdits,
  };
}

/** The sibling properties of a location; the same for all proposals. */
interface SiblingContext {
  readonly separator: string;
  readonly fields: ReadonlyMap<string, JsonMember>;
}

function readSiblingContext(
  { text }: LocatedDocument,
  { enclosingObjects: [enclosingObject], member }: JsonLocation,
): SiblingContext {
  const fields =
    enclosingObject === undefined ? new Map<string, JsonMember>() : getMembersByKey(enclosingObject);
  return { separator: getSeparatorBefore(text, member?.start ?? 0), fields };
}

/** Returns the whitespace between two members: a line break with the same indentation, or a space. */
function getSeparatorBefore(text: string, start: number): string {
  const lineStart = findLineStart(text, start);
  const indentation = text.slice(lineStart, start);
  return lineStart > 0 && indentation.trim() === '' ? `${detectEndOfLine(text)}${indentation}` : ' ';
}

/**
 * Proposes the columns of the object's table, or of all tables if the object has no table.
 * @param isAllowed returns whether the document may refer to a column
 */
export function createColumnProposals(
  locatedDocument: LocatedDocument,
  location: JsonLocation,
  model: DatamodelLookup,
  offset: number,
  getDatatype: ColumnDatatypeProvider,
  isAllowed: (column: CatalogColumn) => boolean = () => true,
): ProposalList {
  const [enclosingObject] = location.enclosingObjects;
  const tableName = enclosingObject === undefined ? undefined : getFieldText(enclosingObject, 'table');
  const table = tableName === undefined || tableName === '' ? undefined : model.findTable(tableName);
  if (table === undefined && tableName !== undefined && tableName !== '') {
    return { items: [], isComplete: true };
  }
  const matches =
    table === undefined
      ? findMatchingColumns(model, getTypedText(locatedDocument, location, offset), undefined)
      : { columns: table.columns.map((column) => ({ table, column })), isComplete: true };
  const siblingContext = readSiblingContext(locatedDocument, location);
  const allowedColumns = matches.columns.filter(({ column }) => isAllowed(column));
  const items = allowedColumns.map((match, rank): Proposal => {
    const detail = [table === undefined ? match.table.name : '', formatColumnType(match.column)].filter(
      (part) => part !== '',
    );
    const additionalTextEdits = createColumnSiblingEdits(locatedDocument, location, match, {
      datatype: getDatatype(match.column),
      ...siblingContext,
    });
    return createValueProposal(location, match.column.name, {
      kind: 'column',
      detail: detail.join(' · '),
      rank,
      additionalTextEdits,
    });
  });
  return { items, isComplete: matches.isComplete };
}

/** Creates the edits that update the dim and the datatype next to a column, and set its table. */
function createColumnSiblingEdits(
  locatedDocument: LocatedDocument,
  location: JsonLocation,
  { table, column }: CatalogTableColumn,
  { datatype, separator, fields }: SiblingContext & { readonly datatype: string | undefined },
): NonNullable<Proposal['additionalTextEdits']> {
  const [enclosingObject] = location.enclosingObjects;
  const { member } = location;
  if (enclosingObject === undefined || member === undefined) {
    return [];
  }
  const dim = formatDim(table.name, column.name, isDateType(column.type) === true);
  const fieldValues = { table: table.name, dim, ...(datatype === undefined ? {} : { datatype }) };
  const additionalTextEdits = Object.entries(fieldValues).flatMap(([key, newValue]) => {
    const value = fields.get(key)?.value;
    return value === undefined || getLiteralText(value) === newValue
      ? []
      : [
          {
            start: locatedDocument.toDocumentOffset(value.start),
            end: locatedDocument.toDocumentOffset(value.end),
            newText: JSON.stringify(newValue),
          },
        ];
  });
  if (fields.has('table')) {
    return additionalTextEdits;
  }
  const newText = `"table": ${JSON.stringify(table.name)},${separator}`;
  return [...additionalTextEdits, { start: member.start, end: member.start, newText }];
}

export const createTableProposals = (location: JsonLocation, model: DatamodelLookup): ProposalList => ({
  items: model.tables.map(({ name, columns }, rank) =>
    createValueProposal(location, name, {
      kind: 'table',
      detail:
        columns.length === 0
          ? ''
          : columns
              .map((column) => column.name)
              .slice(0, 5)
              .join(', '),
      rank,
    }),
  ),
  isComplete: true,
});
