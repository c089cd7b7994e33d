import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { TreeTarget } from '../../contributions.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';
import type { LoadedDatamodel } from './datamodelLoader.ts';

/** Returns whether two names are the same in SQL, which ignores case (platform-facts.md, 5.5). */
export const isSameName = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a.toLowerCase() === b?.toLowerCase();

/** Finds a table by the name that SQL uses. */
export function findTableResource(
  { datamodel }: LoadedDatamodel,
  name: string,
): Extract<ResourceRef, { kind: 'table' }> | undefined {
  for (const { oid: datasetId, schema } of datamodel.datasets ?? []) {
    const table = schema?.tables?.find((candidate) => isSameName(getTableName(candidate), name));
    if (table !== undefined) {
      return { kind: 'table', datamodelId: datamodel.oid, datasetId, tableId: table.oid };
    }
  }
  return undefined;
}

/** Finds a column by the names that SQL uses; `undefined` if it is not on the server yet. */
export function findColumnResource(
  loadedDatamodel: LoadedDatamodel,
  table: string,
  column: string,
): Extract<ResourceRef, { kind: 'column' }> | undefined {
  const tableResource = findTableResource(loadedDatamodel, table);
  const tables = (loadedDatamodel.datamodel.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  const columns = tables.find(({ oid }) => oid === tableResource?.tableId)?.columns ?? [];
  const columnId = columns.find((candidate) => isSameName(getColumnName(candidate), column))?.oid;
  return tableResource === undefined || !columnId
    ? undefined
    : { ...tableResource, kind: 'column', columnId };
}

/** Creates the target of tree commands for a table or column; `undefined` if it is not on the server yet. */
export function createTreeTarget(
  loadedDatamodel: LoadedDatamodel,
  table: string,
  column?: string,
): TreeTarget | undefined {
  const tableResource = findTableResource(loadedDatamodel, table);
  const resource = column === undefined ? tableResource : findColumnResource(loadedDatamodel, table, column);
  if (tableResource === undefined || resource === undefined) {
    return undefined;
  }
  const datamodel: TreeTarget = {
    resource: { kind: 'datamodel', datamodelId: loadedDatamodel.datamodelId },
    name: loadedDatamodel.datamodel.title,
  };
  const parent: TreeTarget =
    column === undefined ? datamodel : { parent: datamodel, resource: tableResource, name: table };
  return { parent, connectionId: loadedDatamodel.connectionId, resource, name: column ?? table };
}
