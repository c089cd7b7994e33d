import type { JsonObject } from '../../base/json.ts';
import { type DocumentToWrite, requireObject } from './documentToWrite.ts';

/** Body of POST /custom_data: any JSON object, stored unchanged (rest-api.md, "Custom data object"). */
export const createCustomDataPayload = (document: DocumentToWrite): JsonObject => requireObject(document, []);

/** A filter document; `{}` matches every object (rest-api.md, "Custom data API"). */
export const createFilterPayload = (filter: DocumentToWrite): JsonObject => requireObject(filter, []);

/**
 * Body of PATCH /custom_data/query: `queryForSearch` and `objectForUpdate` are required
 * (rest-api.md, "Custom data API").
 * @throws PayloadError
 */
export const createCustomDataChangePayload = (change: DocumentToWrite): JsonObject => ({
  queryForSearch: requireObject(change['queryForSearch'], ['queryForSearch']),
  objectForUpdate: requireObject(change['objectForUpdate'], ['objectForUpdate']),
});
