import type { ResourceRef } from '../../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../../catalog/ruleSubject.ts';

/** The ids of nodes, for whoever knows what a node stands for but not the node. */
export const nodeIds = {
  pins: 'pins',
  datamodels: (connection: string) => `${connection}/datamodels`,
  datamodel: (connection: string, datamodel: string) => `${connection}/datamodel/${datamodel}`,
  dataset: (datamodelNode: string, dataset: string) => `${datamodelNode}/dataset/${dataset}`,
  table: (datasetNode: string, table: string) => `${datasetNode}/table/${table}`,
  column: (tableNode: string, column: string | number) => `${tableNode}/column/${column}`,
  relations: (datamodelNode: string) => `${datamodelNode}/relations`,
  rules: (parent: string) => `${parent}/rules`,
  child: (parent: string, id: string | number) => `${parent}/${id}`,
  cubeSets: (connection: string) => `${connection}/cubeSets`,
  cubeSet: (connection: string, subject: RuleSubject) => `${connection}/cubeSet/${JSON.stringify(subject)}`,
  viewpoints: (connection: string) => `${connection}/viewpoints`,
  piece: (listNode: string, start: number) => `${listNode}/from/${start}`,
  customData: (connection: string) => `${connection}/customData`,
  builds: (connection: string) => `${connection}/builds`,
} as const;

/**
 * The ids of the nodes from a connection down to a resource. Rules are not among them: the node that their subject
 * is shown under is told by its `loads`.
 */
export function pathOf(connection: string, ref: ResourceRef): readonly string[] | undefined {
  switch (ref.kind) {
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'tableExpression':
    case 'column':
    case 'columnExpression':
    case 'relation':
      return [connection, nodeIds.datamodels(connection), ...belowDatamodels(connection, ref)];
    case 'viewpoint':
      return below(connection, nodeIds.viewpoints(connection), ref.viewpointId);
    case 'customData':
      return [connection, nodeIds.customData(connection)];
    case 'customDataObject':
      return below(connection, nodeIds.customData(connection), ref.objectId);
    case 'build':
      return below(connection, nodeIds.builds(connection), ref.buildId);
    case 'rules':
    case 'columnRules':
    case 'rule':
      return undefined;
  }
}

const below = (connection: string, group: string, id: string): readonly string[] => [
  connection,
  group,
  nodeIds.child(group, id),
];

function belowDatamodels(
  connection: string,
  ref: Extract<ResourceRef, { datamodelId: string }>,
): readonly string[] {
  const datamodel = nodeIds.datamodel(connection, ref.datamodelId);
  if (ref.kind === 'datamodel') {
    return [datamodel];
  }
  if (ref.kind === 'relation') {
    const relations = nodeIds.relations(datamodel);
    return [datamodel, relations, nodeIds.child(relations, ref.relationId)];
  }
  const dataset = nodeIds.dataset(datamodel, ref.datasetId);
  if (ref.kind === 'dataset') {
    return [datamodel, dataset];
  }
  const table = nodeIds.table(dataset, ref.tableId);
  const path = [datamodel, dataset, table];
  return ref.kind === 'table' || ref.kind === 'tableExpression'
    ? path
    : [...path, nodeIds.column(table, ref.columnId)];
}
