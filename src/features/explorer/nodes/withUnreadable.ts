import type { Unread } from '../../../contract/readable.ts';
import type { ExplorerNode } from './node.ts';

/** The nodes of a list, and one more where some of it could not be read; its words are loaded when that happens. */
export async function withUnreadable(
  parent: ExplorerNode,
  unread: Unread,
  nodes: readonly ExplorerNode[],
): Promise<readonly ExplorerNode[]> {
  if (unread.unreadable.length === 0) {
    return nodes;
  }
  const { UnreadableNode } = await import('./unreadableNode.ts');
  return [new UnreadableNode(parent, unread), ...nodes];
}
