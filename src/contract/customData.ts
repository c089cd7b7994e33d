import * as z from 'zod';

/**
 * Any JSON object, stored unchanged (rest-api.md, "Custom data object"). Stored ones have an `_id` (platform-facts.md,
 * 4).
 */
export const customDataObjectSchema = z.looseObject({});
export type CustomDataObject = z.infer<typeof customDataObjectSchema>;

/** A filter document; only the filter is supported, projection is not (rest-api.md, "Custom data API"). */
export const customDataFilterSchema = z.record(z.string(), z.unknown());
export type CustomDataFilter = z.infer<typeof customDataFilterSchema>;

/** Body of PATCH /custom_data/query. */
export const customDataChangeSchema = z.looseObject({
  queryForSearch: customDataFilterSchema,
  objectForUpdate: customDataObjectSchema,
});
export type CustomDataChange = z.input<typeof customDataChangeSchema>;
