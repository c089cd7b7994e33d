import type { JsonObject } from '../../base/json.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { RelationColumn } from '../../contract/datamodel.ts';
import type { Operation, Write } from './operation.ts';
import { type OperationLocation, createOperation } from './operationLocation.ts';

type RelationIds = PathParams<'relations.update'>;
type JoinedColumns = readonly Pick<RelationColumn, 'dataset' | 'table' | 'column'>[];

/** Creates the write that creates a relation of two or more columns (rest-api.md, "Relation" and "Limits"). */
export const createRelationCreationWrite = (datamodelId: string, columns: JoinedColumns): Write => ({
  endpoint: 'relations.create',
  params: { datamodelId },
  target: { kind: 'datamodel', datamodelId },
  body: { columns: columns.map(({ dataset, table, column }) => ({ dataset, table, column })) },
});

/** Creates the write that changes the columns that a relation joins. */
export const createRelationUpdateWrite = (
  { datamodelId, relationId }: RelationIds,
  body: JsonObject,
): Write => ({
  endpoint: 'relations.update',
  params: { datamodelId, relationId },
  body,
  target: { kind: 'relation', datamodelId, relationId },
});

/** Creates the write that deletes a relation and unlinks its tables (rest-api.md, "Datamodel API"). */
export const createRelationDeletionWrite = ({ datamodelId, relationId }: RelationIds): Write => ({
  endpoint: 'relations.delete',
  params: { datamodelId, relationId },
  target: { kind: 'relation', datamodelId, relationId },
});

/** Creates the operation that creates a relation of two or more columns (rest-api.md, "Relation" and "Limits"). */
export const createRelationCreationOperation = (
  location: OperationLocation,
  datamodelId: string,
  columns: JoinedColumns,
  name: string,
): Operation =>
  createOperation(location, 'create', name, [createRelationCreationWrite(datamodelId, columns)]);

/**
 * Creates the operation that adds a column to a relation. Sends all columns, since those that are not sent are removed
 * (rest-api.md, "Datamodel API" 3).
 * @param columns the stored columns of the relation
 */
export const createRelationExtensionOperation = (
  location: OperationLocation,
  ids: RelationIds,
  { name, columns }: { readonly name: string; readonly columns: JoinedColumns },
  { dataset, table, column }: JoinedColumns[number],
): Operation =>
  createOperation(location, 'extend-relation', name, [
    createRelationUpdateWrite(ids, {
      columns: [...columns.map((stored) => ({ ...stored })), { dataset, table, column }],
    }),
  ]);

/** Creates the operation that deletes a relation and unlinks its tables (rest-api.md, "Datamodel API"). */
export const createRelationDeletionOperation = (
  location: OperationLocation,
  ids: RelationIds,
  name: string,
): Operation => createOperation(location, 'delete', name, [createRelationDeletionWrite(ids)]);
