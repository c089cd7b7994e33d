import { type JsonObject, stringify } from '../base/json.ts';
import type { Operation } from '../writes/operation.ts';
import { type Place, operationAt } from './place.ts';

/** Adds an object, which is stored whole (spec, "Custom data object"). */
export const createCustomDataObject = (place: Place, object: JsonObject, name: string): Operation =>
  operationAt(place, 'create', name, [
    { endpoint: 'customData.create', params: {}, target: { kind: 'customData' }, body: object },
  ]);

/** Changes every object that matches (spec, "Custom data API"): count them first. */
export const updateMatching = (place: Place, filter: JsonObject, change: JsonObject): Operation =>
  operationAt(place, 'save', stringify(filter), [
    {
      endpoint: 'customData.updateMatching',
      params: {},
      target: { kind: 'customData' },
      body: { queryForSearch: filter, objectForUpdate: change },
    },
  ]);

/** Deletes every object that matches (spec, "Custom data API"): count them first. */
export const deleteMatching = (place: Place, filter: JsonObject, name = stringify(filter)): Operation =>
  operationAt(place, 'delete', name, [
    { endpoint: 'customData.deleteMatching', params: {}, target: { kind: 'customData' }, body: filter },
  ]);
