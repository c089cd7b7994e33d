import type { ResourceRef } from '../catalog/resourceRef.ts';
import type { ResourceTarget, TreeTarget } from '../contributions.ts';

/**
 * The resource of a node, with the data that distinguishes it from others of its name; `undefined` for a node without
 * one.
 */
export function toResourceTarget(node: TreeTarget): ResourceTarget | undefined {
  const { connectionId, resource, name } = node;
  return connectionId === undefined || resource === undefined || name === undefined
    ? undefined
    : { connectionId, resource, name, within: getParentNames(node) };
}

/** The SQL of a custom table or column; `undefined` for a node without one. */
export function toExpressionTarget(node: TreeTarget): ResourceTarget | undefined {
  const target = toResourceTarget(node);
  if (target?.resource.kind === 'table') {
    return { ...target, resource: { ...target.resource, kind: 'tableExpression' } };
  }
  return target?.resource.kind === 'column'
    ? { ...target, resource: { ...target.resource, kind: 'columnExpression' } }
    : undefined;
}

/** The names of a resource's ancestors; a group such as Relations is not a resource and has none. */
function getParentNames({ parent }: TreeTarget): readonly string[] {
  if (parent === undefined) {
    return [];
  }
  const above = getParentNames(parent);
  return parent.resource === undefined || parent.name === undefined ? above : [...above, parent.name];
}

/** The nearest resource of that kind, from the node upwards. */
export function findNearest<Kind extends ResourceRef['kind']>(
  node: TreeTarget | undefined,
  kind: Kind,
):
  | (Omit<ResourceTarget, 'resource'> & { readonly resource: Extract<ResourceRef, { kind: Kind }> })
  | undefined {
  if (node === undefined) {
    return undefined;
  }
  const target = toResourceTarget(node);
  return target !== undefined && isOfKind(target, kind) ? target : findNearest(node.parent, kind);
}

const isOfKind = <Kind extends ResourceRef['kind']>(
  target: ResourceTarget,
  kind: Kind,
): target is ResourceTarget & { readonly resource: Extract<ResourceRef, { kind: Kind }> } =>
  target.resource.kind === kind;
