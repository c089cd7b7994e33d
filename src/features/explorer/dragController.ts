import * as vscode from 'vscode';
import type { ExplorerNode } from './nodes/node.ts';
import { toSqlReference } from './reference.ts';

const textType = 'text/plain';

/** Lets the user drag tables and columns into an editor, which inserts their quoted SQL names. */
export class DragController implements vscode.TreeDragAndDropController<ExplorerNode> {
  readonly dragMimeTypes = [textType];
  readonly dropMimeTypes = [];

  handleDrag(nodes: readonly ExplorerNode[], data: vscode.DataTransfer): void {
    const names = nodes.map(toSqlReference).filter((name) => name !== undefined);
    if (names.length > 0) {
      data.set(textType, new vscode.DataTransferItem(names.join(', ')));
    }
  }
}
