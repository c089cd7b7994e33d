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
export const createDatasetCreation = (
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
export const createDatasetUpdate = ({ datamodelId, datasetId }: DatasetIds, body: JsonObject): Write => ({
  endpoint: 'datasets.update',
  params: { datamodelId, datasetId },
  body,
  target: { kind: 'dataset', datamodelId, datasetId },
});

/** Creates the write that deletes a dataset with its tables. */
export const createDatasetDeletion = ({ datamodelId, datasetId }: DatasetIds): Write => ({
  endpoint: 'datasets.delete',
  params: { datamodelId, datasetId },
  target: { kind: 'dataset', datamodelId, datasetId },
});

/** Creates the operation that creates a dataset without tables. */
export const createDataset = (
  location: OperationLocation,
  datamodelId: string,
  input: DatasetInput,
): Operation =>
  createOperation(location, 'create', input.name, [
    createDatasetCreation(
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
 * Creates the operation that deletes a dataset with its tables. The caller handles references to them
 * (rest-api.md, "Datamodel API" 4).
 */
export const deleteDataset = (location: OperationLocation, ids: DatasetIds, name: string): Operation =>
  createOperation(location, 'delete', name, [createDatasetDeletion(ids)]);
