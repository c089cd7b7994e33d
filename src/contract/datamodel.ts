import * as z from 'zod';
import { datasetSchema } from './dataset.ts';
import { relationSchema } from './relation.ts';
import { id, optional, word } from './values.ts';

/** extract or live; mixed-type models do not exist (spec, "Datamodel types"). */
export const datamodelTypes = ['extract', 'live'] as const;
export type DatamodelType = (typeof datamodelTypes)[number];

/**
 * A datamodel as the platform answers it (spec, "Datamodel"; further fields: platform-facts 2.2). Unknown fields
 * are kept. A list may answer without `datasets` and `relations`.
 */
export const datamodelSchema = z.looseObject({
  oid: id,
  title: z.string(),
  type: optional(word(datamodelTypes)),
  server: optional(z.string()),
  lastBuildTime: optional(z.string()),
  lastSuccessfulBuildTime: optional(z.string()),
  lastPublishTime: optional(z.string()),
  lastUpdated: optional(z.string()),
  datasets: optional(z.array(datasetSchema)),
  relations: optional(z.array(relationSchema)),
});
export type Datamodel = z.infer<typeof datamodelSchema>;

/** Body of POST /datamodels. The Datamodel has no editable fields, so there is no body for a change. */
export const newDatamodelSchema = z.looseObject({
  title: z.string().min(1),
  type: z.enum(datamodelTypes).default('extract'),
});
export type NewDatamodel = z.input<typeof newDatamodelSchema>;

/** `extract` is the default where the platform does not say (spec, "Datamodel"). */
export function datamodelType(model: Pick<Datamodel, 'type'>): DatamodelType {
  return model.type ?? 'extract';
}
