import * as vscode from 'vscode';
import type { NameFilter } from '../../../catalog/nameFilter.ts';
import type { UnreadableItems } from '../../../contract/partialResult.ts';
import { type ExplorerNode, type ConnectionChildNode, nodeIds } from './node.ts';
import { createCommand } from '../../../platform/commands.ts';

/** Returns the nodes of a list, preceded by a node that reports unreadable items if there are any. */
export async function addUnreadableNode(
  parent: ExplorerNode,
  unreadableItems: UnreadableItems,
  nodes: readonly ExplorerNode[],
): Promise<readonly ExplorerNode[]> {
  if (unreadableItems.unreadable.length === 0) {
    return nodes;
  }
  const { UnreadableNode } = await import('./unreadableNode.ts');
  return [new UnreadableNode(parent, unreadableItems), ...nodes];
}

/** The action that a note in an empty list offers: it creates the first item, with the same title as in the menus. */
export interface NoteAction {
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
 * A note in a list: instead of items, so that an empty list is not mistaken for a failure, or after the items, such as
 * about items that the filter hides. Offers an action if something can be created.
 */
export class NoteNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #text: string;
  readonly #action: NoteAction | undefined;

  constructor(parent: ExplorerNode, text: string, action?: NoteAction) {
    this.id = `${parent.id}/note`;
    this.parent = parent;
    this.#text = text;
    this.#action = action;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'note';
    if (this.#action !== undefined) {
      const { title, command } = this.#action;
      item.description = title;
      item.command = createCommand(command, title, this.parent);
    }
    return item;
  }
}

/**
 * Returns the items of a list with a name that matches the filter, and a note with the number of hidden items. If a
 * resource or group that contains the list matches the filter, returns all items.
 */
export function filterList<Item>(
  parent: ExplorerNode,
  filter: NameFilter,
  items: readonly Item[],
  getNames: (item: Item) => string | readonly string[],
): { readonly matches: readonly Item[]; readonly notes: readonly ExplorerNode[] } {
  if (!filter.isActive || matchesWithAncestors(parent, filter)) {
    return { matches: items, notes: [] };
  }
  const matches = items.filter((item) => [getNames(item)].flat().some((name) => filter.matches(name)));
  const hiddenCount = items.length - matches.length;
  const text =
    hiddenCount === 1
      ? vscode.l10n.t('1 item is hidden by the filter')
      : vscode.l10n.t('{0} items are hidden by the filter', hiddenCount);
  return { matches, notes: hiddenCount === 0 ? [] : [new NoteNode(parent, text)] };
}

/**
 * Returns whether the name of a node, or of a node that contains it, matches the filter. A connection doesn't count,
 * since it contains everything.
 */
function matchesWithAncestors(node: ExplorerNode | undefined, filter: NameFilter): boolean {
  return (
    node !== undefined &&
    node.catalogPart?.kind !== 'all' &&
    // The name of a list of rules is a label.
    ((node.name !== undefined && node.resource?.kind !== 'rules' && filter.matches(node.name)) ||
      matchesWithAncestors(node.parent, filter))
  );
}

/** A node whose children are loaded page by page. */
export interface PagedNode extends ExplorerNode {
  /** Loads the next page; the children are requested again afterwards. */
  loadMore(): Promise<unknown>;
}

/** The last node of a list that has more pages; a click loads the next page. */
export class LoadMoreNode implements ExplorerNode {
  readonly id: string;
  readonly parent: PagedNode;
  readonly #shownCount: number;
  readonly #totalCount: number | undefined;

  constructor(parent: PagedNode, shownCount: number, totalCount: number | undefined) {
    this.id = `${parent.id}/more`;
    this.parent = parent;
    this.#shownCount = shownCount;
    this.#totalCount = totalCount;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Load more'));
    item.description =
      this.#totalCount === undefined
        ? vscode.l10n.t('{0} shown', this.#shownCount)
        : vscode.l10n.t('{0} of {1} shown', this.#shownCount, this.#totalCount);
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.contextValue = 'more';
    item.command = createCommand(
      'datamodelStudio.explorer.loadMore',
      vscode.l10n.t('Load more'),
      this.parent,
    );
    return item;
  }
}

/** The maximum number of nodes in one chunk: the editor draws long lists noticeably slowly. */
const chunkSize = 250;

type CreateNode<Item> = (parent: ConnectionChildNode, item: Item, index: number) => ExplorerNode;

/**
 * Creates the nodes of a list. In a long list, all chunks but the last are collapsed: the editor redraws all children
 * of a node when one of them changes, and users who load more look at the end of the list. The ID of a node must not
 * depend on whether it is in a chunk.
 */
export function createChunkedNodes<Item>(
  parent: ConnectionChildNode,
  items: readonly Item[],
  createNode: CreateNode<Item>,
): readonly ExplorerNode[] {
  const chunkedCount = Math.max(0, Math.floor((items.length - 1) / chunkSize)) * chunkSize;
  const chunks = Array.from({ length: chunkedCount / chunkSize }, (_, index) => {
    const start = index * chunkSize;
    return new ListChunkNode(parent, start, items.slice(start, start + chunkSize), createNode);
  });
  const lastNodes = items
    .slice(chunkedCount)
    .map((item, index) => createNode(parent, item, chunkedCount + index));
  return [...chunks, ...lastNodes];
}

/** A collapsed chunk of a long list. */
export class ListChunkNode<Item> implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly #start: number;
  readonly #items: readonly Item[];
  readonly #createNode: CreateNode<Item>;

  constructor(
    parent: ConnectionChildNode,
    start: number,
    items: readonly Item[],
    createNode: CreateNode<Item>,
  ) {
    this.id = nodeIds.chunk(parent.id, start);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#start = start;
    this.#items = items;
    this.#createNode = createNode;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(
      vscode.l10n.t('{0} to {1}', this.#start + 1, this.#start + this.#items.length),
      vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.iconPath = new vscode.ThemeIcon('fold');
    item.contextValue = 'chunk';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    return this.#items.map((item, index) => this.#createNode(this, item, this.#start + index));
  }
}
