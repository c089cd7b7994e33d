/**
 * Lossless JSON: a number that JavaScript would write differently (beyond 2⁵³, `1.0`, `1e3`, `-0`, more digits than a
 * double can represent) keeps its source text and is written unchanged (decisions.md, "REST client").
 */

/** A number represented by its source text, which `JSON.stringify` writes verbatim. */
export interface RawNumber {
  readonly rawJSON: string;
}

export type JsonValue = null | boolean | number | string | RawNumber | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The keys and indexes that lead from the root to a value. */
export type JsonPath = readonly (string | number)[];

interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

/** `JSON.rawJSON` and `JSON.isRawJSON` are in Node 24; TypeScript's library does not declare them yet. */
const rawJsonApi = JSON as unknown as RawJson;

export const isRawNumber: (value: unknown) => value is RawNumber = (value) => rawJsonApi.isRawJSON(value);

/** Creates a number from its source text, which must be a single valid JSON number. */
export const createRawNumber = (source: string): RawNumber => rawJsonApi.rawJSON(source);

/**
 * Matches a number that a double may change. All other texts can use plain `JSON.parse`, which is much faster. A match
 * inside a string only costs time.
 */
const maybeLossyPattern =
  /[:[,\s](?:-?\d{16}|-?[\d.]{17}|-?0\.0{6}|-?\d+\.\d*0(?=[\s,\]}]|$)|-?\d+(?:\.\d+)?[eE]|-0(?![.\d]))/;

/**
 * Parses JSON text; numbers that a double would change become {@link RawNumber}.
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseLossless(text: string): JsonValue {
  if (!maybeLossyPattern.test(text) && !/^-?\d/.test(text)) {
    return JSON.parse(text) as JsonValue;
  }
  const keepSource = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? rawJsonApi.rawJSON(context.source)
      : value;
  return JSON.parse(text, keepSource) as JsonValue;
}

/** Converts a value to JSON text; each {@link RawNumber} is written verbatim. */
export function stringify(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/**
 * Returns an object with the mapped members of another one, without those that `map` returns `undefined` for. Faster
 * than a list of entries.
 */
export function mapMembers(
  object: JsonObject,
  map: (value: JsonValue, name: string) => JsonValue | undefined,
): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of Object.keys(object)) {
    const value = map(object[name] ?? null, name);
    if (value !== undefined) {
      setMember(result, name, value);
    }
  }
  return result;
}

/** Returns an object with some members of another one, in the given order; missing ones are null. */
export function pickMembers(object: JsonObject, names: readonly string[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of names) {
    setMember(result, name, object[name] ?? null);
  }
  return result;
}

/** Sets a member of an object that is being created, whatever its name is. */
function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  } else {
    object[name] = value;
  }
}

/** Returns a member of an object; `undefined` if it does not exist or the value is not an object. */
export const getMember = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
