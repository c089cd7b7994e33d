import * as vscode from 'vscode';
import { deleteDatamodel } from '../../changes/model/datamodelWrites.ts';
import { deleteDataset } from '../../changes/model/datasetWrites.ts';
import { deleteMatching } from '../../changes/model/customDataWrites.ts';
import { deleteRelation } from '../../changes/model/relationWrites.ts';
import { deleteColumnRules, deleteRule } from '../../changes/operations/ruleActions.ts';
import { deleteColumns, deleteTable } from '../../changes/operations/tableActions.ts';
import { deleteViewpoint } from '../../changes/operations/viewpointActions.ts';
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
  const outermostNodes = nodes.filter((node) => !isDescendant(node.parent, selectedNodes));
  const targets = outermostNodes.flatMap((node) => toResourceTarget(node) ?? []);
  if (targets.length === 0) {
    await showInformation(vscode.l10n.t('Choose in the explorer what to delete.'));
    return;
  }
  await performUntilCanceled(deps.performer, createDeletions(deps, targets));
}

/**
 * Returns functions that create one deletion per resource, and one per table for its columns. A deletion is created
 * only when it is due, from the current state of its table.
 */
const createDeletions = (
  deps: ResourcesDeps,
  targets: readonly ResourceTarget[],
): readonly (() => Operation | Promise<Operation>)[] => [
  ...targets.flatMap((target) => {
    const operation = createDeletion(target);
    return operation === undefined ? [] : [() => operation];
  }),
  ...groupColumnsByTable(targets).map((columns) => async () => {
    const [{ connectionId, tableIds, within }] = columns;
    const document = await fetchTableDocument(deps, connectionId, tableIds);
    const location = { connectionId, within: within.slice(0, -1) };
    return deleteColumns(
      location,
      tableIds,
      document,
      columns.map(({ columnId }) => columnId),
    );
  }),
];

const isDescendant = (node: TreeTarget | undefined, selectedNodes: ReadonlySet<TreeTarget>): boolean =>
  node !== undefined && (selectedNodes.has(node) || isDescendant(node.parent, selectedNodes));

/**
 * Creates the deletion of a resource; `undefined` for columns, and for resources that have no deletion of their own,
 * such as a build.
 */
function createDeletion({ connectionId, within, name, resource }: ResourceTarget): Operation | undefined {
  const location = { connectionId, within };
  switch (resource.kind) {
    case 'datamodel':
      return deleteDatamodel(location, resource.datamodelId, name);
    case 'dataset':
      return deleteDataset(location, resource, name);
    case 'table':
      return deleteTable(location, resource, name);
    case 'relation':
      return deleteRelation(location, resource, name);
    case 'rule':
      return deleteRule(location, resource.subject, resource.ruleId, name);
    case 'columnRules':
      return deleteColumnRules(location, resource.subject, resource.table, resource.column);
    case 'viewpoint':
      return deleteViewpoint(location, resource.viewpointId, name);
    case 'customDataObject':
      return deleteMatching(location, { _id: resource.objectId }, name);
    case 'tableExpression':
    case 'column':
    case 'columnExpression':
    case 'rules':
    case 'customData':
    case 'build':
      return undefined;
  }
}
