import { type JsonObject, stringify } from '../../base/json.ts';
import { matchingDeletion, matchingUpdate, objectCreation } from '../model/customDataWrites.ts';
import type { Operation } from '../model/operation.ts';
import { type Place, operationAt } from './place.ts';

/** Adds an object, which is stored whole (spec, "Custom data object"). */
export const createCustomDataObject = (place: Place, object: JsonObject, name: string): Operation =>
  operationAt(place, 'create', name, [objectCreation(object)]);

/** Changes every object that matches (spec, "Custom data API"): count them first. */
export const updateMatching = (place: Place, filter: JsonObject, change: JsonObject): Operation =>
  operationAt(place, 'save', stringify(filter), [matchingUpdate(filter, change)]);

/** Deletes every object that matches (spec, "Custom data API"): count them first. */
export const deleteMatching = (place: Place, filter: JsonObject, name = stringify(filter)): Operation =>
  operationAt(place, 'delete', name, [matchingDeletion(filter)]);
