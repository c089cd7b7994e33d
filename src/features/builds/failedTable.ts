import type { Build } from '../../builds/build.ts';
import { datasetName } from '../../contract/datamodel.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { ResourceTarget } from '../../contributions.ts';
import { tableName } from '../../contract/table.ts';

/** The table that a build failed at, with what it is in. */
export interface FailedTable extends ResourceTarget {
  readonly resource: Extract<ResourceRef, { kind: 'table' }>;
}

/** The table that a build failed at, as the server names it; `undefined` where there is none of that name. */
export async function failedTable(build: Build, catalog: Catalog): Promise<FailedTable | undefined> {
  const { connectionId, datamodelId, datamodelTitle, failedTable: name } = build;
  if (datamodelId === undefined || name === undefined) {
    return undefined;
  }
  const title = catalog.knownDatamodel(datamodelId)?.title ?? datamodelTitle ?? datamodelId;
  for (const dataset of await catalog.datasets(datamodelId)) {
    const tables = await catalog.tables(datamodelId, dataset.oid);
    const table = tables.find((one) => [one.oid, one.id, tableName(one)].includes(name));
    if (table !== undefined) {
      return {
        connectionId,
        resource: { kind: 'table', datamodelId, datasetId: dataset.oid, tableId: table.oid },
        name: tableName(table),
        within: [title, datasetName(dataset) ?? dataset.oid],
      };
    }
  }
  return undefined;
}
