import * as vscode from 'vscode';
import type { ExplorerNode, NodeOfConnection } from './node.ts';
import { nodeIds } from './nodeIds.ts';

/** How many nodes are shown in one list: drawing many more of them at once can be felt. */
const pieceSize = 250;

type NodeOf<Thing> = (parent: NodeOfConnection, thing: Thing, index: number) => ExplorerNode;

/**
 * A list as nodes. Of a long one all pieces but the last are folded: the editor draws all children of a node anew when
 * one of them changes, and the last piece is where somebody who loads more is looking. The id of a node must not
 * depend on whether it is in a piece.
 */
export function inPieces<Thing>(
  parent: NodeOfConnection,
  things: readonly Thing[],
  nodeOf: NodeOf<Thing>,
): readonly ExplorerNode[] {
  const folded = Math.max(0, Math.floor((things.length - 1) / pieceSize)) * pieceSize;
  const pieces = Array.from({ length: folded / pieceSize }, (_, index) => {
    const start = index * pieceSize;
    return new PieceNode(parent, start, things.slice(start, start + pieceSize), nodeOf);
  });
  const rest = things.slice(folded).map((thing, index) => nodeOf(parent, thing, folded + index));
  return [...pieces, ...rest];
}

/** A piece of a long list, folded. */
export class PieceNode<Thing> implements NodeOfConnection {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly connectionId: string;
  readonly #start: number;
  readonly #things: readonly Thing[];
  readonly #nodeOf: NodeOf<Thing>;

  constructor(parent: NodeOfConnection, start: number, things: readonly Thing[], nodeOf: NodeOf<Thing>) {
    this.id = nodeIds.piece(parent.id, start);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#start = start;
    this.#things = things;
    this.#nodeOf = nodeOf;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(
      vscode.l10n.t('{0} to {1}', this.#start + 1, this.#start + this.#things.length),
      vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.iconPath = new vscode.ThemeIcon('fold');
    item.contextValue = 'piece';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    return this.#things.map((thing, index) => this.#nodeOf(this, thing, this.#start + index));
  }
}
