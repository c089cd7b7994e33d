import type { Build } from '../../builds/build.ts';
import { getDatasetName } from '../../contract/datamodel.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import { type ModelExpression, getTableExpressions } from '../../catalog/modelExpressions.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { ResourceTarget } from '../../contributions.ts';
import { getTableName } from '../../contract/table.ts';
import { findFailedExpression } from '../../sql/embedded/failureRange.ts';

/** The table that made a build fail. */
export interface FailedTable extends ResourceTarget {
  readonly resource: Extract<ResourceRef, { kind: 'table' }>;
  /** The SQL that the failure is about: that of the table, or of one of its columns. */
  readonly expression?: ResourceTarget & { readonly resource: ModelExpression['resource'] };
}

/** Finds the table that the server reports as failed, by ID or name; `undefined` if there is none. */
export async function findFailedTable(
  build: Build,
  catalog: InstanceCatalog,
): Promise<FailedTable | undefined> {
  const { connectionId, datamodelId, datamodelTitle, failedTable } = build;
  if (datamodelId === undefined || failedTable === undefined) {
    return undefined;
  }
  const title = catalog.getKnownDatamodel(datamodelId)?.title ?? datamodelTitle ?? datamodelId;
  for (const dataset of await catalog.datasets(datamodelId)) {
    const tables = await catalog.tables(datamodelId, dataset.oid);
    const table = tables.find((candidate) =>
      [candidate.oid, candidate.id, getTableName(candidate)].includes(failedTable),
    );
    if (table !== undefined) {
      const ids = { datamodelId, datasetId: dataset.oid, tableId: table.oid };
      const name = getTableName(table);
      const within = [title, getDatasetName(dataset) ?? dataset.oid];
      const expressions = getTableExpressions(ids, table).map(({ resource, text, column }) => ({
        target: {
          connectionId,
          resource,
          ...(column === undefined ? { name, within } : { name: column, within: [...within, name] }),
        },
        text,
        isQuery: column === undefined,
      }));
      const expression = findFailedExpression(expressions, build.reason ?? '')?.target;
      return {
        connectionId,
        resource: { kind: 'table', ...ids },
        name,
        within,
        ...(expression === undefined ? {} : { expression }),
      };
    }
  }
  return undefined;
}
