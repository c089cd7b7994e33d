import * as vscode from 'vscode';
import type { Viewpoint } from '../../../contract/viewpoint.ts';
import { localTime, tooltip } from '../tooltip.ts';
import { EmptyNode } from './messageNode.ts';
import { LoadMoreNode } from './loadMoreNode.ts';
import type { ExplorerModel, ExplorerNode, NodeOfConnection } from './node.ts';

/** The viewpoints of a connection, page by page. */
export class ViewpointsNode implements ExplorerNode {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfConnection) {
    this.id = `${parent.id}/viewpoints`;
    this.parent = parent;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Viewpoints'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('eye');
    item.contextValue = 'viewpoints';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    const { viewpoints, total, hasMore } = await catalog.viewpoints.first();
    if (viewpoints.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No viewpoints yet'))];
    }
    const nodes = viewpoints.map((viewpoint) => new ViewpointNode(this, viewpoint));
    return hasMore ? [...nodes, new LoadMoreNode(this, viewpoints.length, total)] : nodes;
  }

  /** Loads the next page. */
  async more(): Promise<void> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    await catalog.viewpoints.more();
  }

  async reload(): Promise<void> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    catalog.invalidate({ kind: 'viewpoints' });
  }
}

/** A viewpoint: published or not, and shared with whom. */
class ViewpointNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ViewpointsNode;
  readonly #viewpoint: Viewpoint;

  constructor(parent: ViewpointsNode, viewpoint: Viewpoint) {
    this.id = `${parent.id}/${viewpoint.id}`;
    this.parent = parent;
    this.#viewpoint = viewpoint;
  }

  item(): vscode.TreeItem {
    const { id, name, description, enabled, updatedAt, updatedBy, visibility } = this.#viewpoint;
    const published = enabled === true;
    const item = new vscode.TreeItem(name ?? id);
    item.description = published ? '' : vscode.l10n.t('unpublished');
    item.iconPath = new vscode.ThemeIcon(
      published ? 'eye' : 'eye-closed',
      published ? undefined : new vscode.ThemeColor('disabledForeground'),
    );
    item.contextValue = published ? 'viewpoint.published' : 'viewpoint.unpublished';
    item.tooltip = tooltip(
      name ?? id,
      [
        [vscode.l10n.t('State'), published ? vscode.l10n.t('published') : vscode.l10n.t('unpublished')],
        [vscode.l10n.t('Apps'), visibility?.apps?.join(', ')],
        [vscode.l10n.t('Groups'), visibility?.groups?.join(', ')],
        [vscode.l10n.t('Users'), visibility?.users?.join(', ')],
        [vscode.l10n.t('Last changed'), localTime(updatedAt)],
        [vscode.l10n.t('Changed by'), updatedBy ?? undefined],
      ],
      description,
    );
    return item;
  }
}
