import { getColumnType } from '../../contract/terms.ts';
import type { CatalogColumn, CatalogTable } from '../../sql/catalog.ts';
import { detectEndOfLine, getLineStart } from '../text/layout.ts';
import { type JsonMember, getMembersByKey, type ObjectNode, getLiteralText } from '../text/jsonNode.ts';
import { formatDim, isDateType, type Model } from '../../viewpoints/model.ts';
import type { Proposal, ProposalList } from './context.ts';
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
  model: Model,
  typed: string,
  table: string | undefined,
): { readonly columns: readonly CatalogTableColumn[]; readonly isComplete: boolean } {
  const wanted = toLetters(typed);
  const own = table === undefined ? undefined : model.findTable(table);
  const tables = own === undefined ? model.tables : [own, ...model.tables.filter((other) => other !== own)];
  const columns: CatalogTableColumn[] = [];
  for (const candidate of tables) {
    const tableLetters = toLetters(candidate.name);
    for (const column of candidate.columns) {
      if (isSubsequence(wanted, tableLetters + toLetters(column.name))) {
        if (columns.length === maxProposals) {
          return { columns, isComplete: false };
        }
        columns.push({ table: candidate, column });
      }
    }
  }
  return { columns, isComplete: true };
}

const toLetters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** True if the typed letters occur in this order, which is how VS Code filters proposals. */
function isSubsequence(wanted: string, letters: string): boolean {
  let at = 0;
  for (const letter of wanted) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) {
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
  [getColumnType(type)?.name, hidden === true ? 'hidden' : undefined]
    .filter((part) => part !== undefined)
    .join(', ');

/** Creates a proposal that replaces the value at a location. */
export const createValueProposal = (
  place: JsonLocation,
  value: string,
  more: Omit<Proposal, 'filterText' | 'insertText' | 'start' | 'end' | 'label'> & { readonly label?: string },
): Proposal => ({
  label: value,
  filterText: JSON.stringify(value),
  insertText: JSON.stringify(value),
  start: place.start,
  end: place.end,
  ...more,
});

/** Proposes dims. Accepting one also sets the table, the column and the datatype next to it. */
export function createDimProposals(
  located: LocatedDocument,
  place: JsonLocation,
  model: Model,
  offset: number,
): ProposalList {
  const [holder] = place.holders;
  const table = holder === undefined ? undefined : getFieldText(holder, 'table');
  const { columns, isComplete } = findMatchingColumns(model, getTypedText(located, place, offset), table);
  const beside = readSiblingContext(located, place);
  const items = columns.map((found, rank): Proposal => {
    const dim = formatDim(found.table.name, found.column.name, isDateType(found.column.type) === true);
    const parts = createDimSiblingEdits(located, place, found, {
      datatype: getViewpointDatatype(found.column),
      ...beside,
    });
    return {
      ...createValueProposal(place, dim, { kind: 'column', detail: formatColumnType(found.column), rank }),
      insertText: JSON.stringify(dim) + parts.behind,
      additionalTextEdits: parts.further,
    };
  });
  return { items, isComplete };
}

export const getFieldText = (holder: ObjectNode, key: string): string | undefined =>
  getLiteralText(getMembersByKey(holder).get(key)?.value);

/**
 * Creates the edits that set the table, column and datatype next to a dim. Existing properties are changed. A missing
 * table or column is added before the dim, a missing datatype after it.
 */
function createDimSiblingEdits(
  located: LocatedDocument,
  place: JsonLocation,
  { table, column }: CatalogTableColumn,
  { datatype, gap, fields }: SiblingContext & { readonly datatype: string | undefined },
): { readonly behind: string; readonly further: NonNullable<Proposal['additionalTextEdits']> } {
  const [holder] = place.holders;
  const { member } = place;
  if (holder === undefined || member === undefined) {
    return { behind: '', further: [] };
  }
  const further: { start: number; end: number; newText: string }[] = [];
  const wanted = { table: table.name, column: column.name };
  const added = Object.entries(wanted).filter(([key]) => !fields.has(key));
  if (added.length > 0) {
    const newText = added.map(([key, name]) => `"${key}": ${JSON.stringify(name)},${gap}`).join('');
    further.push({ start: member.start, end: member.start, newText });
  }
  const present = { ...wanted, ...(datatype === undefined ? {} : { datatype }) };
  for (const [key, name] of Object.entries(present)) {
    const value = fields.get(key)?.value;
    if (value !== undefined && getLiteralText(value) !== name) {
      const [start, end] = [located.toDocumentOffset(value.start), located.toDocumentOffset(value.end)];
      further.push({ start, end, newText: JSON.stringify(name) });
    }
  }
  const lacksDatatype = datatype !== undefined && !fields.has('datatype');
  return { behind: lacksDatatype ? `,${gap}"datatype": ${JSON.stringify(datatype)}` : '', further };
}

/** The sibling properties of a location; the same for all proposals. */
interface SiblingContext {
  readonly gap: string;
  readonly fields: ReadonlyMap<string, JsonMember>;
}

function readSiblingContext(
  { text }: LocatedDocument,
  { holders: [holder], member }: JsonLocation,
): SiblingContext {
  const fields = holder === undefined ? new Map<string, JsonMember>() : getMembersByKey(holder);
  return { gap: getSeparatorBefore(text, member?.start ?? 0), fields };
}

/** Returns the whitespace between two members: a line break with the same indentation, or a space. */
function getSeparatorBefore(text: string, start: number): string {
  const from = getLineStart(text, start);
  const blanks = text.slice(from, start);
  return from > 0 && blanks.trim() === '' ? `${detectEndOfLine(text)}${blanks}` : ' ';
}

/** Proposes the columns of the object's table, or of all tables if the object has no table. */
export function createColumnProposals(
  located: LocatedDocument,
  place: JsonLocation,
  model: Model,
  offset: number,
  getDatatype: ColumnDatatypeProvider,
): ProposalList {
  const [holder] = place.holders;
  const tableName = holder === undefined ? undefined : getFieldText(holder, 'table');
  const table = tableName === undefined || tableName === '' ? undefined : model.findTable(tableName);
  if (table === undefined && tableName !== undefined && tableName !== '') {
    return { items: [], isComplete: true };
  }
  const found =
    table === undefined
      ? findMatchingColumns(model, getTypedText(located, place, offset), undefined)
      : { columns: table.columns.map((column) => ({ table, column })), isComplete: true };
  const beside = readSiblingContext(located, place);
  const items = found.columns.map((at, rank): Proposal => {
    const detail = [table === undefined ? at.table.name : '', formatColumnType(at.column)].filter(
      (part) => part !== '',
    );
    const further = createColumnSiblingEdits(located, place, at, {
      datatype: getDatatype(at.column),
      ...beside,
    });
    return createValueProposal(place, at.column.name, {
      kind: 'column',
      detail: detail.join(' · '),
      rank,
      additionalTextEdits: further,
    });
  });
  return { items, isComplete: found.isComplete };
}

/** Creates the edits that update the dim and the datatype next to a column, and set its table. */
function createColumnSiblingEdits(
  located: LocatedDocument,
  place: JsonLocation,
  { table, column }: CatalogTableColumn,
  { datatype, gap, fields }: SiblingContext & { readonly datatype: string | undefined },
): NonNullable<Proposal['additionalTextEdits']> {
  const [holder] = place.holders;
  const { member } = place;
  if (holder === undefined || member === undefined) {
    return [];
  }
  const dim = formatDim(table.name, column.name, isDateType(column.type) === true);
  const changes = { table: table.name, dim, ...(datatype === undefined ? {} : { datatype }) };
  const further = Object.entries(changes).flatMap(([key, name]) => {
    const value = fields.get(key)?.value;
    return value === undefined || getLiteralText(value) === name
      ? []
      : [
          {
            start: located.toDocumentOffset(value.start),
            end: located.toDocumentOffset(value.end),
            newText: JSON.stringify(name),
          },
        ];
  });
  if (fields.has('table')) {
    return further;
  }
  const newText = `"table": ${JSON.stringify(table.name)},${gap}`;
  return [...further, { start: member.start, end: member.start, newText }];
}

export const createTableProposals = (place: JsonLocation, model: Model): ProposalList => ({
  items: model.tables.map(({ name, columns }, rank) =>
    createValueProposal(place, name, {
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
