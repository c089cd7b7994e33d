import * as vscode from 'vscode';
import type { ExplorerNode } from './nodes/node.ts';
import { toSqlReference } from './nodeReferences.ts';

const textMimeType = 'text/plain';

/** Lets the user drag tables and columns into an editor, which inserts their quoted SQL names. */
export class DragController implements vscode.TreeDragAndDropController<ExplorerNode> {
  readonly dragMimeTypes = [textMimeType];
  readonly dropMimeTypes = [];

  handleDrag(nodes: readonly ExplorerNode[], data: vscode.DataTransfer): void {
    const names = nodes.map(toSqlReference).filter((name) => name !== undefined);
    if (names.length > 0) {
      data.set(textMimeType, new vscode.DataTransferItem(names.join(', ')));
    }
  }
}
