import { isRawNumber, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { parseWholeNumberParameter } from '../validation.ts';
import { parseDocument, pickDocumentMembers } from '../documents.ts';

type QueryReader = (name: string) => string | undefined;

/** Returns the member names of the query parameter `fields` (platform-facts.md, 2.1); `undefined` if it is absent. */
export function readFields(query: QueryReader): readonly string[] | undefined {
  const fields = query('fields');
  return fields === undefined || fields.trim() === ''
    ? undefined
    : fields.split(',').map((name) => name.trim());
}

/** Returns a document with only the given root members; all of them if `fields` is `undefined`. */
export function selectFields(text: string, fields: readonly string[] | undefined): string {
  return fields === undefined ? text : stringify(pickDocumentMembers(parseDocument(text), fields));
}

/**
 * Sorts and pages documents by the query parameters `sort` (a root member, with `-` before it for descending order),
 * `skip` and `limit` (platform-facts.md, 2.1). The sort is stable; documents without a value come last.
 * @throws HttpProblem 400 when `skip` or `limit` is not a whole number.
 */
export function pageDocuments(texts: readonly string[], query: QueryReader): readonly string[] {
  const skip = parseWholeNumberParameter('skip', query('skip')) ?? 0;
  const limit = parseWholeNumberParameter('limit', query('limit'));
  const sort = query('sort');
  const sortedTexts = sort === undefined || sort === '' ? texts : sortDocuments(texts, sort);
  return skip === 0 && limit === undefined
    ? sortedTexts
    : sortedTexts.slice(skip, limit === undefined ? undefined : skip + limit);
}

function sortDocuments(texts: readonly string[], sort: string): readonly string[] {
  const direction = sort.startsWith('-') ? -1 : 1;
  const member = sort.replace(/^[-+]/, '');
  return texts
    .map((text) => ({ text, key: getSortKey(parseDocument(text), member) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, direction))
    .map(({ text }) => text);
}

function getSortKey(document: JsonObject, member: string): string | number | undefined {
  const value: JsonValue | undefined = document[member];
  if (isRawNumber(value)) {
    return Number(value.rawJSON);
  }
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function compareSortKeys(
  a: string | number | undefined,
  b: string | number | undefined,
  direction: 1 | -1,
): number {
  if (a === undefined || b === undefined) {
    return Number(a === undefined) - Number(b === undefined);
  }
  if (a === b) {
    return 0;
  }
  return a < b ? -direction : direction;
}
