import type { JsonSchema, SchemaNotes } from '../note.ts';

const anyScalar: JsonSchema = { type: ['string', 'number', 'null'] };
const object: JsonSchema = { type: ['object', 'null'] };
const list: JsonSchema = { type: ['array', 'null'] };
const flag: JsonSchema = { type: ['boolean', 'null'] };
const text: JsonSchema = { type: ['string', 'null'] };
const count: JsonSchema = { type: ['number', 'null'] };
const listOfObjects: JsonSchema = { type: ['array', 'null'], items: { type: 'object' } };

/**
 * The keys of a filter with their schema and description, from the guide and the query language (platform-facts.md,
 * 5.2).
 */
const keys: Readonly<Record<string, readonly [JsonSchema, string]>> = {
  all: [flag, 'All values.'],
  members: [list, 'Only these values.'],
  explicit: [flag, 'Whether the values were chosen one by one.'],
  multiSelection: [flag, 'Whether several values can be chosen at once.'],
  from: [anyScalar, 'From this value or day on.'],
  to: [anyScalar, 'Up to this value or day.'],
  fromNotEqual: [anyScalar, 'Above this value.'],
  toNotEqual: [anyScalar, 'Below this value.'],
  equals: [anyScalar, 'This value.'],
  doesntEqual: [anyScalar, 'Any value but this.'],
  contains: [text, 'Texts with this part.'],
  doesntContain: [text, 'Texts without this part.'],
  startsWith: [text, 'Texts that begin so.'],
  doesntStartWith: [text, 'Texts that do not begin so.'],
  endsWith: [text, 'Texts that end so.'],
  doesntEndWith: [text, 'Texts that do not end so.'],
  like: [text, 'Texts like this pattern.'],
  isEmpty: [{ type: ['boolean', 'string', 'null'] }, 'Texts that are empty.'],
  exclude: [object, 'All values but those of this filter.'],
  last: [object, 'The last periods of the level, up to now.'],
  next: [object, 'The next periods of the level, from now on.'],
  top: [count, 'The first so many, by a measure.'],
  bottom: [count, 'The last so many, by a measure.'],
  by: [object, 'The measure that ranks the first or last.'],
  rankingMessage: [text, 'Name of the measure.'],
  and: [listOfObjects, 'All of these conditions.'],
  or: [listOfObjects, 'Any of these conditions.'],
  filter: [object, 'A filter behind this one.'],
};

/** The known properties of a filter. The guide does not document all of them, so other keys are allowed. */
export const filterProperties: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(keys).map(([key, [schema]]) => [key, schema]),
);

/** Creates the notes of the keys of a filter at a path. */
export const createFilterNotes = (path: string): SchemaNotes =>
  Object.fromEntries(Object.entries(keys).map(([key, [, note]]) => [`${path}.${key}`, note]));
