import type * as z from 'zod';
import { type JsonObject, type JsonValue, isJsonObject, isRawNumber, parseLossless } from '../base/json.ts';
import type { PartialResult } from '../contract/partialResult.ts';
import type { Answer } from './answer.ts';
import { AbsentError, PartialAnswerError, SchemaError } from './errors.ts';
import { readItem, readItems } from './partialReading.ts';
import type { RawAnswer } from './send.ts';

/** @throws SchemaError if the response is a web page: of a login form, a proxy or another server */
function rejectWebPage(raw: RawAnswer): void {
  if (raw.page !== undefined) {
    throw new SchemaError(raw.operation, { status: raw.status, problem: 'html', words: raw.page.words });
  }
}

/**
 * The response as lossless JSON.
 * @throws SchemaError for a page, an empty, truncated, wrongly encoded or otherwise unreadable body
 */
export function parseAnswerJson(raw: RawAnswer): JsonValue {
  const { operation, status, text } = raw;
  rejectWebPage(raw);
  if (text.trim() === '') {
    throw new SchemaError(operation, { status, problem: 'empty' });
  }
  if (!raw.isUtf8) {
    // A document sent back to the server would contain replacements for these characters.
    throw new SchemaError(operation, { status, problem: 'not-utf-8' });
  }
  try {
    return parseLossless(text);
  } catch {
    // The parser's message quotes the body, so it is not passed on.
    throw new SchemaError(operation, { status, problem: isTruncated(text) ? 'truncated' : 'not-json' });
  }
}

/** True for a text that begins as a JSON array or object and does not end as one. */
function isTruncated(text: string): boolean {
  const trimmed = text.trim();
  return (
    (trimmed.startsWith('{') && !trimmed.endsWith('}')) || (trimmed.startsWith('[') && !trimmed.endsWith(']'))
  );
}

/**
 * Reads a single item.
 * @throws AbsentError for `null`, which some versions return for an item that does not exist (platform-facts.md, 2.1)
 */
export function readOne<T>(raw: RawAnswer, schema: z.ZodType<T>): Answer<T> {
  const json = parseAnswerJson(raw);
  if (json === null) {
    throw new AbsentError(raw.operation, raw.status);
  }
  const { read, unreadable } = readItem(schema, json, []);
  if (read === undefined) {
    const [{ at: path, expected } = { at: [], expected: undefined }] = unreadable;
    throw new SchemaError(raw.operation, {
      status: raw.status,
      problem: 'wrong-shape',
      path,
      ...(expected === undefined ? {} : { expected }),
    });
  }
  return requireCompleteAnswer(raw, json, { value: read.data, unreadable });
}

/** @throws PartialResponseError if not all of it could be read */
function requireCompleteAnswer<T>(raw: RawAnswer, json: JsonValue, readable: PartialResult<T>): Answer<T> {
  if (readable.unreadable.length > 0) {
    throw new PartialAnswerError(raw.operation, { readable, answer: createAnswer(raw, json, undefined) });
  }
  return createAnswer(raw, json, readable.value);
}

const createAnswer = <T>({ text, status }: RawAnswer, json: JsonValue | undefined, value: T): Answer<T> => ({
  value,
  text,
  json,
  status,
});

/** The keys that may contain the ID of an item (platform-facts.md, 0). */
const idKeys = ['oid', '_id', 'id'] as const;

/** The ID of an item that a write returned, under any of the keys. */
export const getAnswerId = (value: JsonObject): string | undefined =>
  idKeys.map((key) => value[key]).find((id): id is string => typeof id === 'string' && id !== '');

/** A list in any of its forms: the items, and their position in the response. */
interface Items {
  readonly items: readonly JsonValue[];
  readonly path: readonly string[];
  readonly total: number | undefined;
}

/**
 * `isNullEmpty`: true if `null` means that a look-up found nothing (platform-facts.md, 2.1); otherwise `null` in place
 * of a list is an error.
 */
interface ListOptions {
  readonly nullIsNone?: boolean;
}

/** An array, an object with an array and a total, or a single item (platform-facts.md, 2.1, 4). */
function readItemList(raw: RawAnswer, { nullIsNone = false }: ListOptions = {}): Items {
  const json = parseAnswerJson(raw);
  if (Array.isArray(json)) {
    return { items: json as readonly JsonValue[], path: [], total: undefined };
  }
  if (json === null && nullIsNone) {
    return { items: [], path: [], total: undefined };
  }
  if (isJsonObject(json)) {
    if (getAnswerId(json) !== undefined) {
      return { items: [json], path: [], total: undefined };
    }
    const list = Object.entries(json).find(([, value]) => Array.isArray(value));
    if (list !== undefined) {
      return { items: list[1] as readonly JsonValue[], path: [list[0]], total: readTotal(json) };
    }
  }
  throw new SchemaError(raw.operation, { status: raw.status, problem: 'wrong-shape', expected: 'array' });
}

function readTotal(json: JsonObject): number | undefined {
  for (const key of ['total', 'totalCount', 'count']) {
    const value = json[key];
    const total = isRawNumber(value) ? Number(value.rawJSON) : value;
    if (typeof total === 'number' && Number.isFinite(total)) {
      return total;
    }
  }
  return undefined;
}

/**
 * Reads a list in any of its forms; its JSON is the items alone.
 * @throws PartialResponseError if some of its items cannot be read
 * @throws SchemaError if it is not a list: reading it as an empty one would mean that nothing exists
 */
export function readList<T>(
  raw: RawAnswer,
  schema: z.ZodType<T>,
  options?: ListOptions,
): Answer<readonly T[]> {
  const { items, path } = readItemList(raw, options);
  const { read, ...unread } = readItems(schema, items, path);
  return requireCompleteAnswer(raw, items, { value: read, ...unread });
}

/**
 * Reads a list with the total count, if the server reports it (platform-facts.md, 4).
 * @throws PartialResponseError if some of its items cannot be read
 */
export function readPage<T, Page>(
  raw: RawAnswer,
  schema: z.ZodType<T>,
  pageOf: (items: readonly T[], total: number | undefined) => Page,
): Answer<Page> {
  const { items, path, total } = readItemList(raw);
  const { read, ...unread } = readItems(schema, items, path);
  return requireCompleteAnswer(raw, items, { value: pageOf(read, total), ...unread });
}

/**
 * Reads any JSON, and plain text as a string, since the body of the response is not documented (rest-api.md, "What is
 * not described").
 */
export function readAnyJson(raw: RawAnswer): Answer<JsonValue | undefined> {
  rejectWebPage(raw);
  const json = parseLenient(raw);
  return createAnswer(raw, json, json);
}

/**
 * Reads the response of a write, if it contains the written item: bodies of such responses are not documented
 * (rest-api.md, "Datamodel API" 6), so anything but a web page or a truncated body is tolerated, and anything other
 * than the item becomes `undefined`. The ID may be in `oid`, `id` or `_id`; it is added as `idKey`.
 */
export function readWritten<T>(
  raw: RawAnswer,
  schema: z.ZodType<T>,
  idKey: 'oid' | '_id' | 'id',
): Answer<T | undefined> {
  rejectWebPage(raw);
  const json = parseLenient(raw);
  return createAnswer(raw, json, readWrittenValue(json, schema, idKey));
}

/** Like {@link readWritten}, for a write of several items; a single one becomes a list of one. */
export function readWrittenList<T>(
  raw: RawAnswer,
  schema: z.ZodType<T>,
  idKey: 'oid' | '_id' | 'id',
): Answer<readonly T[] | undefined> {
  rejectWebPage(raw);
  const json = parseLenient(raw);
  const items: readonly JsonValue[] = Array.isArray(json) ? json : [json ?? null];
  const read = items.map((item) => readWrittenValue(item, schema, idKey));
  const value = read.filter((item) => item !== undefined);
  return createAnswer(raw, json, value.length === read.length ? value : undefined);
}

/** Reads the response of a write whose body is ignored. */
export function readEmptyAnswer(raw: RawAnswer): Answer<undefined> {
  rejectWebPage(raw);
  return createAnswer(raw, undefined, undefined);
}

function readWrittenValue<T>(
  json: JsonValue | undefined,
  schema: z.ZodType<T>,
  idKey: 'oid' | '_id' | 'id',
): T | undefined {
  if (!isJsonObject(json)) {
    return undefined;
  }
  const id = getAnswerId(json);
  return schema.safeParse(id === undefined ? json : { ...json, [idKey]: json[idKey] ?? id }).data;
}

/** Parses JSON, or returns the text if it is not JSON; `undefined` for an empty body. A truncated body is an error. */
function parseLenient(raw: RawAnswer): JsonValue | undefined {
  const { operation, status, text } = raw;
  if (text.trim() === '') {
    return undefined;
  }
  try {
    return parseLossless(text);
  } catch {
    if (isTruncated(text)) {
      throw new SchemaError(operation, { status, problem: 'truncated' });
    }
    // Plain words such as "OK": the status already means success.
    return text;
  }
}
