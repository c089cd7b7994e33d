import * as z from 'zod';
import { idSchema, orAbsent } from './values.ts';

/** Number of viewpoints that GET /infusion/viewpoints returns if no limit is given (rest-api.md, "Limits"). */
export const defaultViewpointPageSize = 100;

/** Flags for assistant apps (rest-api.md, "infusion sub-object"). */
export const infusionSchema = z.looseObject({
  visible: orAbsent(z.boolean()),
  uid: orAbsent(z.boolean()),
  defaultMeasure: orAbsent(z.boolean()),
  defaultDate: orAbsent(z.boolean()),
  header: orAbsent(z.boolean()),
  hyperlink: orAbsent(z.string()),
  aliases: orAbsent(z.array(z.string())),
  filterOnly: orAbsent(z.boolean()),
});

/** A column of a viewpoint (rest-api.md, "Column metadata"). The structures of filter and format are not documented. */
export const viewpointColumnSchema = z.looseObject({
  table: orAbsent(z.string()),
  column: orAbsent(z.string()),
  dim: orAbsent(z.string()),
  datatype: orAbsent(z.string()),
  title: orAbsent(z.string()),
  level: orAbsent(z.string()),
  agg: orAbsent(z.string()),
  filter: orAbsent(z.looseObject({})),
  format: z.unknown().optional(),
  sort: orAbsent(z.string()),
  infusion: orAbsent(infusionSchema),
  filterOnly: orAbsent(z.boolean()),
});
export type ViewpointColumn = z.infer<typeof viewpointColumnSchema>;

export const viewpointDetailsSchema = z.looseObject({
  datasource: orAbsent(
    z.looseObject({
      id: orAbsent(z.string()),
      title: orAbsent(z.string()),
      fullname: orAbsent(z.string()),
      modelType: orAbsent(z.string()),
    }),
  ),
  columns: orAbsent(z.array(viewpointColumnSchema)),
});
export type ViewpointDetails = z.infer<typeof viewpointDetailsSchema>;

export const viewpointVisibilitySchema = z.looseObject({
  apps: orAbsent(z.array(z.string())),
  groups: orAbsent(z.array(z.string())),
  users: orAbsent(z.array(z.string())),
  enabled: orAbsent(z.boolean()),
});
export type ViewpointVisibility = z.infer<typeof viewpointVisibilitySchema>;

/** A viewpoint as returned by the platform (rest-api.md, "Viewpoint"). */
export const viewpointSchema = z.looseObject({
  id: idSchema,
  name: orAbsent(z.string()),
  tenantId: orAbsent(z.string()),
  description: orAbsent(z.string()),
  enabled: orAbsent(z.boolean()),
  createdBy: orAbsent(z.string()),
  updatedBy: orAbsent(z.string()),
  createdAt: orAbsent(z.string()),
  updatedAt: orAbsent(z.string()),
  visibility: orAbsent(viewpointVisibilitySchema),
  details: orAbsent(viewpointDetailsSchema),
});
export type Viewpoint = z.infer<typeof viewpointSchema>;

/** Fields of a viewpoint that the server assigns, so they are not sent (rest-api.md, "Viewpoint"). */
export const serverManagedViewpointFields: ReadonlySet<string> = new Set([
  'id',
  'tenantId',
  'createdBy',
  'createdAt',
  'updatedBy',
  'updatedAt',
]);

/**
 * Body of POST: name (unique) and description are required; the content is not validated
 * (rest-api.md, "POST /infusion/viewpoints").
 */
export const newViewpointSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  details: orAbsent(z.unknown()),
  visibility: orAbsent(z.unknown()),
});
export type NewViewpoint = z.input<typeof newViewpointSchema>;

/** Body of PUT: the fields to change; complex properties are sent in full (rest-api.md, "PUT /infusion/viewpoints"). */
export type ViewpointChange = Readonly<Record<string, unknown>>;

/** The `search` document of the list (rest-api.md, "ViewpointSearch"). Partial matches are case sensitive. */
export const viewpointSearchSchema = z.looseObject({
  id: orAbsent(z.string()),
  name: orAbsent(z.string()),
  description: orAbsent(z.string()),
  text: orAbsent(z.string()),
  lastUpdate: orAbsent(
    z.looseObject({
      before: orAbsent(z.union([z.string(), z.number()])),
      after: orAbsent(z.union([z.string(), z.number()])),
    }),
  ),
  visibility: orAbsent(z.looseObject({})),
  details: orAbsent(z.looseObject({})),
});
export type ViewpointSearch = z.input<typeof viewpointSearchSchema>;

/**
 * One page of viewpoints. The guide does not document the keys, so any array next to a numeric total is read
 * (platform-facts.md, 4).
 */
export interface ViewpointPage {
  readonly viewpoints: readonly Viewpoint[];
  /** Total number of matching viewpoints; `undefined` if the server does not report it. */
  readonly total: number | undefined;
}

/** Status of the viewpoint service; its body is not documented. */
export const viewpointStatusSchema = z.unknown();
