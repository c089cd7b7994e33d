import * as z from 'zod';
import { isJsonObject } from '../base/json.ts';

/**
 * Returns true only for a plain value: one that a schema would return unchanged. Returning false for a plain value is
 * allowed, and only costs time.
 */
type PlainCheck = (value: unknown) => boolean;

const plainCheck = Symbol('plainCheck');

interface CheckedSchema {
  [plainCheck]?: PlainCheck;
}

/** Sets the check of a schema that contains a function, from which no check can be created. Returns the schema. */
export function withPlainCheck<T extends z.ZodType>(schema: T, isPlain: PlainCheck): T {
  return Object.assign(schema, { [plainCheck]: isPlain } satisfies CheckedSchema);
}

/**
 * Returns the check of a schema, which is created once. It is several times as fast as parsing with the schema, and
 * copies nothing. Nearly all values from a server are plain; the others are parsed with the schema, which reports their
 * faults.
 */
export function getPlainCheck(schema: z.ZodType): PlainCheck {
  const checked = schema as CheckedSchema;
  return (checked[plainCheck] ??= createPlainCheck(schema));
}

/** Converts the type: inner schemas are typed as core schemas, but are always of the same class as the outer ones. */
const getInnerCheck = (schema: z.core.$ZodType): PlainCheck => getPlainCheck(schema as z.ZodType);

function createPlainCheck(schema: z.ZodType): PlainCheck {
  if (schema.def.checks !== undefined && schema.def.checks.length > 0) {
    return schema instanceof z.ZodString ? createStringCheck(schema) : createSlowCheck(schema);
  }
  if (schema instanceof z.ZodOptional) {
    const isPlain = getInnerCheck(schema.def.innerType);
    // A schema with a default replaces an absent value.
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

/** A check for any kind of schema. It is false for objects and lists, because parsing copies them. */
const createSlowCheck =
  (schema: z.ZodType): PlainCheck =>
  (value) => {
    const result = schema.safeParse(value);
    return result.success && Object.is(result.data, value);
  };

function createStringCheck(schema: z.ZodString): PlainCheck {
  const { checks = [], coerce } = schema.def;
  const minLengths = checks.flatMap(({ _zod: { def } }) =>
    // Not `instanceof`: importing the class would load the whole library, including its translations.
    def.check === 'min_length' && 'minimum' in def && typeof def.minimum === 'number' ? [def.minimum] : [],
  );
  if (coerce === true || minLengths.length < checks.length) {
    return createSlowCheck(schema);
  }
  const minLength = Math.max(0, ...minLengths);
  return (value) => typeof value === 'string' && value.length >= minLength;
}

/** Creates the check for objects whose unknown members are kept. */
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

/** Creates the check for records; a fast one only if they may contain any values. */
const createRecordCheck = (schema: z.ZodRecord): PlainCheck =>
  schema.def.keyType instanceof z.ZodString && schema.def.valueType instanceof z.ZodUnknown
    ? isJsonObject
    : createSlowCheck(schema);

/**
 * Creates the check for unions. A union parses a value with the first alternative that accepts it. So a value is plain
 * only if it is plain for one alternative, and no earlier alternative accepts it.
 */
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
