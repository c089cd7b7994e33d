import type { ResourceTarget } from '../../contributions.ts';
import type { ExplorerNode } from './nodes/node.ts';

/** The resource of a node with what tells it from others of its name; `undefined` for a node without one. */
export function resourceTarget(node: ExplorerNode): ResourceTarget | undefined {
  const { connectionId, resource, name } = node;
  return connectionId === undefined || resource === undefined || name === undefined
    ? undefined
    : { connectionId, resource, name, within: namesAbove(node) };
}

/** The SQL of a custom table or column; `undefined` for a node without one. */
export function expressionTarget(node: ExplorerNode): ResourceTarget | undefined {
  const target = resourceTarget(node);
  if (target?.resource.kind === 'table') {
    return { ...target, resource: { ...target.resource, kind: 'tableExpression' } };
  }
  return target?.resource.kind === 'column'
    ? { ...target, resource: { ...target.resource, kind: 'columnExpression' } }
    : undefined;
}

/** The names of what a resource is in; a group such as Relations is no resource and has none. */
function namesAbove({ parent }: ExplorerNode): readonly string[] {
  if (parent === undefined) {
    return [];
  }
  const above = namesAbove(parent);
  return parent.resource === undefined || parent.name === undefined ? above : [...above, parent.name];
}
