import * as z from 'zod';
import { isRawNumber } from '../base/json.ts';
import { withPlainCheck } from './plainCheck.ts';

/** Identifiers (`oid`, `id`, `_id`) are opaque strings (rest-api.md, "Identifiers"). */
export const idSchema = z.string().min(1);

/**
 * The schema of a number in a request or response. A number that lossless parsing has kept as source text is converted
 * to the nearest double.
 */
export const jsonNumberSchema = withPlainCheck(
  z.preprocess((value) => (isRawNumber(value) ? Number(value.rawJSON) : value), z.number()),
  Number.isFinite,
);

/** Allows a field to be absent or null: the platform uses both for "nothing" (platform-facts.md, 2.2). */
export const orAbsent = <T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodNullable<T>> =>
  z.nullish(schema);

/** An undocumented value. It is shown as it is; the type lets the compiler still distinguish the known values. */
export type UnknownValue = string & Record<never, never>;

/**
 * The schema of a known value in any letter case (platform-facts.md, 2.1: `extract` and `EXTRACT`), or of any other
 * text, which is kept as received: the item that contains it is neither dropped nor rejected.
 */
export const openEnum = <const T extends readonly [string, ...string[]]>(
  knownValues: T,
): z.ZodType<T[number] | UnknownValue> =>
  withPlainCheck(
    z.preprocess(
      (value) =>
        (typeof value === 'string'
          ? knownValues.find((knownValue) => knownValue === value.toLowerCase())
          : undefined) ?? value,
      z.string(),
    ),
    (value) => knownValues.some((knownValue) => knownValue === value),
  );
