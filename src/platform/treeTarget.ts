import { type ResourceRef, isSameRef } from '../catalog/resourceRef.ts';
import type { ResourceTarget, TreeTarget } from '../contributions.ts';

/**
 * The command target for a node's resource, with the names of its containers; `undefined` for a node without a
 * resource.
 */
export function toResourceTarget(node: TreeTarget): ResourceTarget | undefined {
  const { connectionId, resource, name } = node;
  return connectionId === undefined || resource === undefined || name === undefined
    ? undefined
    : { connectionId, resource, name, within: getParentNames(node) };
}

/** The command target for the SQL of a table or column, which may have none; `undefined` for other nodes. */
export function toExpressionTarget(node: TreeTarget): ResourceTarget | undefined {
  const target = toResourceTarget(node);
  if (target?.resource.kind === 'table') {
    return { ...target, resource: { ...target.resource, kind: 'tableExpression' } };
  }
  return target?.resource.kind === 'column'
    ? { ...target, resource: { ...target.resource, kind: 'columnExpression' } }
    : undefined;
}

/** The names of a node's ancestors; groups such as Relations are not resources and are left out. */
function getParentNames(node: TreeTarget): readonly string[] {
  const container = getContainer(node);
  if (container === undefined) {
    return [];
  }
  const ancestorNames = getParentNames(container);
  return container.resource === undefined || container.name === undefined
    ? ancestorNames
    : [...ancestorNames, container.name];
}

/**
 * Returns the node that contains a node: its parent, or the datamodel of a pinned table. A parent with the same
 * resource counts as the node itself: the child of a pin represents the pinned table again, to hold its children.
 */
function getContainer(node: TreeTarget): TreeTarget | undefined {
  const container = node.datamodelTarget ?? node.parent;
  const isSame =
    container?.resource !== undefined &&
    node.resource !== undefined &&
    isSameRef(container.resource, node.resource);
  return isSame ? getContainer(container) : container;
}

/** The nearest resource of a kind: the node's own, or that of an ancestor. */
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
  return target !== undefined && isOfKind(target, kind) ? target : findNearest(getContainer(node), kind);
}

const isOfKind = <Kind extends ResourceRef['kind']>(
  target: ResourceTarget,
  kind: Kind,
): target is ResourceTarget & { readonly resource: Extract<ResourceRef, { kind: Kind }> } =>
  target.resource.kind === kind;
