import { getColumnType, getColumnTypeLabel } from '../../contract/terms.ts';
import { type Column, type Table, getColumnName, getTableName } from '../../contract/table.ts';
import type { ResourcesDeps } from './deps.ts';

/** A column that a relation can join. */
export interface JoinableColumn {
  /** The oids of the dataset, the table and the column. */
  readonly dataset: string;
  readonly table: string;
  readonly column: string;
  readonly tableName: string;
  readonly columnName: string;
  /** Table and column, as shown to the user. */
  readonly label: string;
  readonly typeName: string;
  /** The group of its data type; `undefined` if the type is unknown. */
  readonly typeGroup: string | undefined;
}

/** A table with the columns that a relation can join. */
export interface RelationTable {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly JoinableColumn[];
}

/** Loads the tables of a datamodel that have a column that a relation can join. */
export async function loadRelationTables(
  { sessions }: ResourcesDeps,
  connectionId: string,
  datamodelId: string,
): Promise<readonly RelationTable[]> {
  const { catalog } = await sessions.get(connectionId);
  const tables: RelationTable[] = [];
  for (const dataset of await catalog.datasets(datamodelId)) {
    for (const table of await catalog.tables(datamodelId, dataset.oid)) {
      const columns = (table.columns ?? []).flatMap(
        (column) => toJoinableColumn(dataset.oid, table, column) ?? [],
      );
      tables.push({ id: table.oid, name: getTableName(table), columns });
    }
  }
  return tables.filter(({ columns }) => columns.length > 0);
}

function toJoinableColumn(dataset: string, table: Table, column: Column): JoinableColumn | undefined {
  if (!column.oid) {
    return undefined;
  }
  return {
    dataset,
    table: table.oid,
    column: column.oid,
    tableName: getTableName(table),
    columnName: getColumnName(column),
    label: `${getTableName(table)}.${getColumnName(column)}`,
    typeName: getColumnTypeLabel(column.type),
    typeGroup: getColumnType(column.type)?.group,
  };
}
