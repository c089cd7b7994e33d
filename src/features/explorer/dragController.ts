import * as vscode from 'vscode';
import type { ExplorerNode } from './nodes/node.ts';
import { toSqlReference } from './reference.ts';

const textType = 'text/plain';

/** Lets tables and columns be dragged into an editor, as SQL names them. */
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
