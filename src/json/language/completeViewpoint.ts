import { readColumnFacts, type ColumnFacts } from '../../viewpoints/lint/columnFacts.ts';
import { formatDim, isDateType } from '../../viewpoints/model.ts';
import { getColumnType } from '../../contract/terms.ts';
import { type CompletionRequest, createNamedProposals, createWordProposals } from './completionRequest.ts';
import {
  createColumnProposals,
  createDimProposals,
  getFieldText,
  findMatchingColumns,
  type CatalogTableColumn,
  createTableProposals,
  getTypedText,
  formatColumnType,
  createValueProposal,
  getViewpointDatatype,
} from './columnProposals.ts';
import type { Proposal, ProposalList } from './context.ts';
import { type ColumnKind, getFilterForms } from './filterForms.ts';

/** Returns the completions at a location in a viewpoint; `undefined` if there are none. */
export function completeViewpoint(asked: CompletionRequest): ProposalList | undefined {
  const [first, second, third, fourth, ...rest] = asked.place.path;
  if (first === 'visibility') {
    return typeof third === 'number' && fourth === undefined
      ? completeVisibility(asked, String(second))
      : undefined;
  }
  if (first !== 'details') {
    return undefined;
  }
  if (second === 'datasource') {
    return fourth === undefined ? completeDatasource(asked, String(third)) : undefined;
  }
  if (second !== 'columns' || typeof third !== 'number') {
    return undefined;
  }
  if (fourth === undefined) {
    return asked.place.literal === undefined ? completeWholeColumns(asked) : undefined;
  }
  return rest.length === 0 ? completeColumnProperty(asked, String(fourth)) : undefined;
}

function completeVisibility(asked: CompletionRequest, list: string): ProposalList | undefined {
  const { apps, groups, users } = asked.context.seen;
  const all = { apps, groups, users }[list];
  return all === undefined ? undefined : createNamedProposals(asked, all);
}

function completeDatasource(asked: CompletionRequest, key: string): ProposalList | undefined {
  const { datamodels } = asked.context.seen;
  if (key === 'title') {
    return createWordProposals(
      asked,
      datamodels.map(({ title, isLive }) => [title, isLive ? 'live' : 'extract']),
    );
  }
  if (key === 'fullname') {
    const names = datamodels.map(({ title, isLive, server }) =>
      isLive ? `live:${title}` : `${server}/${title}`,
    );
    return createWordProposals(
      asked,
      names.map((name) => [name, '']),
    );
  }
  return undefined;
}

function completeColumnProperty(asked: CompletionRequest, key: string): ProposalList | undefined {
  const { located, place, offset, context } = asked;
  const { model } = context;
  switch (key) {
    case 'table':
      return createTableProposals(place, model);
    case 'column':
      return createColumnProposals(located, place, model, offset, getViewpointDatatype);
    case 'dim':
      return createDimProposals(located, place, model, offset);
    default:
      return completeColumnKeyword(asked, key);
  }
}

/** Completes the properties whose values depend on the datatype of the column, such as `agg` and `filter`. */
function completeColumnKeyword(asked: CompletionRequest, key: string): ProposalList | undefined {
  const { place, context } = asked;
  const [holder] = place.holders;
  if (holder === undefined) {
    return undefined;
  }
  const facts = readColumnFacts(holder, context.model);
  const kind = getColumnKind(facts);
  switch (key) {
    case 'datatype':
      return completeDatatypes(asked, facts);
    case 'level':
      return facts.isDate === false ? undefined : createWordProposals(asked, levels);
    case 'agg':
      return createWordProposals(
        asked,
        kind === 'text' || kind === 'date'
          ? countAggregations
          : [...numericAggregations, ...countAggregations],
      );
    case 'title': {
      const name = getFieldText(holder, 'column') ?? facts.knownColumn?.name;
      return name === undefined ? undefined : createWordProposals(asked, [[name, '']]);
    }
    case 'filter':
      return place.literal === undefined ? completeFilters(asked, kind) : undefined;
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

const countAggregations = [['count', 'how many different values']] as const;
const numericAggregations = [
  ['sum', 'all values together'],
  ['average', 'the mean value'],
] as const;

/** Returns the kind of a column: from the document if specified there, else from the datamodel. */
function getColumnKind({ isDate, members, knownColumn, node }: ColumnFacts): ColumnKind | undefined {
  if (isDate === true) {
    return 'date';
  }
  const datatype = members.has('datatype') ? getFieldText(node, 'datatype') : undefined;
  const written = datatype ?? (knownColumn === undefined ? undefined : getViewpointDatatype(knownColumn));
  if (written === 'text') {
    return 'text';
  }
  return written === 'numeric' || written === 'number' ? 'number' : undefined;
}

/** Proposes the datatype from the datamodel, or all datatypes if it is unknown. */
function completeDatatypes(asked: CompletionRequest, { knownColumn }: ColumnFacts): ProposalList {
  const type = knownColumn === undefined ? undefined : getViewpointDatatype(knownColumn);
  if (type !== undefined) {
    const name = getColumnType(knownColumn?.type)?.name ?? '';
    return createWordProposals(
      asked,
      type === 'numeric'
        ? [
            ['numeric', name],
            ['number', name],
          ]
        : [[type, name]],
    );
  }
  return createWordProposals(asked, [
    ['text', 'texts'],
    ['numeric', 'numbers'],
    ['datetime', 'dates and times'],
    ['number', 'numbers, in the other spelling'],
  ]);
}

const completeFilters = ({ place }: CompletionRequest, kind: ColumnKind | undefined): ProposalList => ({
  items: getFilterForms(kind).map(({ label, detail, body }, rank) => ({
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

/** Proposes whole columns of the datamodel where a viewpoint expects a column. */
function completeWholeColumns({ located, place, offset, context }: CompletionRequest): ProposalList {
  const { columns, isComplete } = findMatchingColumns(
    context.model,
    getTypedText(located, place, offset),
    undefined,
  );
  const comma = /^\s*\{/.test(located.text.slice(place.end, place.end + 2000)) ? ',' : '';
  const items = columns.map((found, rank): Proposal => {
    const name = `${found.table.name}.${found.column.name}`;
    return {
      ...createValueProposal(place, name, { kind: 'snippet', detail: formatColumnType(found.column), rank }),
      filterText: name,
      insertText: `${JSON.stringify(createColumnSnippet(found), undefined, '\t')}${comma}`,
    };
  });
  return { items, isComplete };
}

/** Creates the JSON object for a new column. */
function createColumnSnippet({ table, column }: CatalogTableColumn): object {
  const isDate = isDateType(column.type) === true;
  const datatype = getViewpointDatatype(column);
  return {
    table: table.name,
    column: column.name,
    dim: formatDim(table.name, column.name, isDate),
    ...(datatype === undefined ? {} : { datatype }),
    title: column.name,
    ...(isDate ? { level: 'days' } : {}),
    ...(datatype === 'numeric' ? { agg: 'sum' } : {}),
  };
}
