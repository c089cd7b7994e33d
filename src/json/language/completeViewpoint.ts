import { columnFacts, type ColumnFacts } from '../../viewpoints/lint/columnFacts.ts';
import { dimOf, isDateType } from '../../viewpoints/model.ts';
import { columnType } from '../../contract/terms.ts';
import { type Asked, namedProposals, wordProposals } from './asked.ts';
import {
  columnProposals,
  dimProposals,
  fieldOf,
  matching,
  type ModelColumn,
  tableProposals,
  typedAt,
  typeName,
  valueProposal,
  viewpointDatatype,
} from './columnProposals.ts';
import type { Proposal, Proposals } from './context.ts';
import { type ColumnKind, filterForms } from './filterForms.ts';

/** What can be typed into a viewpoint. */
export function completeViewpoint(asked: Asked): Proposals | undefined {
  const [first, second, third, fourth, ...rest] = asked.place.path;
  if (first === 'visibility') {
    return typeof third === 'number' && fourth === undefined ? visibility(asked, String(second)) : undefined;
  }
  if (first !== 'details') {
    return undefined;
  }
  if (second === 'datasource') {
    return fourth === undefined ? datasource(asked, String(third)) : undefined;
  }
  if (second !== 'columns' || typeof third !== 'number') {
    return undefined;
  }
  if (fourth === undefined) {
    return asked.place.literal === undefined ? wholeColumns(asked) : undefined;
  }
  return rest.length === 0 ? columnPart(asked, String(fourth)) : undefined;
}

function visibility(asked: Asked, list: string): Proposals | undefined {
  const { apps, groups, users } = asked.context.seen;
  const all = { apps, groups, users }[list];
  return all === undefined ? undefined : namedProposals(asked, all);
}

function datasource(asked: Asked, key: string): Proposals | undefined {
  const { datamodels } = asked.context.seen;
  if (key === 'title') {
    return wordProposals(
      asked,
      datamodels.map(({ title, isLive }) => [title, isLive ? 'live' : 'extract']),
    );
  }
  if (key === 'fullname') {
    const names = datamodels.map(({ title, isLive, server }) =>
      isLive ? `live:${title}` : `${server}/${title}`,
    );
    return wordProposals(
      asked,
      names.map((name) => [name, '']),
    );
  }
  return undefined;
}

function columnPart(asked: Asked, key: string): Proposals | undefined {
  const { located, place, offset, context } = asked;
  const { model } = context;
  switch (key) {
    case 'table':
      return tableProposals(place, model);
    case 'column':
      return columnProposals(located, place, model, offset, viewpointDatatype);
    case 'dim':
      return dimProposals(located, place, model, offset);
    default:
      return columnWord(asked, key);
  }
}

/** What depends on the column: its words and the forms of its filter. */
function columnWord(asked: Asked, key: string): Proposals | undefined {
  const { place, context } = asked;
  const [holder] = place.holders;
  if (holder === undefined) {
    return undefined;
  }
  const facts = columnFacts(holder, context.model);
  const kind = kindOf(facts);
  switch (key) {
    case 'datatype':
      return datatypes(asked, facts);
    case 'level':
      return facts.isDate === false ? undefined : wordProposals(asked, levels);
    case 'agg':
      return wordProposals(asked, kind === 'text' || kind === 'date' ? counting : [...summing, ...counting]);
    case 'title': {
      const name = fieldOf(holder, 'column') ?? facts.knownColumn?.name;
      return name === undefined ? undefined : wordProposals(asked, [[name, '']]);
    }
    case 'filter':
      return place.literal === undefined ? filters(asked, kind) : undefined;
    default:
      return undefined;
  }
}

const levels = [
  ['days', 'each day'],
  ['weeks', 'each week'],
  ['months', 'each month'],
  ['quarters', 'each quarter'],
  ['years', 'each year'],
] as const;

const counting = [['count', 'how many different values']] as const;
const summing = [
  ['sum', 'all values together'],
  ['average', 'the mean value'],
] as const;

/** What a column holds, by what it says of itself, else by the datamodel. */
function kindOf({ isDate, members, knownColumn, node }: ColumnFacts): ColumnKind | undefined {
  if (isDate === true) {
    return 'date';
  }
  const datatype = members.has('datatype') ? fieldOf(node, 'datatype') : undefined;
  const written = datatype ?? (knownColumn === undefined ? undefined : viewpointDatatype(knownColumn));
  if (written === 'text') {
    return 'text';
  }
  return written === 'numeric' || written === 'number' ? 'number' : undefined;
}

/** The datatype that the datamodel tells comes first, and is the only one where it tells any. */
function datatypes(asked: Asked, { knownColumn }: ColumnFacts): Proposals {
  const type = knownColumn === undefined ? undefined : viewpointDatatype(knownColumn);
  if (type !== undefined) {
    const name = columnType(knownColumn?.type)?.name ?? '';
    return wordProposals(
      asked,
      type === 'numeric'
        ? [
            ['numeric', name],
            ['number', name],
          ]
        : [[type, name]],
    );
  }
  return wordProposals(asked, [
    ['text', 'texts'],
    ['numeric', 'numbers'],
    ['datetime', 'dates and times'],
    ['number', 'numbers, in the other spelling'],
  ]);
}

const filters = ({ place }: Asked, kind: ColumnKind | undefined): Proposals => ({
  items: filterForms(kind).map(({ label, detail, body }, rank) => ({
    label,
    kind: 'snippet',
    detail,
    filterText: label,
    insertText: body,
    isSnippet: true,
    start: place.start,
    end: place.end,
    rank,
  })),
  isComplete: true,
});

/** Whole columns of the datamodel, where a column of the viewpoint may stand. */
function wholeColumns({ located, place, offset, context }: Asked): Proposals {
  const { columns, isComplete } = matching(context.model, typedAt(located, place, offset), undefined);
  const comma = /^\s*\{/.test(located.text.slice(place.end, place.end + 2000)) ? ',' : '';
  const items = columns.map((found, rank): Proposal => {
    const name = `${found.table.name}.${found.column.name}`;
    return {
      ...valueProposal(place, name, { kind: 'snippet', detail: typeName(found.column), rank }),
      filterText: name,
      insertText: `${JSON.stringify(newColumn(found), undefined, '\t')}${comma}`,
    };
  });
  return { items, isComplete };
}

/** A column as a person would begin it. */
function newColumn({ table, column }: ModelColumn): object {
  const isDate = isDateType(column.type) === true;
  const datatype = viewpointDatatype(column);
  return {
    table: table.name,
    column: column.name,
    dim: dimOf(table.name, column.name, isDate),
    ...(datatype === undefined ? {} : { datatype }),
    title: column.name,
    ...(isDate ? { level: 'days' } : {}),
    ...(datatype === 'numeric' ? { agg: 'sum' } : {}),
  };
}
