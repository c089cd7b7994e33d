import * as vscode from 'vscode';
import type { Unread } from '../../../contract/readable.ts';
import { type ExplorerNode, type NodeOfConnection, nodeIds } from './node.ts';
import { commandLink } from '../../../platform/commands.ts';

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

/** What makes the first of what is missing, as the menus call it. */
export interface EmptyWayOn {
  readonly title: string;
  readonly command:
    | 'datamodelStudio.explorer.addCubeSet'
    | 'datamodelStudio.resources.newDatamodel'
    | 'datamodelStudio.resources.newDataset'
    | 'datamodelStudio.resources.newTable'
    | 'datamodelStudio.resources.newCustomTable'
    | 'datamodelStudio.resources.newRelation'
    | 'datamodelStudio.resources.newViewpoint'
    | 'datamodelStudio.resources.newCustomData';
}

/**
 * Says that there is nothing below a node, so that emptiness is never mistaken for a failure, and leads on where
 * something can be made.
 */
export class EmptyNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #text: string;
  readonly #wayOn: EmptyWayOn | undefined;

  constructor(parent: ExplorerNode, text: string, wayOn?: EmptyWayOn) {
    this.id = `${parent.id}/empty`;
    this.parent = parent;
    this.#text = text;
    this.#wayOn = wayOn;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'empty';
    if (this.#wayOn !== undefined) {
      const { title, command } = this.#wayOn;
      item.description = title;
      item.command = commandLink(command, title, this.parent);
    }
    return item;
  }
}

/** A node whose children come page by page. */
export interface PagedNode extends ExplorerNode {
  /** Loads the next page; the children are asked for again afterwards. */
  more(): Promise<unknown>;
}

/** Stands at the end of a list of which more can be loaded. */
export class LoadMoreNode implements ExplorerNode {
  readonly id: string;
  readonly parent: PagedNode;
  readonly #shown: number;
  readonly #total: number | undefined;

  constructor(parent: PagedNode, shown: number, total: number | undefined) {
    this.id = `${parent.id}/more`;
    this.parent = parent;
    this.#shown = shown;
    this.#total = total;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Load more'));
    item.description =
      this.#total === undefined
        ? vscode.l10n.t('{0} shown', this.#shown)
        : vscode.l10n.t('{0} of {1} shown', this.#shown, this.#total);
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.contextValue = 'more';
    item.command = commandLink('datamodelStudio.explorer.loadMore', vscode.l10n.t('Load more'), this.parent);
    return item;
  }
}

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
