import {
  aggregationWords,
  datatypeWords,
  filterKeys,
  levelWords,
  modelTypeWords,
  sortWords,
  undocumentedColumnKeys,
  type Vocabulary,
} from '../vocabulary.ts';

/**
 * The allowed shape of a value. Properties that are not listed are reported as information only, since the guide does
 * not document all of them; `undocumentedKeys` are those that only the query language documents.
 */
export type ValueShape =
  | { readonly type: 'any' }
  | { readonly type: 'string'; readonly words?: Vocabulary; readonly label?: string }
  | { readonly type: 'boolean' }
  | { readonly type: 'list'; readonly items: ValueShape; readonly allowsObject?: boolean }
  | {
      readonly type: 'object';
      readonly fields: ReadonlyMap<string, ValueShape>;
      readonly undocumentedKeys: readonly string[];
    };

const anyShape: ValueShape = { type: 'any' };
const stringShape: ValueShape = { type: 'string' };
const booleanShape: ValueShape = { type: 'boolean' };
const stringListShape: ValueShape = { type: 'list', items: stringShape };
const createObjectShape = (
  fields: Readonly<Record<string, ValueShape>>,
  undocumentedKeys: readonly string[] = [],
): ValueShape & { type: 'object' } => ({
  type: 'object',
  fields: new Map(Object.entries(fields)),
  undocumentedKeys,
});
const createWordShape = (label: string, words: Vocabulary): ValueShape => ({ type: 'string', words, label });

/** The flags and texts of a column for assistant apps (rest-api.md, "infusion sub-object"). */
const infusionShape = createObjectShape({
  visible: booleanShape,
  uid: booleanShape,
  defaultMeasure: booleanShape,
  defaultDate: booleanShape,
  header: booleanShape,
  hyperlink: stringShape,
  aliases: stringListShape,
  filterOnly: booleanShape,
});

/** The guide does not document the whole structure of a filter, so most keys accept any value. */
const filterShape = createObjectShape({
  ...Object.fromEntries(filterKeys.map((key) => [key, anyShape])),
  all: booleanShape,
  members: { type: 'list', items: anyShape },
  explicit: booleanShape,
  multiSelection: booleanShape,
});

/**
 * A column (rest-api.md, "Column metadata"). `format` is a list; the query language also allows a single format as an
 * object (platform-facts.md, 4).
 */
const columnShape = createObjectShape(
  {
    table: stringShape,
    column: stringShape,
    dim: stringShape,
    datatype: createWordShape('data type', datatypeWords),
    title: stringShape,
    level: createWordShape('level', levelWords),
    agg: createWordShape('aggregation', aggregationWords),
    filter: filterShape,
    format: { type: 'list', items: anyShape, allowsObject: true },
    sort: createWordShape('sort order', sortWords),
    infusion: infusionShape,
    filterOnly: booleanShape,
  },
  undocumentedColumnKeys,
);

/** The sharing of a viewpoint (rest-api.md, "ViewpointVisibility"). */
const visibilityShape = createObjectShape({
  apps: stringListShape,
  groups: stringListShape,
  users: stringListShape,
  enabled: booleanShape,
});

/** The datasource and columns of a viewpoint (rest-api.md, "ViewpointDetails"). */
const detailsShape = createObjectShape({
  datasource: createObjectShape({
    id: stringShape,
    title: stringShape,
    fullname: stringShape,
    modelType: createWordShape('datamodel type', modelTypeWords),
  }),
  columns: { type: 'list', items: columnShape },
});

/** A whole viewpoint document (rest-api.md, "Viewpoint"). */
export const viewpointShape = createObjectShape({
  id: stringShape,
  name: stringShape,
  tenantId: stringShape,
  description: stringShape,
  enabled: booleanShape,
  createdBy: stringShape,
  updatedBy: stringShape,
  createdAt: stringShape,
  updatedAt: stringShape,
  visibility: visibilityShape,
  details: detailsShape,
});
