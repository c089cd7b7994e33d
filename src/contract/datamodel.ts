import * as z from 'zod';
import { getPlainCheck, withPlainCheck } from './plainCheck.ts';
import { tableResponseSchema } from './table.ts';
import { idSchema, orAbsent, openEnum } from './values.ts';

export const datasetTypes = ['extract', 'live', 'custom'] as const;
export type DatasetType = (typeof datasetTypes)[number];

/**
 * The source of a dataset. Its fields differ by provider and are not documented in the guide; `parameters` is an
 * object, or an encrypted string (platform-facts.md, 2.5).
 */
export const datasetConnectionSchema = z.looseObject({
  provider: orAbsent(z.string()),
  schema: orAbsent(z.string()),
  fileName: orAbsent(z.string()),
  parameters: orAbsent(z.union([z.string(), z.record(z.string(), z.unknown())])),
});
export type DatasetConnection = z.infer<typeof datasetConnectionSchema>;

/** Read-only connection properties that must not be sent on PATCH (rest-api.md, "Dataset"). */
export const readOnlyConnectionFields = ['id', 'owner', 'autoRefresh', 'protectedParameters'] as const;

/** Server-managed fields of a connection; a change keeps them (rest-api.md, "Dataset"; platform-facts.md, 2.5). */
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

/** A dataset as returned by the platform (rest-api.md, "Dataset"; further fields: platform-facts.md, 2.2). */
export const datasetSchema = z.looseObject({
  oid: idSchema,
  name: orAbsent(z.string()),
  fullname: orAbsent(z.string()),
  type: orAbsent(openEnum(datasetTypes)),
  connection: orAbsent(datasetConnectionSchema),
  schema: orAbsent(z.looseObject({ tables: orAbsent(z.array(tableResponseSchema)) })),
});
export type Dataset = z.infer<typeof datasetSchema>;

/** Body of POST /datasets: `connection` is omitted for the custom type. */
export const newDatasetSchema = z.looseObject({
  name: z.string().min(1),
  type: z.enum(datasetTypes),
  connection: orAbsent(datasetConnectionSchema),
});
export type NewDataset = z.input<typeof newDatasetSchema>;

/** Body of PATCH /datasets/{id}: the connection only, complete for its connector. */
export const datasetChangeSchema = z.strictObject({ connection: datasetConnectionSchema });
export type DatasetChange = z.input<typeof datasetChangeSchema>;

const generatedNamePattern = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/**
 * The display name of a dataset; `undefined` if there is none. Many datasets have a generated ID as their name: the
 * name of the connection is then more helpful.
 */
export function getDatasetName({ name, connection }: Dataset): string | undefined {
  if (name && !generatedNamePattern.test(name.replace(/^custom-/, ''))) {
    return name;
  }
  const connectionName = connection?.['name'];
  return typeof connectionName === 'string' && connectionName !== '' ? connectionName : undefined;
}

/** One end of a relation: the oids of a column and of its containers (rest-api.md, "Relation"). */
export const relationColumnSchema = z.looseObject({ dataset: idSchema, table: idSchema, column: idSchema });
export type RelationColumn = z.infer<typeof relationColumnSchema>;

/** A relation as returned by the platform. Its further fields are not documented. */
export const relationSchema = z.looseObject({
  oid: idSchema,
  columns: orAbsent(z.array(relationColumnSchema)),
});
export type Relation = z.infer<typeof relationSchema>;

/** Properties of a relation that can be written (rest-api.md, "Relation"). */
export const relationProperties = ['columns'] as const;

/** Minimum number of columns in a relation (rest-api.md, "Limits" and "Errors" 2). */
export const minRelationColumns = 2;

/**
 * Body of POST and PATCH: the complete columns array; on PATCH, columns not sent are removed
 * (rest-api.md, "Datamodel API" 3).
 */
export const relationInputSchema = z.looseObject({
  columns: z.array(relationColumnSchema).min(minRelationColumns),
});
export type RelationInput = z.input<typeof relationInputSchema>;

/** extract or live; mixed-type models do not exist (rest-api.md, "Datamodel types"). */
export const datamodelTypes = ['extract', 'live'] as const;
export type DatamodelType = (typeof datamodelTypes)[number];

const isIdArray = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');

const datasetsSchema = orAbsent(z.array(datasetSchema));

/**
 * A datamodel as returned by the platform (rest-api.md, "Datamodel"; further fields: platform-facts.md, 2.2). Unknown
 * fields are kept. A list may omit `datasets` and `relations`.
 */
export const datamodelSchema = z.looseObject({
  oid: idSchema,
  title: z.string(),
  type: orAbsent(openEnum(datamodelTypes)),
  server: orAbsent(z.string()),
  lastBuildTime: orAbsent(z.string()),
  lastSuccessfulBuildTime: orAbsent(z.string()),
  lastPublishTime: orAbsent(z.string()),
  lastUpdated: orAbsent(z.string()),
  /** Absent if a list contains only their oids, as the v1 list does: the datasets are then requested. */
  datasets: withPlainCheck(
    z.preprocess((value) => (isIdArray(value) ? undefined : value), datasetsSchema),
    (value) => !isIdArray(value) && getPlainCheck(datasetsSchema)(value),
  ),
  relations: orAbsent(z.array(relationSchema)),
});
export type Datamodel = z.infer<typeof datamodelSchema>;

/** The type as shown to users, including unknown values; a datamodel without one is an extract. */
export const getDatamodelTypeLabel = (model: Pick<Datamodel, 'type'>): string => model.type ?? 'extract';

/** Body of POST /datamodels. The Datamodel has no editable fields, so there is no body for a change. */
export const newDatamodelSchema = z.looseObject({
  title: z.string().min(1),
  type: z.enum(datamodelTypes).default('extract'),
});
export type NewDatamodel = z.input<typeof newDatamodelSchema>;

/**
 * The effective type of a datamodel: `extract` is the default if the platform does not report one (rest-api.md,
 * "Datamodel"), and if it reports an unknown value.
 */
export function getDatamodelType(model: Pick<Datamodel, 'type'>): DatamodelType {
  return model.type === 'live' ? 'live' : 'extract';
}
