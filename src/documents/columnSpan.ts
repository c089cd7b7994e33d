import { nodeAt, textOf } from '../json/text/jsonNode.ts';
import type { JsonDocument } from '../json/text/parseJson.ts';

/** Where a column stands in the text of its table; `undefined` where the text has none of this oid. */
export function columnSpan(
  { root }: JsonDocument,
  columnId: string,
): { readonly start: number; readonly end: number } | undefined {
  const columns = nodeAt(root, ['columns'])?.node;
  return columns?.kind === 'array'
    ? columns.items.find((column) => textOf(nodeAt(column, ['oid'])?.node) === columnId)
    : undefined;
}
