import * as vscode from 'vscode';
import type { Viewpoint } from '../../../contract/viewpoint.ts';
import {
  createOpenCommand,
  formatLocalTime,
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  nodeIds,
} from './node.ts';
import { EmptyNode, LoadMoreNode, createChunkedNodes, addUnreadableNode } from './listNodes.ts';

/**
 * The viewpoints of a connection, page by page. They keep the order of the server (by ID), since paging depends on it.
 */
export class ViewpointsNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly catalogPart = { kind: 'viewpoints' } as const;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode) {
    this.id = nodeIds.viewpoints(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Viewpoints'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('eye');
    item.contextValue = 'viewpoints';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#deps, this);
    const loadedList = await catalog.viewpoints.loadFirst();
    const { viewpoints, total, hasMore } = loadedList;
    if (viewpoints.length === 0 && loadedList.unreadable.length === 0) {
      return [
        new EmptyNode(this, vscode.l10n.t('No viewpoints yet'), {
          title: vscode.l10n.t('New Viewpoint…'),
          command: 'datamodelStudio.resources.newViewpoint',
        }),
      ];
    }
    const nodes = createChunkedNodes(
      this,
      viewpoints,
      (parent, viewpoint) => new ViewpointNode(parent, viewpoint),
    );
    const loadMoreNodes = hasMore ? [new LoadMoreNode(this, viewpoints.length, total)] : [];
    return addUnreadableNode(this, loadedList, [...nodes, ...loadMoreNodes]);
  }

  /** Loads more viewpoints, at least the given number if there are enough. Returns whether there was another page. */
  async loadMore(minCount?: number): Promise<boolean> {
    const { viewpoints } = await getCatalog(this.#deps, this);
    if (!viewpoints.loaded.hasMore) {
      return false;
    }
    await viewpoints.loadMore(minCount);
    return true;
  }
}

/** A viewpoint, with its publishing and sharing state. */
class ViewpointNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly name: string;
  readonly resource;
  readonly #viewpoint: Viewpoint;

  constructor(parent: ConnectionChildNode, viewpoint: Viewpoint) {
    // The ID is the same in the list and in a chunk.
    this.id = nodeIds.child(nodeIds.viewpoints(parent.connectionId), viewpoint.id);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = viewpoint.name ?? viewpoint.id;
    this.resource = { kind: 'viewpoint', viewpointId: viewpoint.id } as const;
    this.#viewpoint = viewpoint;
  }

  getTreeItem(): vscode.TreeItem {
    const isPublished = this.#viewpoint.enabled === true;
    const item = new vscode.TreeItem(this.name);
    item.description = describeState(isPublished, isShared(this.#viewpoint));
    item.iconPath = new vscode.ThemeIcon(
      isPublished ? 'eye' : 'eye-closed',
      isPublished ? undefined : new vscode.ThemeColor('disabledForeground'),
    );
    item.contextValue = isPublished ? 'viewpoint.published' : 'viewpoint.unpublished';
    item.command = createOpenCommand(this);
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { description, enabled, updatedAt, updatedBy, visibility } = this.#viewpoint;
    const state = enabled === true ? vscode.l10n.t('published') : vscode.l10n.t('unpublished');
    return createTooltip(
      this.name,
      [
        [vscode.l10n.t('State'), state],
        [vscode.l10n.t('Apps'), visibility?.apps?.join(', ')],
        [vscode.l10n.t('Groups'), visibility?.groups?.join(', ')],
        [vscode.l10n.t('Users'), visibility?.users?.join(', ')],
        [vscode.l10n.t('Last changed'), formatLocalTime(updatedAt)],
        [vscode.l10n.t('Changed by'), updatedBy ?? undefined],
      ],
      description,
    );
  }
}

function describeState(isPublished: boolean, isSharedWithSome: boolean): string {
  if (isPublished) {
    return isSharedWithSome ? vscode.l10n.t('shared') : '';
  }
  return isSharedWithSome ? vscode.l10n.t('shared, unpublished') : vscode.l10n.t('unpublished');
}

/**
 * Returns whether a viewpoint is shared. Sharing and publishing are separate: a shared viewpoint stays invisible until
 * it is published (rest-api.md, "Viewpoint").
 */
const isShared = ({ visibility }: Viewpoint): boolean =>
  [visibility?.apps, visibility?.groups, visibility?.users].some((list) => (list?.length ?? 0) > 0);
