import type { JsonSchema, SchemaNotes } from '../note.ts';

const scalarSchema: JsonSchema = { type: ['string', 'number', 'null'] };
const objectSchema: JsonSchema = { type: ['object', 'null'] };
const listSchema: JsonSchema = { type: ['array', 'null'] };
const booleanSchema: JsonSchema = { type: ['boolean', 'null'] };
const stringSchema: JsonSchema = { type: ['string', 'null'] };
const numberSchema: JsonSchema = { type: ['number', 'null'] };
const objectListSchema: JsonSchema = { type: ['array', 'null'], items: { type: 'object' } };

/**
 * The keys of a filter with their schema and description, from the guide and the query language (platform-facts.md,
 * 5.2).
 */
const filterKeys: Readonly<Record<string, readonly [JsonSchema, string]>> = {
  all: [booleanSchema, 'All values.'],
  members: [listSchema, 'Only these values.'],
  explicit: [booleanSchema, 'Whether the values were selected individually.'],
  multiSelection: [booleanSchema, 'Whether multiple values can be selected.'],
  from: [scalarSchema, 'From this value or day on.'],
  to: [scalarSchema, 'Up to this value or day.'],
  fromNotEqual: [scalarSchema, 'Above this value.'],
  toNotEqual: [scalarSchema, 'Below this value.'],
  equals: [scalarSchema, 'This value.'],
  doesntEqual: [scalarSchema, 'Any value except this.'],
  contains: [stringSchema, 'Text that contains this.'],
  doesntContain: [stringSchema, "Text that doesn't contain this."],
  startsWith: [stringSchema, 'Text that starts with this.'],
  doesntStartWith: [stringSchema, "Text that doesn't start with this."],
  endsWith: [stringSchema, 'Text that ends with this.'],
  doesntEndWith: [stringSchema, "Text that doesn't end with this."],
  like: [stringSchema, 'Text that matches this pattern.'],
  isEmpty: [{ type: ['boolean', 'string', 'null'] }, 'Empty strings.'],
  exclude: [objectSchema, 'All values except those of this filter.'],
  last: [objectSchema, 'The last n periods of the level, up to the current one.'],
  next: [objectSchema, 'The next n periods of the level, from the current one.'],
  top: [numberSchema, 'The number of top values to show, ranked by a measure.'],
  bottom: [numberSchema, 'The number of bottom values to show, ranked by a measure.'],
  by: [objectSchema, 'The measure that ranks the values.'],
  rankingMessage: [stringSchema, 'Name of the measure.'],
  and: [objectListSchema, 'All of these conditions.'],
  or: [objectListSchema, 'Any of these conditions.'],
  filter: [objectSchema, 'Another filter, applied to the result of this one.'],
};

/** The known properties of a filter. The guide does not document all of them, so other keys are allowed. */
export const filterProperties: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(filterKeys).map(([key, [schema]]) => [key, schema]),
);

/** Creates the notes of the keys of a filter at a path. */
export const createFilterNotes = (path: string): SchemaNotes =>
  Object.fromEntries(Object.entries(filterKeys).map(([key, [, note]]) => [`${path}.${key}`, note]));
