import type { Localize } from '../../base/localize.ts';
import { readColumnFacts, type ColumnFacts } from '../../viewpoints/lint/columnFacts.ts';
import { formatDim, isDateType } from '../../viewpoints/datamodelLookup.ts';
import { getColumnTypeLabel } from '../../contract/terms.ts';
import { type CompletionRequest, createNamedProposals, createValueProposals } from './completionRequest.ts';
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
import type { Proposal, ProposalList } from './languageContext.ts';
import { type ColumnKind, getFilterSnippets } from './filterSnippets.ts';

/** Returns the completions at a location in a viewpoint; `undefined` if there are none. */
export function completeViewpoint(request: CompletionRequest): ProposalList | undefined {
  const [section, second, third, fourth, ...deeperSteps] = request.location.path;
  if (section === 'visibility') {
    return typeof third === 'number' && fourth === undefined
      ? completeVisibility(request, String(second))
      : undefined;
  }
  if (section !== 'details') {
    return undefined;
  }
  if (second === 'datasource') {
    return fourth === undefined ? completeDatasource(request, String(third)) : undefined;
  }
  if (second !== 'columns' || typeof third !== 'number') {
    return undefined;
  }
  if (fourth === undefined) {
    return request.location.literal === undefined ? completeWholeColumns(request) : undefined;
  }
  return deeperSteps.length === 0 ? completeColumnProperty(request, String(fourth)) : undefined;
}

function completeVisibility(request: CompletionRequest, listName: string): ProposalList | undefined {
  const { apps, groups, users } = request.context.instanceNames;
  const entities = { apps, groups, users }[listName];
  return entities === undefined ? undefined : createNamedProposals(request, entities);
}

function completeDatasource(request: CompletionRequest, key: string): ProposalList | undefined {
  const { datamodels } = request.context.instanceNames;
  if (key === 'title') {
    return createValueProposals(
      request,
      datamodels.map(({ title, isLive }) => [title, isLive ? request.t('live') : request.t('extract')]),
    );
  }
  if (key === 'fullname') {
    const names = datamodels.map(({ title, isLive, server }) =>
      isLive ? `live:${title}` : `${server}/${title}`,
    );
    return createValueProposals(
      request,
      names.map((name) => [name, '']),
    );
  }
  return undefined;
}

function completeColumnProperty(request: CompletionRequest, key: string): ProposalList | undefined {
  const { locatedDocument, location, offset, context } = request;
  const { model } = context;
  switch (key) {
    case 'table':
      return createTableProposals(location, model);
    case 'column':
      return createColumnProposals(locatedDocument, location, model, offset, getViewpointDatatype);
    case 'dim':
      return createDimProposals(locatedDocument, location, model, offset);
    default:
      return completeColumnKeyword(request, key);
  }
}

/** Completes the properties whose values depend on the datatype of the column, such as `agg` and `filter`. */
function completeColumnKeyword(request: CompletionRequest, key: string): ProposalList | undefined {
  const { location, context } = request;
  const [enclosingObject] = location.enclosingObjects;
  if (enclosingObject === undefined) {
    return undefined;
  }
  const facts = readColumnFacts(enclosingObject, context.model);
  const kind = getColumnKind(facts);
  switch (key) {
    case 'datatype':
      return completeDatatypes(request, facts);
    case 'level':
      return facts.isDate === false ? undefined : createValueProposals(request, createDateLevels(request.t));
    case 'agg':
      return createValueProposals(
        request,
        kind === 'text' || kind === 'date'
          ? createCountAggregations(request.t)
          : [...createNumericAggregations(request.t), ...createCountAggregations(request.t)],
      );
    case 'title': {
      const name = getFieldText(enclosingObject, 'column') ?? facts.knownColumn?.name;
      return name === undefined ? undefined : createValueProposals(request, [[name, '']]);
    }
    case 'filter':
      return location.literal === undefined ? completeFilters(request, kind) : undefined;
    default:
      return undefined;
  }
}

const createDateLevels = (t: Localize) =>
  [
    ['days', t('each day')],
    ['weeks', t('each week')],
    ['months', t('each month')],
    ['quarters', t('each quarter')],
    ['years', t('each year')],
  ] as const;

const createCountAggregations = (t: Localize) => [['count', t('number of distinct values')]] as const;
const createNumericAggregations = (t: Localize) =>
  [
    ['sum', t('sum of all values')],
    ['average', t('average value')],
  ] as const;

/** Returns the kind of a column: from the document if specified there, else from the datamodel. */
function getColumnKind({ isDate, members, knownColumn, node }: ColumnFacts): ColumnKind | undefined {
  if (isDate === true) {
    return 'date';
  }
  const datatype = members.has('datatype') ? getFieldText(node, 'datatype') : undefined;
  const effectiveDatatype =
    datatype ?? (knownColumn === undefined ? undefined : getViewpointDatatype(knownColumn));
  if (effectiveDatatype === 'text') {
    return 'text';
  }
  return effectiveDatatype === 'numeric' || effectiveDatatype === 'number' ? 'number' : undefined;
}

/** Proposes the datatype from the datamodel, or all datatypes if it is unknown. */
function completeDatatypes(request: CompletionRequest, { knownColumn }: ColumnFacts): ProposalList {
  const type = knownColumn === undefined ? undefined : getViewpointDatatype(knownColumn);
  if (type !== undefined) {
    const name = getColumnTypeLabel(knownColumn?.type);
    return createValueProposals(
      request,
      type === 'numeric'
        ? [
            ['numeric', name],
            ['number', name],
          ]
        : [[type, name]],
    );
  }
  const { t } = request;
  return createValueProposals(request, [
    ['text', t('text')],
    ['numeric', t('numbers')],
    ['datetime', t('dates and times')],
    ['number', t('numbers (alternative spelling)')],
  ]);
}

const completeFilters = ({ location, t }: CompletionRequest, kind: ColumnKind | undefined): ProposalList => ({
  items: getFilterSnippets(kind, t).map(({ label, detail, body }, rank) => ({
    label,
    kind: 'snippet',
    detail,
    filterText: label,
    insertText: body,
    isSnippet: true,
    start: location.start,
    end: location.end,
    rank,
  })),
  isComplete: true,
});

/** Proposes whole columns of the datamodel where a viewpoint expects a column. */
function completeWholeColumns({
  locatedDocument,
  location,
  offset,
  context,
}: CompletionRequest): ProposalList {
  const { columns, isComplete } = findMatchingColumns(
    context.model,
    getTypedText(locatedDocument, location, offset),
    undefined,
  );
  const comma = /^\s*\{/.test(locatedDocument.text.slice(location.end, location.end + 2000)) ? ',' : '';
  const items = columns.map((match, rank): Proposal => {
    const name = `${match.table.name}.${match.column.name}`;
    return {
      ...createValueProposal(location, name, {
        kind: 'snippet',
        detail: formatColumnType(match.column),
        rank,
      }),
      filterText: name,
      insertText: `${JSON.stringify(createColumnSnippet(match), undefined, '\t')}${comma}`,
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
