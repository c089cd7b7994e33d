import { findNodeAtPath, getLiteralText } from '../json/text/jsonNode.ts';
import type { JsonDocument } from '../json/text/parseJson.ts';

/** Where a column stands in the text of its table; `undefined` where the text has none of this oid. */
export function findColumnSpan(
  { root }: JsonDocument,
  columnId: string,
): { readonly start: number; readonly end: number } | undefined {
  const columns = findNodeAtPath(root, ['columns'])?.node;
  return columns?.kind === 'array'
    ? columns.items.find((column) => getLiteralText(findNodeAtPath(column, ['oid'])?.node) === columnId)
    : undefined;
}
