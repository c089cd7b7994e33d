import { aggregations, datatypes, filterKeys, levels, modelTypes, sorts, type Words } from '../vocabulary.ts';

/** What a value may be. Whatever is not named is tolerated: the platform has more than the spec shows. */
export type Shape =
  | { readonly type: 'any' }
  | { readonly type: 'string'; readonly words?: Words; readonly what?: string }
  | { readonly type: 'boolean' }
  | { readonly type: 'list'; readonly items: Shape; readonly orObject?: boolean }
  | { readonly type: 'object'; readonly fields: ReadonlyMap<string, Shape> };

const any: Shape = { type: 'any' };
const string: Shape = { type: 'string' };
const boolean: Shape = { type: 'boolean' };
const strings: Shape = { type: 'list', items: string };
const object = (fields: Readonly<Record<string, Shape>>): Shape & { type: 'object' } => ({
  type: 'object',
  fields: new Map(Object.entries(fields)),
});
const word = (what: string, words: Words): Shape => ({ type: 'string', words, what });

/** Spec, "infusion sub-object". */
const infusion = object({
  visible: boolean,
  uid: boolean,
  defaultMeasure: boolean,
  defaultDate: boolean,
  header: boolean,
  hyperlink: string,
  aliases: strings,
  filterOnly: boolean,
});

/** Its whole structure is not shown (spec): only the keys that were seen have a type. */
const filter = object({
  ...Object.fromEntries(filterKeys.map((key) => [key, any])),
  all: boolean,
  members: { type: 'list', items: any },
  explicit: boolean,
  multiSelection: boolean,
});

/** Spec, "Column metadata". A format is a list; the query language also has single ones (platform-facts 4). */
const column = object({
  table: string,
  column: string,
  dim: string,
  datatype: word('datatype', datatypes),
  title: string,
  level: word('level', levels),
  agg: word('aggregation', aggregations),
  filter,
  format: { type: 'list', items: any, orObject: true },
  sort: word('sort order', sorts),
  infusion,
  filterOnly: boolean,
});

/** Spec, "ViewpointVisibility". */
const visibility = object({ apps: strings, groups: strings, users: strings, enabled: boolean });

/** Spec, "ViewpointDetails". */
const details = object({
  datasource: object({
    id: string,
    title: string,
    fullname: string,
    modelType: word('type of model', modelTypes),
  }),
  columns: { type: 'list', items: column },
});

/** Spec, "Viewpoint". */
export const viewpointShape = object({
  id: string,
  name: string,
  tenantId: string,
  description: string,
  enabled: boolean,
  createdBy: string,
  updatedBy: string,
  createdAt: string,
  updatedAt: string,
  visibility,
  details,
});
