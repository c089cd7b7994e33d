import type { Catalog } from '../../sql/catalog.ts';
import { type JsonNode, type JsonPath, nodeAt } from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { PathEdit } from '../../json/text/pathEdit.ts';
import { type ColumnFacts, columnFacts } from '../lint/columnFacts.ts';
import type { ViewpointProblem } from '../lint/problem.ts';
import { Model } from '../model.ts';
import { fix, type FixContext, keyOf } from './fixContext.ts';
import { columnFixes } from './columnFixes.ts';
import type { Fix } from './fix.ts';
import { schemaFixes } from './schemaFixes.ts';

/**
 * The ways to mend a problem, the best first; none where only a person can know. Each changes no more of the text than
 * it says; comments stay.
 * @param document the text that was linted, as it was then
 */
export function fixesFor(
  document: JsonDocument,
  problem: ViewpointProblem,
  catalog?: Catalog,
): readonly Fix[] {
  const context: FixContext = { document, problem, model: new Model(catalog) };
  switch (problem.code) {
    case 'syntax':
      return problem.reason === 'trailing-comma'
        ? [
            {
              reason: 'remove-comma',
              args: [],
              isPreferred: true,
              edits: [{ start: problem.start, end: problem.end, newText: '' }],
            },
          ]
        : [];
    case 'schema':
      return schemaFixes(context);
    case 'one-uid':
    case 'one-default-measure':
    case 'one-default-date':
      return onceFixes(context);
    case 'deprecated':
      return [fix(context, 'remove-key', [keyOf(problem)], [{ op: 'remove', path: problem.path }], true)];
    case 'visibility-needs-app':
    case 'visibility-needs-party':
      return [notShared(context)];
    case 'uid-needs-filter':
    case 'default-date-type':
    case 'level-needs-datetime':
    case 'dim-mismatch':
    case 'unknown-table':
    case 'unknown-column': {
      const column = columnAt(context);
      const { code } = problem;
      const own = { ...context, problem: { ...problem, code } };
      return column === undefined ? [] : columnFixes(own, column, problem.path.slice(0, 3));
    }
  }
}

function columnAt({ document, problem, model }: FixContext): ColumnFacts | undefined {
  const node = nodeAt(document.root, problem.path.slice(0, 3))?.node;
  return node?.kind === 'object' ? columnFacts(node, model) : undefined;
}

/** Either this column has the flag, or all before it keep it. */
function onceFixes(context: FixContext): readonly Fix[] {
  const { document, problem } = context;
  const flag = keyOf(problem);
  const [details = '', columns = '', at] = problem.path;
  const list = nodeAt(document.root, [details, columns])?.node;
  const items: readonly JsonNode[] = list?.kind === 'array' ? list.items : [];
  const pathAt = (index: number): JsonPath => [details, columns, index, 'infusion', flag];
  const others = items
    .map((_item, index) => pathAt(index))
    .filter((path) => path[2] !== at && isSet(document.root, path));
  return [
    fix(context, 'remove-flag', [flag], [{ op: 'remove', path: problem.path }], true),
    fix(
      context,
      'move-flag',
      [flag],
      others.map((path) => ({ op: 'remove', path })),
    ),
  ];
}

function isSet(root: JsonNode | undefined, path: JsonPath): boolean {
  const node = nodeAt(root, path)?.node;
  return node?.kind === 'literal' && node.value === true;
}

/** With apps, groups and users all empty a viewpoint is not shared, and clean (design.md, section 13). */
function notShared(context: FixContext): Fix {
  const visibility = nodeAt(context.document.root, ['visibility'])?.node;
  const lists = visibility?.kind === 'object' ? visibility.members : [];
  const filled = lists.filter(
    ({ key, value }) =>
      ['apps', 'groups', 'users'].includes(key) && value?.kind === 'array' && value.items.length > 0,
  );
  const edits = filled.map(({ key }): PathEdit => ({ op: 'set', path: ['visibility', key], value: [] }));
  return fix(context, 'not-shared', [], edits);
}
