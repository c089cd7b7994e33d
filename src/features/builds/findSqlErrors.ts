import type { NamedDatamodels } from '../../catalog/namedDatamodels.ts';
import { getTableExpressions } from '../../catalog/modelExpressions.ts';
import { getDatasetName } from '../../contract/datamodel.ts';
import type { ResourceTarget } from '../../contributions.ts';
import { diagnose } from '../../sql/diagnostics.ts';

/** The SQL of a custom table or column that has errors. */
export interface FaultySql {
  /** The name of the table, or of the column with its table. */
  readonly label: string;
  readonly target: ResourceTarget;
}

/**
 * Checks the SQL of the custom tables and columns of a datamodel, and returns what has errors. An error need not be the
 * reason why a build has failed.
 * @throws ApiError
 */
export async function findSqlErrors(
  datamodels: Pick<NamedDatamodels, 'get'>,
  { connectionId, datamodelId }: { readonly connectionId: string; readonly datamodelId: string },
): Promise<readonly FaultySql[]> {
  const { datamodel, catalog } = await datamodels.get(datamodelId);
  return (datamodel.datasets ?? []).flatMap((dataset) =>
    (dataset.schema?.tables ?? []).flatMap((table) =>
      getTableExpressions({ datamodelId, datasetId: dataset.oid, tableId: table.oid }, table)
        .filter(({ text, column, table: name }) =>
          diagnose(
            text,
            column === undefined ? { kind: 'table', catalog } : { kind: 'column', table: name, catalog },
          ).some(({ severity }) => severity === 'error'),
        )
        .map(({ resource, column, table: name }): FaultySql => {
          const within = [datamodel.title, getDatasetName(dataset) ?? dataset.oid];
          return column === undefined
            ? { label: name, target: { connectionId, resource, name, within } }
            : {
                label: `${name}.${column}`,
                target: { connectionId, resource, name: column, within: [...within, name] },
              };
        }),
    ),
  );
}
