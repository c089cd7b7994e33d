import * as vscode from 'vscode';
import type { ExplorerNode } from './nodes/node.ts';
import { toSqlReference } from './nodeReferences.ts';

/** Adds the quoted SQL names of dragged tables and columns to a drag, which inserts them in an editor. */
export function addDragData(nodes: readonly ExplorerNode[], data: vscode.DataTransfer): void {
  const names = nodes.map(toSqlReference).filter((name) => name !== undefined);
  if (names.length > 0) {
    data.set('text/plain', new vscode.DataTransferItem(names.join(', ')));
  }
}
