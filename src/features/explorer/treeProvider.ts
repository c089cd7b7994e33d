import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { ConnectionNode } from './nodes/connectionNode.ts';
import { ErrorNode } from './nodes/messageNode.ts';
import type { ExplorerModel, ExplorerNode } from './nodes/node.ts';

/** The explorer's tree. Nodes answer for themselves; a failed load becomes a node that says so. */
export class ExplorerTreeProvider implements vscode.TreeDataProvider<ExplorerNode> {
  readonly #model: ExplorerModel;
  readonly #log: Log;
  /** The nodes as they were last handed to the editor, which knows them by identity. */
  readonly #shown = new Map<string, ExplorerNode>();
  readonly #onDidChange = new vscode.EventEmitter<ExplorerNode | undefined>();
  readonly onDidChangeTreeData = this.#onDidChange.event;

  constructor(model: ExplorerModel, log: Log) {
    this.#model = model;
    this.#log = log;
  }

  getTreeItem(node: ExplorerNode): vscode.TreeItem {
    const item = node.item();
    item.id = node.id;
    return item;
  }

  getParent(node: ExplorerNode): ExplorerNode | undefined {
    return node.parent;
  }

  async getChildren(node?: ExplorerNode): Promise<ExplorerNode[]> {
    const children = node === undefined ? this.#roots() : await this.#childrenOf(node);
    for (const child of children) {
      this.#shown.set(child.id, child);
    }
    return [...children];
  }

  /** Draws a node anew, or the whole tree; what is not shown needs no drawing. */
  redraw(id?: string): void {
    const node = id === undefined ? undefined : this.#shown.get(id);
    if (id === undefined || node !== undefined) {
      this.#onDidChange.fire(node);
    }
  }

  /** Asks the server anew for what is below a node, or for everything. */
  async refresh(id?: string): Promise<void> {
    const node = id === undefined ? undefined : this.#shown.get(id);
    if (node === undefined) {
      await Promise.all(this.#roots().map((root) => root.reload()));
    } else {
      await node.reload?.();
    }
    this.redraw(node?.id);
  }

  #roots(): readonly ConnectionNode[] {
    return this.#model.connections.all.map((connection) => new ConnectionNode(this.#model, connection));
  }

  async #childrenOf(node: ExplorerNode): Promise<readonly ExplorerNode[]> {
    try {
      return (await node.children?.()) ?? [];
    } catch (error) {
      this.#log.warn('explorer', 'Loading failed', { node: node.id, reason: String(error) });
      return [new ErrorNode(node, error)];
    }
  }
}
