import * as z from 'zod';
import { idSchema, absentOrNull } from './values.ts';

/** Number of viewpoints that GET /infusion/viewpoints returns if no limit is given (rest-api.md, "Limits"). */
export const defaultViewpointPageSize = 100;

/** Flags for chat apps (rest-api.md, "infusion sub-object"). */
export const infusionSchema = z.looseObject({
  visible: absentOrNull(z.boolean()),
  uid: absentOrNull(z.boolean()),
  defaultMeasure: absentOrNull(z.boolean()),
  defaultDate: absentOrNull(z.boolean()),
  header: absentOrNull(z.boolean()),
  hyperlink: absentOrNull(z.string()),
  aliases: absentOrNull(z.array(z.string())),
  filterOnly: absentOrNull(z.boolean()),
});

/** A column of a viewpoint (rest-api.md, "Column metadata"). The structures of filter and format are not documented. */
export const viewpointColumnSchema = z.looseObject({
  table: absentOrNull(z.string()),
  column: absentOrNull(z.string()),
  dim: absentOrNull(z.string()),
  datatype: absentOrNull(z.string()),
  title: absentOrNull(z.string()),
  level: absentOrNull(z.string()),
  agg: absentOrNull(z.string()),
  filter: absentOrNull(z.looseObject({})),
  format: z.unknown().optional(),
  sort: absentOrNull(z.string()),
  infusion: absentOrNull(infusionSchema),
  filterOnly: absentOrNull(z.boolean()),
});
export type ViewpointColumn = z.infer<typeof viewpointColumnSchema>;

export const viewpointDetailsSchema = z.looseObject({
  datasource: absentOrNull(
    z.looseObject({
      id: absentOrNull(z.string()),
      title: absentOrNull(z.string()),
      fullname: absentOrNull(z.string()),
      modelType: absentOrNull(z.string()),
    }),
  ),
  columns: absentOrNull(z.array(viewpointColumnSchema)),
});
export type ViewpointDetails = z.infer<typeof viewpointDetailsSchema>;

export const viewpointVisibilitySchema = z.looseObject({
  apps: absentOrNull(z.array(z.string())),
  groups: absentOrNull(z.array(z.string())),
  users: absentOrNull(z.array(z.string())),
  enabled: absentOrNull(z.boolean()),
});
export type ViewpointVisibility = z.infer<typeof viewpointVisibilitySchema>;

/** A viewpoint as returned by the platform (rest-api.md, "Viewpoint"). */
export const viewpointSchema = z.looseObject({
  id: idSchema,
  name: absentOrNull(z.string()),
  tenantId: absentOrNull(z.string()),
  description: absentOrNull(z.string()),
  enabled: absentOrNull(z.boolean()),
  createdBy: absentOrNull(z.string()),
  updatedBy: absentOrNull(z.string()),
  createdAt: absentOrNull(z.string()),
  updatedAt: absentOrNull(z.string()),
  visibility: absentOrNull(viewpointVisibilitySchema),
  details: absentOrNull(viewpointDetailsSchema),
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
  details: absentOrNull(z.unknown()),
  visibility: absentOrNull(z.unknown()),
});
export type NewViewpoint = z.input<typeof newViewpointSchema>;

/** Body of PUT: the fields to change; complex properties are sent in full (rest-api.md, "PUT /infusion/viewpoints"). */
export type ViewpointChange = Readonly<Record<string, unknown>>;

/** The `search` document of the list (rest-api.md, "ViewpointSearch"). Partial matches are case sensitive. */
export const viewpointSearchSchema = z.looseObject({
  id: absentOrNull(z.string()),
  name: absentOrNull(z.string()),
  description: absentOrNull(z.string()),
  text: absentOrNull(z.string()),
  lastUpdate: absentOrNull(
    z.looseObject({
      before: absentOrNull(z.union([z.string(), z.number()])),
      after: absentOrNull(z.union([z.string(), z.number()])),
    }),
  ),
  visibility: absentOrNull(z.looseObject({})),
  details: absentOrNull(z.looseObject({})),
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
