import * as z from 'zod';
import { datasetSchema } from './dataset.ts';
import { relationSchema } from './relation.ts';
import { id, optional, word } from './values.ts';

/** extract or live; mixed-type models do not exist (spec, "Datamodel types"). */
export const datamodelTypes = ['extract', 'live'] as const;
export type DatamodelType = (typeof datamodelTypes)[number];

const isOids = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');

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
  /** Absent where a list answers nothing but their oids (recorded of the v1 list): what is in them is asked for. */
  datasets: z.preprocess((value) => (isOids(value) ? undefined : value), optional(z.array(datasetSchema))),
  relations: optional(z.array(relationSchema)),
});
export type Datamodel = z.infer<typeof datamodelSchema>;

/** The type as people are shown it, a word that is not known included. */
export const datamodelTypeWord = (model: Pick<Datamodel, 'type'>): string => model.type ?? 'extract';

/** Body of POST /datamodels. The Datamodel has no editable fields, so there is no body for a change. */
export const newDatamodelSchema = z.looseObject({
  title: z.string().min(1),
  type: z.enum(datamodelTypes).default('extract'),
});
export type NewDatamodel = z.input<typeof newDatamodelSchema>;

/**
 * How a datamodel is treated: `extract` is the default where the platform does not say (spec, "Datamodel"), and where it
 * says a word that is not known.
 */
export function datamodelType(model: Pick<Datamodel, 'type'>): DatamodelType {
  return model.type === 'live' ? 'live' : 'extract';
}
