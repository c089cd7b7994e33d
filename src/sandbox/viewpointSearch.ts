import * as z from 'zod';
import { viewpointSearchSchema } from '../contract/viewpoint.ts';
import { parseWithSchema, parseRequestJson, toPlainValue } from './validation.ts';
import { createValidationProblem } from './problem.ts';
import type { ViewpointStoreQuery } from './store/viewpointStore.ts';

/** A viewpoint search: conditions for the database, and parts of complex properties to find in the documents. */
export interface ParsedViewpointSearch {
  readonly query: ViewpointStoreQuery;
  /** The parts of complex properties that a viewpoint must contain; absent if the search has none. */
  readonly complexProperties?: { readonly visibility: unknown; readonly details: unknown };
}

/** A search with only known fields (rest-api.md, "ViewpointSearch"): ignoring one would silently widen the result. */
const strictSearchSchema = z.strictObject(viewpointSearchSchema.shape);

/**
 * Parses the `search` query parameter, the JSON text of a ViewpointSearch (rest-api.md, "ViewpointSearch").
 * @throws HttpProblem 400 for malformed JSON, unknown fields, wrong types and invalid times.
 */
export function parseViewpointSearch(
  text: string | undefined,
  tenant: string | undefined,
): ParsedViewpointSearch {
  if (text === undefined || text.trim() === '') {
    return { query: { tenant } };
  }
  const search = parseWithSchema(strictSearchSchema, toPlainValue(parseRequestJson(text, 'search')), [
    'search',
  ]);
  const query: ViewpointStoreQuery = {
    tenant,
    id: search.id ?? undefined,
    name: search.name ?? undefined,
    description: search.description ?? undefined,
    text: search.text ?? undefined,
    updatedAfter: parseTime('after', search.lastUpdate?.after),
    updatedBefore: parseTime('before', search.lastUpdate?.before),
  };
  const { visibility, details } = search;
  return visibility || details
    ? { query, complexProperties: { visibility: visibility ?? {}, details: details ?? {} } }
    : { query };
}

/**
 * Parses a timestamp in milliseconds or an ISO datetime (rest-api.md, "ViewpointSearch"); returns milliseconds, or
 * `undefined` if there is no value. Throws an HttpProblem 400 for any other text.
 */
function parseTime(name: string, value: string | number | null | undefined): number | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const time = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  if (!Number.isFinite(time)) {
    throw createValidationProblem(
      `search/lastUpdate/${name}: "${value}" is neither a timestamp nor an ISO datetime`,
    );
  }
  return time;
}

/**
 * Returns true if `whole` contains the partial structure `part` (rest-api.md, "ViewpointSearch": `visibility` and
 * `details`). Object members match by name; each array item of `part` must match any item of `whole`.
 */
export function containsStructure(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      part.every((item) => whole.some((candidate) => containsStructure(candidate, item)))
    );
  }
  if (typeof part === 'object' && part !== null) {
    return (
      typeof whole === 'object' &&
      whole !== null &&
      Object.entries(part).every(
        ([name, value]) =>
          Object.hasOwn(whole, name) && containsStructure((whole as Record<string, unknown>)[name], value),
      )
    );
  }
  return whole === part;
}
