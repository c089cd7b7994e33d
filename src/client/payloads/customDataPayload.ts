import type { JsonObject } from '../../base/json.ts';
import { type WriteDocument, requireObject } from './writeDocument.ts';

/** Body of POST /custom_data: any JSON object, stored unchanged (rest-api.md, "Custom data object"). */
export const createCustomDataPayload = (document: WriteDocument): JsonObject => requireObject(document, []);

/** A filter document; `{}` matches every object (rest-api.md, "Custom data API"). */
export const createFilterPayload = (filter: WriteDocument): JsonObject => requireObject(filter, []);

/**
 * Body of PATCH /custom_data/query: `queryForSearch` and `objectForUpdate` are required
 * (rest-api.md, "Custom data API").
 * @throws PayloadError
 */
export const createCustomDataChangePayload = (change: WriteDocument): JsonObject => ({
  queryForSearch: requireObject(change['queryForSearch'], ['queryForSearch']),
  objectForUpdate: requireObject(change['objectForUpdate'], ['objectForUpdate']),
});
