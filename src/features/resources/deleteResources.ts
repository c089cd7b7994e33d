import * as vscode from 'vscode';
import { createDatamodelDeletionOperation } from '../../changes/model/datamodelWrites.ts';
import { createDatasetDeletionOperation } from '../../changes/model/datasetWrites.ts';
import { createCustomDataDeletionOperation } from '../../changes/model/customDataWrites.ts';
import { createRelationDeletionOperation } from '../../changes/model/relationWrites.ts';
import {
  createColumnRulesDeletionOperation,
  createRuleDeletionOperation,
} from '../../changes/operations/ruleActions.ts';
import {
  createColumnDeletionOperation,
  createTableDeletionOperation,
} from '../../changes/operations/tableActions.ts';
import { createViewpointDeletionOperation } from '../../changes/operations/viewpointActions.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import { showInformation } from '../../platform/messages.ts';
import type { ResourceTarget, TreeTarget } from '../../contributions.ts';
import { toResourceTarget } from '../../platform/treeTarget.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { ResourcesDeps } from './deps.ts';
import { groupColumnsByTable } from './groupColumnsByTable.ts';
import { fetchTableDocument } from './fetchTableDocument.ts';
import { performUntilCanceled } from './performUntilCanceled.ts';

/**
 * Deletes the resources of the selected nodes one by one, each after Review Changes if required. Descendants of a
 * selected node are deleted with it. Stops when the user cancels.
 */
export async function deleteResources(deps: ResourcesDeps, nodes: readonly TreeTarget[]): Promise<void> {
  const selectedNodes = new Set(nodes);
  const outermostNodes = nodes.filter((node) => !hasSelectedAncestor(node, selectedNodes));
  const targets = removeDuplicates(outermostNodes.flatMap((node) => toResourceTarget(node) ?? []));
  if (targets.length === 0) {
    await showInformation(vscode.l10n.t('In the Connections view, select the items to delete.'));
    return;
  }
  await performUntilCanceled(deps.changeReview, createDeletionFactories(deps, targets));
}

/** Returns each resource once: a pinned one has two nodes. */
const removeDuplicates = (targets: readonly ResourceTarget[]): readonly ResourceTarget[] =>
  targets.filter(
    ({ connectionId, resource }, index) =>
      targets.findIndex(
        (other) => other.connectionId === connectionId && isSameRef(other.resource, resource),
      ) === index,
  );

/**
 * Returns functions that create one deletion per resource, and one per table for its columns. The deletion of columns
 * is created right before it is performed, from the current document of their table.
 */
const createDeletionFactories = (
  deps: ResourcesDeps,
  targets: readonly ResourceTarget[],
): readonly (() => Operation | Promise<Operation>)[] => [
  ...targets.flatMap((target) => {
    const operation = createDeletionOperation(target);
    return operation === undefined ? [] : [() => operation];
  }),
  ...groupColumnsByTable(targets).map((columns) => async () => {
    const [{ connectionId, tableIds, within }] = columns;
    const document = await fetchTableDocument(deps, connectionId, tableIds);
    const location = { connectionId, within: within.slice(0, -1) };
    return createColumnDeletionOperation(
      location,
      tableIds,
      document,
      columns.map(({ columnId }) => columnId),
    );
  }),
];

const hasSelectedAncestor = ({ parent }: TreeTarget, selectedNodes: ReadonlySet<TreeTarget>): boolean =>
  parent !== undefined && (selectedNodes.has(parent) || hasSelectedAncestor(parent, selectedNodes));

/**
 * Creates the deletion of a resource; `undefined` for columns, and for resources that have no deletion of their own,
 * such as a build.
 */
function createDeletionOperation({
  connectionId,
  within,
  name,
  resource,
}: ResourceTarget): Operation | undefined {
  const location = { connectionId, within };
  switch (resource.kind) {
    case 'datamodel':
      return createDatamodelDeletionOperation(location, resource.datamodelId, name);
    case 'dataset':
      return createDatasetDeletionOperation(location, resource, name);
    case 'table':
      return createTableDeletionOperation(location, resource, name);
    case 'relation':
      return createRelationDeletionOperation(location, resource, name);
    case 'rule':
      return createRuleDeletionOperation(location, resource.subject, resource.ruleId, name);
    case 'columnRules':
      return createColumnRulesDeletionOperation(location, resource.subject, resource.table, resource.column);
    case 'viewpoint':
      return createViewpointDeletionOperation(location, resource.viewpointId, name);
    case 'customDataObject':
      return createCustomDataDeletionOperation(location, { _id: resource.objectId }, name);
    case 'tableExpression':
    case 'column':
    case 'columnExpression':
    case 'rules':
    case 'customData':
    case 'build':
      return undefined;
  }
}
