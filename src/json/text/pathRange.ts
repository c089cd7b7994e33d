import { findNodeAtPath } from './jsonNode.ts';
import type { JsonDocument } from './parseJsonTree.ts';

/** Returns the range of the value at a path, or of its nearest existing ancestor. */
export function getPathRange(
  json: Pick<JsonDocument, 'root'>,
  path: readonly (string | number)[],
): { readonly start: number; readonly end: number } {
  for (let length = path.length; length >= 0 && json.root !== undefined; length -= 1) {
    const node = findNodeAtPath(json.root, path.slice(0, length))?.node;
    if (node !== undefined) {
      return { start: node.start, end: node.end };
    }
  }
  return { start: 0, end: 0 };
}
