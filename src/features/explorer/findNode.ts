import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { getBaseConnectionId } from '../../catalog/tenantConnection.ts';
import type { ResourceTarget } from '../../contributions.ts';
import { DatamodelNode } from './nodes/datamodelNodes.ts';
import { type ExplorerNode, nodeIds } from './nodes/node.ts';
import { ListChunkNode } from './nodes/listNodes.ts';
import { ViewpointGroupNode } from './nodes/viewpointGroupNode.ts';
import { ViewpointsNode } from './nodes/viewpointNodes.ts';

/** The maximum number of pages of viewpoints that are loaded to find one. */
const maxPages = 20;
/** The minimum number of viewpoints that each of these pages adds. */
const minPageSize = 500;

/**
 * Finds the node of a resource, starting at the roots; `undefined` if the tree has none. This creates new nodes; the
 * editor matches them to those in the tree by ID.
 */
export async function findNode(
  roots: readonly ExplorerNode[],
  { connectionId: targetId, resource }: ResourceTarget,
): Promise<ExplorerNode | undefined> {
  const connectionId = getBaseConnectionId(targetId);
  const connection = roots.find(({ id }) => id === connectionId);
  if (connection === undefined) {
    return undefined;
  }
  const path = getPathIds(connectionId, resource);
  if (path !== undefined) {
    return followPath(connection, path.slice(1));
  }
  return 'subject' in resource ? findNodeOfRules(connection, connectionId, resource) : undefined;
}

async function followPath(start: ExplorerNode, ids: readonly string[]): Promise<ExplorerNode | undefined> {
  let node: ExplorerNode | undefined = start;
  for (const id of ids) {
    node = node && (await findChild(node, id));
  }
  return node;
}

async function findChild(node: ExplorerNode, id: string): Promise<ExplorerNode | undefined> {
  const findInLoadedChildren = async (): Promise<ExplorerNode | undefined> =>
    findInChildren(await node.getChildren?.(), id);
  const child = await findInLoadedChildren();
  return child === undefined && node instanceof ViewpointsNode
    ? loadUntilFound(node, findInLoadedChildren)
    : child;
}

/** Finds the node with an ID in a list of nodes and in its collapsed chunks and groups. */
async function findInChildren(
  nodes: readonly ExplorerNode[] | undefined,
  id: string,
): Promise<ExplorerNode | undefined> {
  for (const node of nodes ?? []) {
    if (node.id === id) {
      return node;
    }
    const isChunkOrGroup = node instanceof ListChunkNode || node instanceof ViewpointGroupNode;
    const nestedNode = isChunkOrGroup ? await findInChildren(await node.getChildren(), id) : undefined;
    if (nestedNode !== undefined) {
      return nestedNode;
    }
  }
  return undefined;
}

/** Loads more pages of viewpoints until one contains the node. */
async function loadUntilFound(
  node: ViewpointsNode,
  find: () => Promise<ExplorerNode | undefined>,
): Promise<ExplorerNode | undefined> {
  for (let page = 1; page < maxPages; page += 1) {
    if (!(await node.loadMore(minPageSize))) {
      return undefined;
    }
    const child = await find();
    if (child !== undefined) {
      return child;
    }
  }
  return undefined;
}

/** Finds the node of a resource of rules, below the datamodel or cube set of the rules. */
async function findNodeOfRules(
  connection: ExplorerNode,
  connectionId: string,
  resource: Extract<ResourceRef, { subject: RuleSubject }>,
): Promise<ExplorerNode | undefined> {
  const rules = await findRuleGroupNode(connection, connectionId, resource.subject);
  if (rules === undefined || resource.kind === 'rules') {
    return rules;
  }
  for (const column of (await rules.getChildren?.()) ?? []) {
    for (const node of [column, ...((await column.getChildren?.()) ?? [])]) {
      if (node.resource !== undefined && isSameRef(node.resource, resource)) {
        return node;
      }
    }
  }
  return undefined;
}

async function findRuleGroupNode(
  connection: ExplorerNode,
  connectionId: string,
  subject: RuleSubject,
): Promise<ExplorerNode | undefined> {
  const cubeSetNode = await followPath(connection, [
    nodeIds.cubeSets(connectionId),
    nodeIds.cubeSet(connectionId, subject),
  ]);
  if (cubeSetNode !== undefined) {
    return cubeSetNode;
  }
  const datamodels = await followPath(connection, [nodeIds.datamodels(connectionId)]);
  const datamodel = (await datamodels?.getChildren?.())?.find(
    (node) => node instanceof DatamodelNode && isSameSubject(node.subject, subject),
  );
  return datamodel && followPath(datamodel, [nodeIds.rules(datamodel.id)]);
}

/**
 * Returns the IDs of the nodes on the path from a connection to a resource; `undefined` for rules, which are found by
 * their subject instead.
 */
function getPathIds(connectionId: string, ref: ResourceRef): readonly string[] | undefined {
  switch (ref.kind) {
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'tableExpression':
    case 'column':
    case 'columnExpression':
    case 'relation':
      return [connectionId, nodeIds.datamodels(connectionId), ...getDatamodelPath(connectionId, ref)];
    case 'viewpoint':
      return getChildPath(connectionId, nodeIds.viewpoints(connectionId), ref.viewpointId);
    case 'customData':
      return [connectionId, nodeIds.customData(connectionId)];
    case 'customDataObject':
      return getChildPath(connectionId, nodeIds.customData(connectionId), ref.objectId);
    case 'build':
      return getChildPath(connectionId, nodeIds.builds(connectionId), ref.buildId);
    case 'rules':
    case 'columnRules':
    case 'rule':
      return undefined;
  }
}

const getChildPath = (connectionId: string, groupId: string, id: string): readonly string[] => [
  connectionId,
  groupId,
  nodeIds.child(groupId, id),
];

function getDatamodelPath(
  connectionId: string,
  ref: Extract<ResourceRef, { datamodelId: string }>,
): readonly string[] {
  const datamodelNodeId = nodeIds.datamodel(connectionId, ref.datamodelId);
  if (ref.kind === 'datamodel') {
    return [datamodelNodeId];
  }
  if (ref.kind === 'relation') {
    const relationsNodeId = nodeIds.relations(datamodelNodeId);
    return [datamodelNodeId, relationsNodeId, nodeIds.child(relationsNodeId, ref.relationId)];
  }
  const datasetNodeId = nodeIds.dataset(datamodelNodeId, ref.datasetId);
  if (ref.kind === 'dataset') {
    return [datamodelNodeId, datasetNodeId];
  }
  const tableNodeId = nodeIds.table(datasetNodeId, ref.tableId);
  const ids = [datamodelNodeId, datasetNodeId, tableNodeId];
  return ref.kind === 'table' || ref.kind === 'tableExpression'
    ? ids
    : [...ids, nodeIds.column(tableNodeId, ref.columnId)];
}
