import type { JsonObject } from '../../base/json.ts';
import { datasetCreation, datasetDeletion } from '../model/datasetWrites.ts';
import type { DatasetType } from '../../contract/datamodel.ts';
import type { Operation } from '../model/operation.ts';
import { type Place, operationAt } from './place.ts';

export interface DatasetInput {
  readonly name: string;
  readonly type: DatasetType;
  /** Complete for its connector; absent for the custom type, which has no source (spec, "Dataset"). */
  readonly connection?: JsonObject;
}

export interface DatasetIds {
  readonly datamodelId: string;
  readonly datasetId: string;
}

/** A new dataset without tables. */
export const createDataset = (place: Place, datamodelId: string, input: DatasetInput): Operation =>
  operationAt(place, 'create', input.name, [
    datasetCreation(
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

/** Deletes the dataset with its tables; references to them are left to the caller (spec, rule 4). */
export const deleteDataset = (place: Place, ids: DatasetIds, name: string): Operation =>
  operationAt(place, 'delete', name, [datasetDeletion(ids)]);
