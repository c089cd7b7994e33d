import type { JsonObject } from '../../base/json.ts';
import { type WriteDocument, objectAt } from './document.ts';

/** Body of POST /custom_data: any JSON object, stored whole (spec, "Custom data object"). */
export const newCustomDataPayload = (document: WriteDocument): JsonObject => objectAt(document, []);

/** A filter document; `{}` matches every object (spec, "Custom data API"). */
export const filterPayload = (filter: WriteDocument): JsonObject => objectAt(filter, []);

/**
 * Body of PATCH /custom_data/query: both are required (spec).
 * @throws PayloadError
 */
export const customDataChangePayload = (change: WriteDocument): JsonObject => ({
  queryForSearch: objectAt(change['queryForSearch'], ['queryForSearch']),
  objectForUpdate: objectAt(change['objectForUpdate'], ['objectForUpdate']),
});
