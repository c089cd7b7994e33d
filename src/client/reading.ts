import type * as z from 'zod';
import { type JsonObject, type JsonValue, isJsonObject, isRawNumber, parseLossless } from '../base/json.ts';
import type { PartialResult } from '../contract/partialResult.ts';
import type { ApiResponse } from './apiResponse.ts';
import { AbsentError, PartialResponseError, SchemaError } from './errors.ts';
import { readItem, parseItems } from './partialReading.ts';
import type { RawResponse } from './send.ts';

/** @throws SchemaError if the response is a web page: of a login form, a proxy or another server */
function rejectWebPage(raw: RawResponse): void {
  if (raw.webPage !== undefined) {
    throw new SchemaError(raw.requestInfo, {
      status: raw.status,
      problem: 'html',
      serverMessage: raw.webPage.serverMessage,
    });
  }
}

/**
 * The response as lossless JSON.
 * @throws SchemaError for a page, an empty, truncated, wrongly encoded or otherwise unreadable body
 */
export function parseResponseJson(raw: RawResponse): JsonValue {
  const { requestInfo, status, text } = raw;
  rejectWebPage(raw);
  if (text.trim() === '') {
    throw new SchemaError(requestInfo, { status, problem: 'empty' });
  }
  if (!raw.isUtf8) {
    // A document sent back to the server would contain replacements for these characters.
    throw new SchemaError(requestInfo, { status, problem: 'not-utf-8' });
  }
  try {
    return parseLossless(text);
  } catch {
    // The parser's message quotes the body, so it is not passed on.
    throw new SchemaError(requestInfo, { status, problem: isTruncated(text) ? 'truncated' : 'not-json' });
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
export function readOne<T>(raw: RawResponse, schema: z.ZodType<T>): ApiResponse<T> {
  const json = parseResponseJson(raw);
  if (json === null) {
    throw new AbsentError(raw.requestInfo, raw.status);
  }
  const { parsed, unreadable } = readItem(schema, json, []);
  if (parsed === undefined) {
    const [{ faultPath: path, expected } = { faultPath: [], expected: undefined }] = unreadable;
    throw new SchemaError(raw.requestInfo, {
      status: raw.status,
      problem: 'wrong-shape',
      path,
      ...(expected === undefined ? {} : { expected }),
    });
  }
  return requireCompleteResponse(raw, json, { value: parsed.data, unreadable });
}

/** @throws PartialResponseError if not all of it could be read */
function requireCompleteResponse<T>(
  raw: RawResponse,
  json: JsonValue,
  readable: PartialResult<T>,
): ApiResponse<T> {
  if (readable.unreadable.length > 0) {
    throw new PartialResponseError(raw.requestInfo, {
      readable,
      response: createResponse(raw, json, undefined),
    });
  }
  return createResponse(raw, json, readable.value);
}

const createResponse = <T>(
  { text, status }: RawResponse,
  json: JsonValue | undefined,
  value: T,
): ApiResponse<T> => ({
  value,
  text,
  json,
  status,
});

/** The keys that may contain the ID of an item (platform-facts.md, 0). */
const idKeys = ['oid', '_id', 'id'] as const;

/** The ID of an item in a response, under any of the keys. */
export const getItemId = (value: JsonObject): string | undefined =>
  idKeys.map((key) => value[key]).find((id): id is string => typeof id === 'string' && id !== '');

/** A list in any of its forms: the items, and their position in the response. */
interface ItemList {
  readonly items: readonly JsonValue[];
  readonly path: readonly string[];
  readonly total: number | undefined;
}

interface ListOptions {
  /**
   * True if `null` means that a look-up found nothing (platform-facts.md, 2.1); by default, `null` instead of a list is
   * an error.
   */
  readonly treatsNullAsEmpty?: boolean;
}

/** An array, an object with an array and a total, or a single item (platform-facts.md, 2.1, 4). */
function readItemList(raw: RawResponse, { treatsNullAsEmpty = false }: ListOptions = {}): ItemList {
  const json = parseResponseJson(raw);
  if (Array.isArray(json)) {
    return { items: json as readonly JsonValue[], path: [], total: undefined };
  }
  if (json === null && treatsNullAsEmpty) {
    return { items: [], path: [], total: undefined };
  }
  if (isJsonObject(json)) {
    if (getItemId(json) !== undefined) {
      return { items: [json], path: [], total: undefined };
    }
    const list = Object.entries(json).find(([, value]) => Array.isArray(value));
    if (list !== undefined) {
      return { items: list[1] as readonly JsonValue[], path: [list[0]], total: readTotal(json) };
    }
  }
  throw new SchemaError(raw.requestInfo, { status: raw.status, problem: 'wrong-shape', expected: 'array' });
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
  raw: RawResponse,
  schema: z.ZodType<T>,
  options?: ListOptions,
): ApiResponse<readonly T[]> {
  const { items, path } = readItemList(raw, options);
  const { parsedItems, ...unreadablePart } = parseItems(schema, items, path);
  return requireCompleteResponse(raw, items, { value: parsedItems, ...unreadablePart });
}

/**
 * Reads a list with the total count, if the server reports it (platform-facts.md, 4).
 * @throws PartialResponseError if some of its items cannot be read
 */
export function readPage<T, Page>(
  raw: RawResponse,
  schema: z.ZodType<T>,
  createPage: (items: readonly T[], total: number | undefined) => Page,
): ApiResponse<Page> {
  const { items, path, total } = readItemList(raw);
  const { parsedItems, ...unreadablePart } = parseItems(schema, items, path);
  return requireCompleteResponse(raw, items, { value: createPage(parsedItems, total), ...unreadablePart });
}

/**
 * Reads any JSON, and plain text as a string, since the body of the response is not documented (rest-api.md, "What is
 * not described").
 */
export function readAnyJson(raw: RawResponse): ApiResponse<JsonValue | undefined> {
  rejectWebPage(raw);
  const json = parseLenient(raw);
  return createResponse(raw, json, json);
}

/**
 * Reads the response of a write, if it contains the written item: bodies of such responses are not documented
 * (rest-api.md, "Datamodel API" 6), so anything but a web page or a truncated body is tolerated, and anything other
 * than the item becomes `undefined`. The ID may be in `oid`, `id` or `_id`; it is added as `idKey`.
 */
export function readWrittenItem<T>(
  raw: RawResponse,
  schema: z.ZodType<T>,
  idKey: 'oid' | '_id' | 'id',
): ApiResponse<T | undefined> {
  rejectWebPage(raw);
  const json = parseLenient(raw);
  return createResponse(raw, json, toWrittenItem(json, schema, idKey));
}

/** Like {@link readWrittenItem}, for a write of several items; a single one becomes a list of one. */
export function readWrittenItems<T>(
  raw: RawResponse,
  schema: z.ZodType<T>,
  idKey: 'oid' | '_id' | 'id',
): ApiResponse<readonly T[] | undefined> {
  rejectWebPage(raw);
  const json = parseLenient(raw);
  const items: readonly JsonValue[] = Array.isArray(json) ? json : [json ?? null];
  const values = items.map((item) => toWrittenItem(item, schema, idKey));
  const value = values.filter((item) => item !== undefined);
  return createResponse(raw, json, value.length === values.length ? value : undefined);
}

/**
 * Reads the response of a write, and ignores its body.
 * @throws SchemaError if the body is a web page: the platform did not respond
 */
export function readIgnoringBody(raw: RawResponse): ApiResponse<undefined> {
  rejectWebPage(raw);
  return createResponse(raw, undefined, undefined);
}

function toWrittenItem<T>(
  json: JsonValue | undefined,
  schema: z.ZodType<T>,
  idKey: 'oid' | '_id' | 'id',
): T | undefined {
  if (!isJsonObject(json)) {
    return undefined;
  }
  const id = getItemId(json);
  return schema.safeParse(id === undefined ? json : { ...json, [idKey]: json[idKey] ?? id }).data;
}

/** Parses JSON, or returns the text if it is not JSON; `undefined` for an empty body. A truncated body is an error. */
function parseLenient(raw: RawResponse): JsonValue | undefined {
  const { requestInfo, status, text } = raw;
  if (text.trim() === '') {
    return undefined;
  }
  try {
    return parseLossless(text);
  } catch {
    if (isTruncated(text)) {
      throw new SchemaError(requestInfo, { status, problem: 'truncated' });
    }
    // Plain words such as "OK": the status already means success.
    return text;
  }
}
