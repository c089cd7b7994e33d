import * as z from 'zod';
import { idSchema, optional } from './values.ts';

/** Number of viewpoints that GET /infusion/viewpoints returns if no limit is given (rest-api.md, "Limits"). */
export const defaultViewpointPageSize = 100;

/** Flags for chat apps (rest-api.md, "infusion sub-object"). */
export const infusionSchema = z.looseObject({
  visible: optional(z.boolean()),
  uid: optional(z.boolean()),
  defaultMeasure: optional(z.boolean()),
  defaultDate: optional(z.boolean()),
  header: optional(z.boolean()),
  hyperlink: optional(z.string()),
  aliases: optional(z.array(z.string())),
  filterOnly: optional(z.boolean()),
});

/** A column of a viewpoint (rest-api.md, "Column metadata"). The structures of filter and format are not documented. */
export const viewpointColumnSchema = z.looseObject({
  table: optional(z.string()),
  column: optional(z.string()),
  dim: optional(z.string()),
  datatype: optional(z.string()),
  title: optional(z.string()),
  level: optional(z.string()),
  agg: optional(z.string()),
  filter: optional(z.looseObject({})),
  format: z.unknown().optional(),
  sort: optional(z.string()),
  infusion: optional(infusionSchema),
  filterOnly: optional(z.boolean()),
});
export type ViewpointColumn = z.infer<typeof viewpointColumnSchema>;

export const viewpointDetailsSchema = z.looseObject({
  datasource: optional(
    z.looseObject({
      id: optional(z.string()),
      title: optional(z.string()),
      fullname: optional(z.string()),
      modelType: optional(z.string()),
    }),
  ),
  columns: optional(z.array(viewpointColumnSchema)),
});
export type ViewpointDetails = z.infer<typeof viewpointDetailsSchema>;

export const viewpointVisibilitySchema = z.looseObject({
  apps: optional(z.array(z.string())),
  groups: optional(z.array(z.string())),
  users: optional(z.array(z.string())),
  enabled: optional(z.boolean()),
});
export type ViewpointVisibility = z.infer<typeof viewpointVisibilitySchema>;

/** A viewpoint as returned by the platform (rest-api.md, "Viewpoint"). */
export const viewpointSchema = z.looseObject({
  id: idSchema,
  name: optional(z.string()),
  tenantId: optional(z.string()),
  description: optional(z.string()),
  enabled: optional(z.boolean()),
  createdBy: optional(z.string()),
  updatedBy: optional(z.string()),
  createdAt: optional(z.string()),
  updatedAt: optional(z.string()),
  visibility: optional(viewpointVisibilitySchema),
  details: optional(viewpointDetailsSchema),
});
export type Viewpoint = z.infer<typeof viewpointSchema>;

/** Fields of a viewpoint that the server assigns (rest-api.md, "Viewpoint"). */
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
  details: optional(z.unknown()),
  visibility: optional(z.unknown()),
});
export type NewViewpoint = z.input<typeof newViewpointSchema>;

/** Body of PUT: the fields to change; complex properties are sent in full (rest-api.md, "PUT /infusion/viewpoints"). */
export type ViewpointChange = Readonly<Record<string, unknown>>;

/** The `search` document of the list (rest-api.md, "ViewpointSearch"). Partial matches are case sensitive. */
export const viewpointSearchSchema = z.looseObject({
  id: optional(z.string()),
  name: optional(z.string()),
  description: optional(z.string()),
  text: optional(z.string()),
  lastUpdate: optional(
    z.looseObject({
      before: optional(z.union([z.string(), z.number()])),
      after: optional(z.union([z.string(), z.number()])),
    }),
  ),
  visibility: optional(z.looseObject({})),
  details: optional(z.looseObject({})),
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
