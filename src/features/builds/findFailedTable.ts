import type { Build } from '../../builds/build.ts';
import { getDatasetName } from '../../contract/datamodel.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { ResourceTarget } from '../../contributions.ts';
import { getTableName } from '../../contract/table.ts';

/** The table that made a build fail. */
export interface FailedTable extends ResourceTarget {
  readonly resource: Extract<ResourceRef, { kind: 'table' }>;
}

/** Finds the table that the server reports as failed, by ID or name; `undefined` if there is none. */
export async function findFailedTable(
  build: Build,
  catalog: InstanceCatalog,
): Promise<FailedTable | undefined> {
  const { connectionId, datamodelId, datamodelTitle, failedTable: name } = build;
  if (datamodelId === undefined || name === undefined) {
    return undefined;
  }
  const title = catalog.knownDatamodel(datamodelId)?.title ?? datamodelTitle ?? datamodelId;
  for (const dataset of await catalog.datasets(datamodelId)) {
    const tables = await catalog.tables(datamodelId, dataset.oid);
    const table = tables.find((candidate) =>
      [candidate.oid, candidate.id, getTableName(candidate)].includes(name),
    );
    if (table !== undefined) {
      return {
        connectionId,
        resource: { kind: 'table', datamodelId, datasetId: dataset.oid, tableId: table.oid },
        name: getTableName(table),
        within: [title, getDatasetName(dataset) ?? dataset.oid],
      };
    }
  }
  return undefined;
}
