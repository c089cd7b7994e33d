import { relationCreation, relationDeletion } from '../model/relationWrites.ts';
import type { RelationColumn } from '../../contract/datamodel.ts';
import type { Operation } from '../model/operation.ts';
import { type Place, operationAt } from './place.ts';

/** A join path over two columns or more (spec, "Relation"; at least two: "Limits"). */
export const createRelation = (
  place: Place,
  datamodelId: string,
  columns: readonly Pick<RelationColumn, 'dataset' | 'table' | 'column'>[],
  name: string,
): Operation => operationAt(place, 'create', name, [relationCreation(datamodelId, columns)]);

/** Deletes the relation and unlinks its tables (spec, "Datamodel API"). */
export const deleteRelation = (
  place: Place,
  ids: { readonly datamodelId: string; readonly relationId: string },
  name: string,
): Operation => operationAt(place, 'delete', name, [relationDeletion(ids)]);
