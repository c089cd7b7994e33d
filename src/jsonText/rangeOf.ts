import { findNodeAtLocation } from 'jsonc-parser';
import type { JsonText } from './jsonText.ts';

/** Where a part of the document stands; as much of the path as there is. */
export function rangeOf(
  json: JsonText,
  path: readonly (string | number)[],
): { readonly start: number; readonly end: number } {
  for (let length = path.length; length >= 0 && json.root !== undefined; length -= 1) {
    const node = findNodeAtLocation(json.root, path.slice(0, length));
    if (node !== undefined) {
      return { start: node.offset, end: node.offset + node.length };
    }
  }
  return { start: 0, end: 0 };
}
