import type { JsonPath } from '../../base/json.ts';
import type { Catalog } from '../../sql/catalog.ts';
import { type JsonNode, findNodeAtPath, getMembersByKey } from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import type { PathEdit } from '../../json/text/pathEdit.ts';
import { type ColumnFacts, readColumnFacts } from '../lint/columnFacts.ts';
import type { ViewpointProblem } from '../lint/problem.ts';
import { DatamodelLookup } from '../datamodelLookup.ts';
import { filterOperators } from '../vocabulary.ts';
import { createFix, type ViewpointFixContext, getPropertyKey } from './fixContext.ts';
import { getColumnFixes } from './columnFixes.ts';
import type { ViewpointFix } from './viewpointFix.ts';
import { getSchemaFixes } from './schemaFixes.ts';

/**
 * Returns the fixes for a problem, best first; none if only the user can decide. A fix changes no other parts of the
 * text and keeps comments. A fix that may change who sees the viewpoint is never preferred: *Auto Fix…* applies
 * preferred fixes without asking.
 * @param document the document in the state in which it was linted
 */
export const getViewpointFixes = (
  document: JsonDocument,
  problem: ViewpointProblem,
  catalog?: Catalog,
): readonly ViewpointFix[] =>
  createFixes({ document, problem, datamodel: new DatamodelLookup(catalog) }).map((fix) =>
    fix.isPreferred && mayChangeSharing(document, problem, fix) ? { ...fix, isPreferred: false } : fix,
  );

/** The members that determine whether and with whom a viewpoint is shared. */
const sharingMembers = ['visibility', 'enabled'];

/**
 * Returns whether a fix may change a member that determines who sees the viewpoint, or create one. Decided without
 * parsing the fixed text, since editors ask for the fixes of every problem. Trailing commas have no meaning.
 */
function mayChangeSharing(
  { root }: JsonDocument,
  { code, path }: ViewpointProblem,
  { edits }: ViewpointFix,
): boolean {
  if (code === 'syntax') {
    return false;
  }
  if (path.length > 1) {
    return sharingMembers.includes(String(path[0]));
  }
  const members = root?.kind === 'object' ? getMembersByKey(root) : undefined;
  return sharingMembers.some((name) => {
    const member = members?.get(name);
    return edits.some(
      ({ start, end, newText }) =>
        newText.includes(name) || (member !== undefined && start <= member.end && end >= member.start),
    );
  });
}

function createFixes(context: ViewpointFixContext): readonly ViewpointFix[] {
  const { problem } = context;
  switch (problem.code) {
    case 'syntax':
      return problem.reason === 'trailing-comma'
        ? [
            {
              code: 'remove-comma',
              args: [],
              isPreferred: true,
              edits: [{ start: problem.start, end: problem.end, newText: '' }],
            },
          ]
        : [];
    case 'schema':
      return getSchemaFixes(context);
    case 'one-uid':
    case 'one-default-measure':
    case 'one-default-date':
      return createExclusiveFlagFixes(context);
    case 'agg-needs-number':
      return [
        createFix(context, 'use-word', ['count'], [{ op: 'set', path: problem.path, value: 'count' }]),
        createFix(context, 'remove-key', ['agg'], [{ op: 'remove', path: problem.path }]),
      ];
    case 'filter-conflict':
      return createFilterFixes(context);
    case 'deprecated':
      return [
        createFix(
          context,
          'remove-key',
          [getPropertyKey(problem)],
          [{ op: 'remove', path: problem.path }],
          true,
        ),
      ];
    case 'visibility-needs-app':
    case 'visibility-needs-party':
      return [createUnshareFix(context)];
    case 'publication-conflict':
      return [createPublicationFix(context, false), createPublicationFix(context, true)];
    case 'uid-needs-filter':
    case 'default-date-type':
    case 'level-needs-datetime':
    case 'dim-mismatch':
    case 'unknown-table':
    case 'unknown-column': {
      const column = getColumnFacts(context);
      const { code } = problem;
      const columnContext = { ...context, problem: { ...problem, code } };
      return column === undefined ? [] : getColumnFixes(columnContext, column, problem.path.slice(0, 3));
    }
  }
}

/** Creates fixes for a filter with `all` that also selects values: remove `all`, or remove what selects values. */
function createFilterFixes(context: ViewpointFixContext): readonly ViewpointFix[] {
  const { document, problem } = context;
  const filterPath = problem.path.slice(0, -1);
  const filter = findNodeAtPath(document.root, filterPath)?.node;
  const operators =
    filter?.kind === 'object' ? filterOperators.filter((key) => getMembersByKey(filter).has(key)) : [];
  return [
    createFix(context, 'remove-key', ['all'], [{ op: 'remove', path: problem.path }]),
    createFix(
      context,
      'keep-all',
      [],
      operators.map((key) => ({ op: 'remove', path: [...filterPath, key] })),
    ),
  ];
}

function getColumnFacts({ document, problem, datamodel }: ViewpointFixContext): ColumnFacts | undefined {
  // The first three segments are the path of the column: `details`, `columns`, and its index.
  const node = findNodeAtPath(document.root, problem.path.slice(0, 3))?.node;
  return node?.kind === 'object' ? readColumnFacts(node, datamodel) : undefined;
}

/** Creates fixes for a flag that several columns have: remove it from this column, or from all others. */
function createExclusiveFlagFixes(context: ViewpointFixContext): readonly ViewpointFix[] {
  const { document, problem } = context;
  const flag = getPropertyKey(problem);
  const [details = '', columns = '', columnIndex] = problem.path;
  const list = findNodeAtPath(document.root, [details, columns])?.node;
  const items: readonly JsonNode[] = list?.kind === 'array' ? list.items : [];
  const getFlagPath = (index: number): JsonPath => [details, columns, index, 'infusion', flag];
  const otherPaths = items
    .map((_item, index) => getFlagPath(index))
    .filter((path) => path[2] !== columnIndex && isFlagSet(document.root, path));
  return [
    createFix(context, 'remove-flag', [flag], [{ op: 'remove', path: problem.path }], true),
    createFix(
      context,
      'move-flag',
      [flag],
      otherPaths.map((path) => ({ op: 'remove', path })),
    ),
  ];
}

function isFlagSet(root: JsonNode | undefined, path: JsonPath): boolean {
  const node = findNodeAtPath(root, path)?.node;
  return node?.kind === 'literal' && node.value === true;
}

/** Creates a fix that sets both members that state whether a viewpoint is published. */
const createPublicationFix = (context: ViewpointFixContext, isPublished: boolean): ViewpointFix =>
  createFix(
    context,
    isPublished ? 'publish' : 'unpublish',
    [],
    [['enabled'], ['visibility', 'enabled']].map((path) => ({ op: 'set', path, value: isPublished })),
  );

/** Creates a fix that stops sharing: no apps, groups and users are valid (decisions.md, "Stable interfaces"). */
function createUnshareFix(context: ViewpointFixContext): ViewpointFix {
  const visibility = findNodeAtPath(context.document.root, ['visibility'])?.node;
  const lists = visibility?.kind === 'object' ? visibility.members : [];
  const nonEmptyLists = lists.filter(
    ({ key, value }) =>
      ['apps', 'groups', 'users'].includes(key) && value?.kind === 'array' && value.items.length > 0,
  );
  const edits = nonEmptyLists.map(
    ({ key }): PathEdit => ({ op: 'set', path: ['visibility', key], value: [] }),
  );
  return createFix(context, 'not-shared', [], edits);
}
