import * as vscode from 'vscode';
import { getViewpointDatamodel, groupByDatamodel } from '../../../catalog/viewpointGroups.ts';
import type { LoadedViewpoints } from '../../../catalog/viewpointList.ts';
import { readTenantConnectionId } from '../../../catalog/tenantConnection.ts';
import type { Viewpoint } from '../../../contract/viewpoint.ts';
import { getSetting } from '../../../platform/settings.ts';
import { ViewpointGroupNode } from './viewpointGroupNode.ts';
import {
  createOpenCommand,
  formatLocalTime,
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  getLinkSuffix,
  nodeIds,
} from './node.ts';
import { NoteNode, LoadMoreNode, createChunkedNodes, addUnreadableNode, filterList } from './listNodes.ts';

/**
 * The viewpoints of a connection, loaded page by page. They keep the order of the server (by ID), since paging depends
 * on it.
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
    this.connectionId = deps.tenants.getConnectionId(parent.connectionId);
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Viewpoints'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('eye');
    item.description = [this.#tenantId, this.#isReady ? undefined : vscode.l10n.t('service not ready')]
      .filter((text) => text !== undefined)
      .join(', ');
    item.contextValue = 'viewpoints';
    return item;
  }

  get #tenantId(): string | undefined {
    return readTenantConnectionId(this.connectionId)?.tenantId;
  }

  /** False only if the viewpoint service has reported that it is not ready. */
  get #isReady(): boolean {
    return this.#deps.viewpointServiceStatuses.peek(this.connectionId)?.isReady !== false;
  }

  /** Also requests the status of the viewpoint service, which the list of viewpoints does not contain. */
  async getTooltip(): Promise<vscode.MarkdownString> {
    const status = await this.#deps.viewpointServiceStatuses.check(this.connectionId);
    const summary = status === undefined ? undefined : status.summary || vscode.l10n.t('no details');
    return createTooltip(vscode.l10n.t('Viewpoints'), [
      [vscode.l10n.t('Tenant'), this.#tenantId],
      status?.isReady === false
        ? [vscode.l10n.t('Service not ready'), summary]
        : [vscode.l10n.t('Service'), summary],
    ]);
  }

  async #loadFirst(): Promise<LoadedViewpoints> {
    const catalog = await getCatalog(this.#deps, this);
    const { viewpointServiceStatuses } = this.#deps;
    try {
      const loaded = await catalog.viewpoints.loadFirst();
      viewpointServiceStatuses.setReady(this.connectionId);
      return loaded;
    } catch (error) {
      const { HttpError } = await import('../../../client/errors.ts');
      // If the server has responded, the status of its viewpoint service may explain the error.
      if (error instanceof HttpError) {
        await viewpointServiceStatuses.check(this.connectionId);
      }
      throw error;
    }
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const loadedList = await this.#loadFirst();
    const { viewpoints, total, hasMore } = loadedList;
    if (viewpoints.length === 0 && loadedList.unreadable.length === 0) {
      return [
        new NoteNode(this, vscode.l10n.t('No viewpoints yet'), {
          title: vscode.l10n.t('New Viewpoint…'),
          command: 'datamodelStudio.resources.newViewpoint',
        }),
      ];
    }
    const isGrouped = getSetting('explorer.groupViewpoints');
    const { matches, notes } = filterList(this, this.#deps.filter.nameFilter, viewpoints, (viewpoint) => [
      viewpoint.name ?? viewpoint.id,
      // All viewpoints of a datamodel that matches are shown.
      ...(isGrouped ? [getViewpointDatamodel(viewpoint).title ?? ''] : []),
    ]);
    const createNode = (parent: ConnectionChildNode, viewpoint: Viewpoint) =>
      new ViewpointNode(this.#deps, parent, viewpoint);
    const nodes = isGrouped
      ? this.#createGroups(matches, createNode)
      : createChunkedNodes(this, matches, createNode);
    const loadMoreNodes = hasMore ? [new LoadMoreNode(this, viewpoints.length, total)] : [];
    return addUnreadableNode(this, loadedList, [...nodes, ...notes, ...loadMoreNodes]);
  }

  #createGroups(
    viewpoints: readonly Viewpoint[],
    createNode: (parent: ConnectionChildNode, viewpoint: Viewpoint) => ExplorerNode,
  ): readonly ExplorerNode[] {
    const groups = groupByDatamodel(viewpoints);
    const listedTitles = this.#deps.sessions.peek(this.connectionId)?.catalog.listedDatamodelTitles;
    return groups.map((group) => {
      const { title } = group;
      const isTitleDuplicate = groups.some((other) => other !== group && other.title === title);
      const isListed = title === undefined ? undefined : listedTitles?.has(title);
      return new ViewpointGroupNode(this, group, { isTitleDuplicate, isListed }, createNode);
    });
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
  readonly #deps: ExplorerNodeDeps;
  readonly #viewpoint: Viewpoint;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode, viewpoint: Viewpoint) {
    // The ID does not depend on whether the node is in a chunk.
    this.id = nodeIds.child(nodeIds.viewpoints(parent.connectionId), viewpoint.id);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = viewpoint.name ?? viewpoint.id;
    this.resource = { kind: 'viewpoint', viewpointId: viewpoint.id } as const;
    this.#deps = deps;
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
    item.contextValue = `viewpoint.${isPublished ? 'published' : 'unpublished'}${getLinkSuffix(this.#deps, this)}`;
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
