import type { JsonObject } from '../../base/json.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Write } from './operation.ts';

type DatasetIds = PathParams<'datasets.update'>;

/** A dataset without tables. */
export const datasetCreation = (
  { datamodelId }: Pick<DatasetIds, 'datamodelId'>,
  body: JsonObject,
): Write => ({
  endpoint: 'datasets.create',
  params: { datamodelId },
  target: { kind: 'datamodel', datamodelId },
  body,
});

/** Changes the connection of a dataset, which is all that a PATCH of it takes (spec, "Datamodel API" rule 3). */
export const datasetUpdate = ({ datamodelId, datasetId }: DatasetIds, body: JsonObject): Write => ({
  endpoint: 'datasets.update',
  params: { datamodelId, datasetId },
  body,
  target: { kind: 'dataset', datamodelId, datasetId },
});

/** Deletes a dataset with its tables. */
export const datasetDeletion = ({ datamodelId, datasetId }: DatasetIds): Write => ({
  endpoint: 'datasets.delete',
  params: { datamodelId, datasetId },
  target: { kind: 'dataset', datamodelId, datasetId },
});
