/**
 * Lossless JSON: a number that JavaScript would print differently (beyond 2⁵³, `1.0`, `1e3`, `-0`, more digits than a
 * double holds) is kept as its source text and written unchanged (decisions.md, "REST client").
 */

/** A number kept as its source text. `JSON.stringify` writes it verbatim. */
export interface RawNumber {
  readonly rawJSON: string;
}

export type JsonValue = null | boolean | number | string | RawNumber | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Keys and indices that lead to a value. */
export type JsonPath = readonly (string | number)[];

interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

/** `JSON.rawJSON` and `JSON.isRawJSON` are in Node 24; TypeScript's library does not declare them yet. */
const raw = JSON as unknown as RawJson;

export const isRawNumber: (value: unknown) => value is RawNumber = (value) => raw.isRawJSON(value);

/** A number that keeps its source text when written. `source` must be one JSON number. */
export const rawNumber = (source: string): RawNumber => raw.rawJSON(source);

/**
 * Finds a number that may not survive a double, so that the much faster `JSON.parse` handles all other texts. It may
 * also match inside a string, which only costs time.
 */
const maybeLossy =
  /[:[,\s](?:-?\d{16}|-?[\d.]{17}|-?0\.0{6}|-?\d+\.\d*0(?=[\s,\]}]|$)|-?\d+(?:\.\d+)?[eE]|-0(?![.\d]))/;

/**
 * Parses JSON text; numbers that a double would change become {@link RawNumber}.
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseLossless(text: string): JsonValue {
  if (!maybeLossy.test(text) && !/^-?\d/.test(text)) {
    return JSON.parse(text) as JsonValue;
  }
  const keepSource = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? raw.rawJSON(context.source)
      : value;
  return JSON.parse(text, keepSource) as JsonValue;
}

/** Writes JSON text; a {@link RawNumber} is written verbatim. */
export function stringify(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** The member of an object; `undefined` if it does not exist or the value is not an object. */
export const getMember = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
