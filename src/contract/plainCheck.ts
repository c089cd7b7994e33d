import * as z from 'zod';
import { isJsonObject } from '../base/json.ts';

/**
 * True for a value that a schema would return unchanged. It may be false for some of those, too, which only costs time.
 */
type PlainCheck = (value: unknown) => boolean;

const plainCheck = Symbol('plainCheck');

interface CheckedSchema {
  [plainCheck]?: PlainCheck;
}

/** Sets the check of a schema from which none can be created: one with a function. Returns the schema. */
export function withPlainCheck<T extends z.ZodType>(schema: T, isPlain: PlainCheck): T {
  return Object.assign(schema, { [plainCheck]: isPlain } satisfies CheckedSchema);
}

/**
 * Returns the check of a schema, which is created once. It is several times as fast as the schema, and nothing is copied:
 * nearly all values of a server are plain. A value that isn't is left to the schema, which says what is wrong with it.
 */
export function getPlainCheck(schema: z.ZodType): PlainCheck {
  const checked = schema as CheckedSchema;
  return (checked[plainCheck] ??= createPlainCheck(schema));
}

/** The schemas within a schema are of the same kind as the schema. */
const getInnerCheck = (schema: z.core.$ZodType): PlainCheck => getPlainCheck(schema as z.ZodType);

function createPlainCheck(schema: z.ZodType): PlainCheck {
  if (schema.def.checks !== undefined && schema.def.checks.length > 0) {
    return schema instanceof z.ZodString ? createStringCheck(schema) : createSlowCheck(schema);
  }
  if (schema instanceof z.ZodOptional) {
    const isPlain = getInnerCheck(schema.def.innerType);
    // A schema with a default makes something of an absent value.
    const isAbsentPlain = createSlowCheck(schema)(undefined);
    return (value) => (value === undefined ? isAbsentPlain : isPlain(value));
  }
  if (schema instanceof z.ZodNullable) {
    const isPlain = getInnerCheck(schema.def.innerType);
    return (value) => value === null || isPlain(value);
  }
  if (schema instanceof z.ZodString) {
    return createStringCheck(schema);
  }
  // Coercion changes values, and formats restrict numbers.
  if (schema instanceof z.ZodBoolean && schema.def.coerce !== true) {
    return (value) => typeof value === 'boolean';
  }
  if (schema instanceof z.ZodNumber && !(schema instanceof z.ZodNumberFormat) && schema.def.coerce !== true) {
    // A JSON number is finite, unless it was too large for a double.
    return Number.isFinite;
  }
  if (schema instanceof z.ZodUnknown) {
    return () => true;
  }
  if (schema instanceof z.ZodArray) {
    const isPlain = getInnerCheck(schema.def.element);
    return (value) => Array.isArray(value) && value.every(isPlain);
  }
  if (schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown) {
    return createObjectCheck(schema);
  }
  if (schema instanceof z.ZodRecord) {
    return createRecordCheck(schema);
  }
  if (schema instanceof z.ZodUnion) {
    return createUnionCheck(schema);
  }
  return createSlowCheck(schema);
}

/** For every kind of schema: objects and lists are copied by it, and so never plain. */
const createSlowCheck =
  (schema: z.ZodType): PlainCheck =>
  (value) => {
    const result = schema.safeParse(value);
    return result.success && Object.is(result.data, value);
  };

function createStringCheck(schema: z.ZodString): PlainCheck {
  const { checks = [], coerce } = schema.def;
  const minLengths = checks.flatMap(({ _zod: { def } }) =>
    // Not `instanceof`: the class comes with all of the library, in all of its languages.
    def.check === 'min_length' && 'minimum' in def && typeof def.minimum === 'number' ? [def.minimum] : [],
  );
  if (coerce === true || minLengths.length < checks.length) {
    return createSlowCheck(schema);
  }
  const minLength = Math.max(0, ...minLengths);
  return (value) => typeof value === 'string' && value.length >= minLength;
}

/** For an object whose further members are kept. */
function createObjectCheck(schema: z.ZodObject): PlainCheck {
  const members = Object.entries(schema.def.shape).map(
    ([name, member]) => [name, getInnerCheck(member)] as const,
  );
  return (value) => {
    if (!isJsonObject(value)) {
      return false;
    }
    for (const [name, isPlain] of members) {
      if (!isPlain(value[name])) {
        return false;
      }
    }
    return true;
  };
}

/** For a record of anything; for any other the slow check. */
const createRecordCheck = (schema: z.ZodRecord): PlainCheck =>
  schema.def.keyType instanceof z.ZodString && schema.def.valueType instanceof z.ZodUnknown
    ? isJsonObject
    : createSlowCheck(schema);

/** The first alternative that accepts a value reads it, so those before the one that it is plain for must not. */
function createUnionCheck(schema: z.ZodUnion): PlainCheck {
  const alternatives = schema.def.options.map((option) => ({ option, isPlain: getInnerCheck(option) }));
  return (value) => {
    const index = alternatives.findIndex(({ isPlain }) => isPlain(value));
    return index !== -1 && alternatives.slice(0, index).every(({ option }) => !accepts(option, value));
  };
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  const result = schema._zod.run({ value, issues: [] }, { async: false });
  return !(result instanceof Promise) && result.issues.length === 0;
}
