import type { RelationColumn } from '../contract/relation.ts';
import type { Operation } from '../writes/operation.ts';
import { type Place, operationAt } from './place.ts';

/** A join path over two columns or more (spec, "Relation"; at least two: "Limits"). */
export const createRelation = (
  place: Place,
  datamodelId: string,
  columns: readonly Pick<RelationColumn, 'dataset' | 'table' | 'column'>[],
  name: string,
): Operation =>
  operationAt(place, 'create', name, [
    {
      endpoint: 'relations.create',
      params: { datamodelId },
      target: { kind: 'datamodel', datamodelId },
      body: { columns: columns.map(({ dataset, table, column }) => ({ dataset, table, column })) },
    },
  ]);

/** Deletes the relation and unlinks its tables (spec, "Datamodel API"). */
export const deleteRelation = (
  place: Place,
  { datamodelId, relationId }: { readonly datamodelId: string; readonly relationId: string },
  name: string,
): Operation =>
  operationAt(place, 'delete', name, [
    {
      endpoint: 'relations.delete',
      params: { datamodelId, relationId },
      target: { kind: 'relation', datamodelId, relationId },
    },
  ]);
