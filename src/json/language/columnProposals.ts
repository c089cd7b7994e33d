import { columnType } from '../../contract/terms.ts';
import type { CatalogColumn, CatalogTable } from '../../sql/catalog.ts';
import { endOfLineOf, lineStart } from '../text/layout.ts';
import { type JsonMember, lastMembers, type ObjectNode, textOf } from '../text/jsonNode.ts';
import { dimOf, isDateType, type Model } from '../../viewpoints/model.ts';
import type { Proposal, Proposals } from './context.ts';
import type { Located, Place } from './place.ts';

/** More than this at once nobody reads, and the editor takes long to show. */
const most = 500;

/** A column of the datamodel with its table. */
export interface ModelColumn {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
}

/** How a document says what a column holds: in viewpoints and in rules (spec). */
export type DatatypeOf = (column: CatalogColumn) => string | undefined;

export const viewpointDatatype: DatatypeOf = ({ type }) => {
  const group = columnType(type)?.group;
  if (group === undefined || group === 'other') {
    return undefined;
  }
  return { text: 'text', number: 'numeric', boolean: 'numeric', 'date-time': 'datetime', time: 'datetime' }[
    group
  ];
};

/** All columns whose name has what was typed, those of the named table first. */
export function matching(
  model: Model,
  typed: string,
  table: string | undefined,
): { readonly columns: readonly ModelColumn[]; readonly isComplete: boolean } {
  const wanted = lettersOf(typed);
  const own = table === undefined ? undefined : model.table(table);
  const tables = own === undefined ? model.tables : [own, ...model.tables.filter((other) => other !== own)];
  const columns: ModelColumn[] = [];
  for (const candidate of tables) {
    const tableLetters = lettersOf(candidate.name);
    for (const column of candidate.columns) {
      if (isWithin(wanted, tableLetters + lettersOf(column.name))) {
        if (columns.length === most) {
          return { columns, isComplete: false };
        }
        columns.push({ table: candidate, column });
      }
    }
  }
  return { columns, isComplete: true };
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether the letters appear in that order, as the editor itself matches. */
function isWithin(wanted: string, letters: string): boolean {
  let at = 0;
  for (const letter of wanted) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) {
      return false;
    }
  }
  return true;
}

/** What was typed of a value so far. */
export function typedAt({ text }: Located, { start }: Place, offset: number): string {
  return text.slice(start, offset);
}

export const typeName = ({ type, hidden }: CatalogColumn): string =>
  [columnType(type)?.name, hidden === true ? 'hidden' : undefined]
    .filter((part) => part !== undefined)
    .join(', ');

/** A value as JSON text, at a place. */
export const valueProposal = (
  place: Place,
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

/** Dims: accepting one writes the table, the column and the datatype too. */
export function dimProposals(located: Located, place: Place, model: Model, offset: number): Proposals {
  const [holder] = place.holders;
  const table = holder === undefined ? undefined : fieldOf(holder, 'table');
  const { columns, isComplete } = matching(model, typedAt(located, place, offset), table);
  const beside = writtenBeside(located, place);
  const items = columns.map((found, rank): Proposal => {
    const dim = dimOf(found.table.name, found.column.name, isDateType(found.column.type) === true);
    const parts = partsBeside(located, place, found, {
      datatype: viewpointDatatype(found.column),
      ...beside,
    });
    return {
      ...valueProposal(place, dim, { kind: 'column', detail: typeName(found.column), rank }),
      insertText: JSON.stringify(dim) + parts.behind,
      further: parts.further,
    };
  });
  return { items, isComplete };
}

export const fieldOf = (holder: ObjectNode, key: string): string | undefined =>
  textOf(lastMembers(holder).get(key)?.value);

/**
 * The other parts of a column: those that are written are changed, those that are missing are added, table and column
 * before the dim and the datatype behind it.
 */
function partsBeside(
  located: Located,
  place: Place,
  { table, column }: ModelColumn,
  { datatype, gap, fields }: Beside & { readonly datatype: string | undefined },
): { readonly behind: string; readonly further: NonNullable<Proposal['further']> } {
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
    if (value !== undefined && textOf(value) !== name) {
      const [start, end] = [located.toText(value.start), located.toText(value.end)];
      further.push({ start, end, newText: JSON.stringify(name) });
    }
  }
  const lacksDatatype = datatype !== undefined && !fields.has('datatype');
  return { behind: lacksDatatype ? `,${gap}"datatype": ${JSON.stringify(datatype)}` : '', further };
}

/** What is written beside a place: the same for all proposals. */
interface Beside {
  readonly gap: string;
  readonly fields: ReadonlyMap<string, JsonMember>;
}

function writtenBeside({ text }: Located, { holders: [holder], member }: Place): Beside {
  const fields = holder === undefined ? new Map<string, JsonMember>() : lastMembers(holder);
  return { gap: gapBefore(text, member?.start ?? 0), fields };
}

/** What stands between two members: a new line as far in as this one, or a blank. */
function gapBefore(text: string, start: number): string {
  const from = lineStart(text, start);
  const blanks = text.slice(from, start);
  return from > 0 && blanks.trim() === '' ? `${endOfLineOf(text)}${blanks}` : ' ';
}

/** The columns of the table of an object, or of all tables where it names none. */
export function columnProposals(
  located: Located,
  place: Place,
  model: Model,
  offset: number,
  datatypeOf: DatatypeOf,
): Proposals {
  const [holder] = place.holders;
  const tableName = holder === undefined ? undefined : fieldOf(holder, 'table');
  const table = tableName === undefined || tableName === '' ? undefined : model.table(tableName);
  if (table === undefined && tableName !== undefined && tableName !== '') {
    return { items: [], isComplete: true };
  }
  const found =
    table === undefined
      ? matching(model, typedAt(located, place, offset), undefined)
      : { columns: table.columns.map((column) => ({ table, column })), isComplete: true };
  const beside = writtenBeside(located, place);
  const items = found.columns.map((at, rank): Proposal => {
    const detail = [table === undefined ? at.table.name : '', typeName(at.column)].filter(
      (part) => part !== '',
    );
    const further = columnParts(located, place, at, { datatype: datatypeOf(at.column), ...beside });
    return valueProposal(place, at.column.name, {
      kind: 'column',
      detail: detail.join(' · '),
      rank,
      further,
    });
  });
  return { items, isComplete: found.isComplete };
}

/** A chosen column changes the dim and the datatype that are written beside it, and names its table. */
function columnParts(
  located: Located,
  place: Place,
  { table, column }: ModelColumn,
  { datatype, gap, fields }: Beside & { readonly datatype: string | undefined },
): NonNullable<Proposal['further']> {
  const [holder] = place.holders;
  const { member } = place;
  if (holder === undefined || member === undefined) {
    return [];
  }
  const dim = dimOf(table.name, column.name, isDateType(column.type) === true);
  const changes = { table: table.name, dim, ...(datatype === undefined ? {} : { datatype }) };
  const further = Object.entries(changes).flatMap(([key, name]) => {
    const value = fields.get(key)?.value;
    return value === undefined || textOf(value) === name
      ? []
      : [
          {
            start: located.toText(value.start),
            end: located.toText(value.end),
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

export const tableProposals = (place: Place, model: Model): Proposals => ({
  items: model.tables.map(({ name, columns }, rank) =>
    valueProposal(place, name, {
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
