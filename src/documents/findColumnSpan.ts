import { findNodeAtPath, getLiteralText } from '../json/text/jsonNode.ts';
import type { JsonDocument } from '../json/text/parseJsonTree.ts';

/** Finds the position of a column in the text of its table; `undefined` if the text has no column with this oid. */
export function findColumnSpan(
  { root }: JsonDocument,
  columnId: string,
): { readonly start: number; readonly end: number } | undefined {
  const columns = findNodeAtPath(root, ['columns'])?.node;
  return columns?.kind === 'array'
    ? columns.items.find((column) => getLiteralText(findNodeAtPath(column, ['oid'])?.node) === columnId)
    : undefined;
}
