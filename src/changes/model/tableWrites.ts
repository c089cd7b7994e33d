import type { JsonObject } from '../../base/json.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Write } from './operation.ts';

export type TableIds = PathParams<'tables.update'>;

/** Creates the write that creates a table in a dataset, in the shape that POST expects. */
export const createTableCreationWrite = (
  { datamodelId, datasetId }: Pick<TableIds, 'datamodelId' | 'datasetId'>,
  body: JsonObject,
): Write => ({
  endpoint: 'tables.create',
  params: { datamodelId, datasetId },
  target: { kind: 'dataset', datamodelId, datasetId },
  body,
});

/**
 * Creates the write that changes fields of a table; other fields stay unchanged. `columns` replaces the stored array,
 * so a stored column that is missing from it is deleted (rest-api.md, "Datamodel API" 2).
 */
export const createTableUpdateWrite = (
  { datamodelId, datasetId, tableId }: TableIds,
  body: JsonObject,
): Write => ({
  endpoint: 'tables.update',
  params: { datamodelId, datasetId, tableId },
  body,
  target: { kind: 'table', datamodelId, datasetId, tableId },
});

export const isTableUpdate = ({ endpoint }: Pick<Write, 'endpoint'>): boolean => endpoint === 'tables.update';

/** Creates the write that deletes a table. The caller handles references to it (rest-api.md, "Datamodel API" 4). */
export const createTableDeletionWrite = ({ datamodelId, datasetId, tableId }: TableIds): Write => ({
  endpoint: 'tables.delete',
  params: { datamodelId, datasetId, tableId },
  target: { kind: 'table', datamodelId, datasetId, tableId },
});
