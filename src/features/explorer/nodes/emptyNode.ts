import * as vscode from 'vscode';
import type { ExplorerNode } from './node.ts';

/** Says that there is nothing below a node, so that emptiness is never mistaken for a failure. */
export class EmptyNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #text: string;

  constructor(parent: ExplorerNode, text: string) {
    this.id = `${parent.id}/empty`;
    this.parent = parent;
    this.#text = text;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'empty';
    return item;
  }
}
