import { createCustomDataChangePayload } from '../../client/payloads/customDataPayload.ts';
import { stringify, type JsonObject } from '../../base/json.ts';
import type { Operation, Write } from './operation.ts';
import { type OperationLocation, createOperation } from './operationLocation.ts';

/** Creates the write that adds an object, which is stored whole (rest-api.md, "Custom data object"). */
export const createObjectCreationWrite = (object: JsonObject): Write => ({
  endpoint: 'customData.create',
  params: {},
  target: { kind: 'customData' },
  body: object,
});

/**
 * Creates the write that merges members into the root of every object that matches (rest-api.md, "Custom data API";
 * decisions.md, "Sandbox").
 */
export const createCustomDataUpdateWrite = (filter: JsonObject, change: JsonObject): Write => ({
  endpoint: 'customData.updateMatching',
  params: {},
  target: { kind: 'customData' },
  body: { queryForSearch: filter, objectForUpdate: change },
});

/** Creates the write that merges members into the object with this ID. */
export const createObjectUpdateWrite = (objectId: string, change: JsonObject): Write => ({
  endpoint: 'customData.updateMatching',
  params: {},
  body: createCustomDataChangePayload({ queryForSearch: { _id: objectId }, objectForUpdate: change }),
  target: { kind: 'customDataObject', objectId },
});

/** Creates the write that deletes every object that matches. */
export const createCustomDataDeletionWrite = (filter: JsonObject): Write => ({
  endpoint: 'customData.deleteMatching',
  params: {},
  target: { kind: 'customData' },
  body: filter,
});

/** Creates the operation that adds an object, which is stored whole (rest-api.md, "Custom data object"). */
export const createObjectCreationOperation = (
  location: OperationLocation,
  object: JsonObject,
  name: string,
): Operation => createOperation(location, 'create', name, [createObjectCreationWrite(object)]);

/**
 * Creates the operation that changes every object that matches; preview them first (rest-api.md, "Custom data API").
 */
export const createCustomDataUpdateOperation = (
  location: OperationLocation,
  filter: JsonObject,
  change: JsonObject,
): Operation =>
  createOperation(location, 'save', stringify(filter), [createCustomDataUpdateWrite(filter, change)]);

/**
 * Creates the operation that deletes every object that matches; preview them first (rest-api.md, "Custom data API").
 */
export const createCustomDataDeletionOperation = (
  location: OperationLocation,
  filter: JsonObject,
  name = stringify(filter),
): Operation => createOperation(location, 'delete', name, [createCustomDataDeletionWrite(filter)]);
