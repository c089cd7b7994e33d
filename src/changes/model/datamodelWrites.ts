import type { PathParams } from '../../contract/endpoints.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import type { Operation, Write } from './operation.ts';
import { type OperationLocation, createOperation } from './operationLocation.ts';

/** Creates the write that creates a datamodel without datasets. */
export const createDatamodelCreationWrite = (body: {
  readonly title: string;
  readonly type: DatamodelType;
}): Write => ({
  endpoint: 'datamodels.create',
  params: {},
  body,
});

/** Creates the write that deletes a datamodel with all its contents. */
export const createDatamodelDeletionWrite = (ids: PathParams<'datamodels.delete'>): Write => ({
  endpoint: 'datamodels.delete',
  params: ids,
  target: { kind: 'datamodel', ...ids },
});

/**
 * Creates the operation that creates a datamodel without datasets. The platform rejects a title that is in use
 * (platform-facts.md, 2.7).
 */
export const createDatamodelCreationOperation = (
  location: OperationLocation,
  { title, type }: { readonly title: string; readonly type: DatamodelType },
): Operation => createOperation(location, 'create', title, [createDatamodelCreationWrite({ title, type })]);

/**
 * Creates the operation that deletes a datamodel with all its contents; dashboards that use it are kept
 * (rest-api.md, "Datamodel API").
 */
export const createDatamodelDeletionOperation = (
  location: OperationLocation,
  datamodelId: string,
  title: string,
): Operation => createOperation(location, 'delete', title, [createDatamodelDeletionWrite({ datamodelId })]);
