import * as z from 'zod';
import { readTableSchema } from './readColumns.ts';
import { id, optional, word } from './values.ts';

export const datasetTypes = ['extract', 'live', 'custom'] as const;
export type DatasetType = (typeof datasetTypes)[number];

/**
 * The source of a dataset. Its fields differ by provider and are not shown by the spec; `parameters` is an object,
 * or an encrypted string (platform-facts 2.5).
 */
export const connectionSchema = z.looseObject({
  provider: optional(z.string()),
  schema: optional(z.string()),
  fileName: optional(z.string()),
  parameters: optional(z.union([z.string(), z.record(z.string(), z.unknown())])),
});
export type DatasetConnection = z.infer<typeof connectionSchema>;

/** Read-only connection properties that must not be sent on PATCH (spec, "Dataset"). */
export const readOnlyConnectionFields = ['id', 'owner', 'autoRefresh', 'protectedParameters'] as const;

/** What the server makes in a connection; a change keeps it (spec, "Dataset"; platform-facts 2.5). */
export const serverConnectionFields = [
  ...readOnlyConnectionFields,
  'oid',
  'ownerId',
  'created',
  'createdByUser',
  'enabled',
  'supportedModelTypes',
  'connectionPermissions',
] as const;

/** A dataset as the platform answers it (spec, "Dataset"; further fields: platform-facts 2.2). */
export const datasetSchema = z.looseObject({
  oid: id,
  name: optional(z.string()),
  fullname: optional(z.string()),
  type: optional(word(datasetTypes)),
  connection: optional(connectionSchema),
  schema: optional(z.looseObject({ tables: optional(z.array(readTableSchema)) })),
});
export type Dataset = z.infer<typeof datasetSchema>;

/** Body of POST /datasets: `connection` is omitted for the custom type. */
export const newDatasetSchema = z.looseObject({
  name: z.string().min(1),
  type: z.enum(datasetTypes),
  connection: optional(connectionSchema),
});
export type NewDataset = z.input<typeof newDatasetSchema>;

/** Body of PATCH /datasets/{id}: the connection only, complete for its connector. */
export const datasetChangeSchema = z.strictObject({ connection: connectionSchema });
export type DatasetChange = z.input<typeof datasetChangeSchema>;
