import type { JsonObject } from '../../base/json.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Operation, Write } from './operation.ts';
import type { DatasetType } from '../../contract/datamodel.ts';
import { type OperationLocation, createOperation } from './operationLocation.ts';

export type DatasetIds = PathParams<'datasets.update'>;

export interface DatasetInput {
  readonly name: string;
  readonly type: DatasetType;
  /** Complete for its connector; absent for the custom type, which has no source (rest-api.md, "Dataset"). */
  readonly connection?: JsonObject;
}

/** Creates the write that creates a dataset without tables. */
export const createDatasetCreationWrite = (
  { datamodelId }: Pick<DatasetIds, 'datamodelId'>,
  body: JsonObject,
): Write => ({
  endpoint: 'datasets.create',
  params: { datamodelId },
  target: { kind: 'datamodel', datamodelId },
  body,
});

/**
 * Creates the write that changes the connection of a dataset, the only field that its PATCH accepts (rest-api.md,
 * "Datamodel API" rule 3).
 */
export const createDatasetUpdateWrite = (
  { datamodelId, datasetId }: DatasetIds,
  body: JsonObject,
): Write => ({
  endpoint: 'datasets.update',
  params: { datamodelId, datasetId },
  body,
  target: { kind: 'dataset', datamodelId, datasetId },
});

/** Creates the write that deletes a dataset with its tables. */
export const createDatasetDeletionWrite = ({ datamodelId, datasetId }: DatasetIds): Write => ({
  endpoint: 'datasets.delete',
  params: { datamodelId, datasetId },
  target: { kind: 'dataset', datamodelId, datasetId },
});

/** Creates the operation that creates a dataset without tables. */
export const createDatasetCreationOperation = (
  location: OperationLocation,
  datamodelId: string,
  input: DatasetInput,
): Operation =>
  createOperation(location, 'create', input.name, [
    createDatasetCreationWrite(
      { datamodelId },
      {
        name: input.name,
        type: input.type,
        ...(input.type === 'custom' || input.connection === undefined
          ? {}
          : { connection: input.connection }),
      },
    ),
  ]);

/**
 * Creates the operation that replaces the connection of a dataset, which must be complete for its connector
 * (rest-api.md, "Dataset").
 */
export const createConnectionChangeOperation = (
  location: OperationLocation,
  ids: DatasetIds,
  name: string,
  connection: JsonObject,
): Operation =>
  createOperation(location, 'change-connection', name, [
    {
      ...createDatasetUpdateWrite(ids, { connection }),
      ...(typeof connection['parameters'] === 'string' ? { sendEncryptedParameters: true } : {}),
    },
  ]);

/**
 * Creates the operation that deletes a dataset with its tables. The caller handles references to them
 * (rest-api.md, "Datamodel API" 4).
 */
export const createDatasetDeletionOperation = (
  location: OperationLocation,
  ids: DatasetIds,
  name: string,
): Operation => createOperation(location, 'delete', name, [createDatasetDeletionWrite(ids)]);
