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
  explicit: [booleanSchema, 'Whether the values were chosen one by one.'],
  multiSelection: [booleanSchema, 'Whether several values can be chosen at once.'],
  from: [scalarSchema, 'From this value or day on.'],
  to: [scalarSchema, 'Up to this value or day.'],
  fromNotEqual: [scalarSchema, 'Above this value.'],
  toNotEqual: [scalarSchema, 'Below this value.'],
  equals: [scalarSchema, 'This value.'],
  doesntEqual: [scalarSchema, 'Any value but this.'],
  contains: [stringSchema, 'Texts with this part.'],
  doesntContain: [stringSchema, 'Texts without this part.'],
  startsWith: [stringSchema, 'Texts that begin with this.'],
  doesntStartWith: [stringSchema, 'Texts that do not begin with this.'],
  endsWith: [stringSchema, 'Texts that end with this.'],
  doesntEndWith: [stringSchema, 'Texts that do not end with this.'],
  like: [stringSchema, 'Texts like this pattern.'],
  isEmpty: [{ type: ['boolean', 'string', 'null'] }, 'Texts that are empty.'],
  exclude: [objectSchema, 'All values but those of this filter.'],
  last: [objectSchema, 'The last periods of the level, up to now.'],
  next: [objectSchema, 'The next periods of the level, from now on.'],
  top: [numberSchema, 'This many of the first, by a measure.'],
  bottom: [numberSchema, 'This many of the last, by a measure.'],
  by: [objectSchema, 'The measure that ranks the first or last.'],
  rankingMessage: [stringSchema, 'Name of the measure.'],
  and: [objectListSchema, 'All of these conditions.'],
  or: [objectListSchema, 'Any of these conditions.'],
  filter: [objectSchema, 'A filter behind this one.'],
};

/** The known properties of a filter. The guide does not document all of them, so other keys are allowed. */
export const filterProperties: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(filterKeys).map(([key, [schema]]) => [key, schema]),
);

/** Creates the notes of the keys of a filter at a path. */
export const createFilterNotes = (path: string): SchemaNotes =>
  Object.fromEntries(Object.entries(filterKeys).map(([key, [, note]]) => [`${path}.${key}`, note]));
