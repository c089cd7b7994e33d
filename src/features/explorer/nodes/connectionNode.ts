import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { roleLabel } from '../../../platform/roleWords.ts';
import { tooltip } from '../tooltip.ts';
import { CustomDataNode } from './customDataNodes.ts';
import { DatamodelsNode } from './datamodelsNode.ts';
import type { ExplorerModel, ExplorerNode } from './node.ts';
import { ViewpointsNode } from './viewpointNodes.ts';

/** A connection and what its instance holds. */
export class ConnectionNode implements ExplorerNode {
  readonly id: string;
  readonly parent = undefined;
  readonly connectionId: string;
  readonly #model: ExplorerModel;
  readonly #connection: Connection;

  constructor(model: ExplorerModel, connection: Connection) {
    this.id = connection.id;
    this.connectionId = connection.id;
    this.#model = model;
    this.#connection = connection;
  }

  item(): vscode.TreeItem {
    const { name, kind, role } = this.#connection;
    const address = this.#connection.kind === 'remote' ? this.#connection.url : undefined;
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
    item.description = kind === 'sandbox' ? vscode.l10n.t('local') : roleLabel(role);
    item.iconPath = new vscode.ThemeIcon(kind === 'sandbox' ? 'beaker' : 'server-environment');
    item.contextValue = `connection.${kind}`;
    item.tooltip = tooltip(name, [
      [vscode.l10n.t('Address'), address],
      [vscode.l10n.t('Role'), roleLabel(role)],
    ]);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    return [
      new DatamodelsNode(this.#model, this),
      new ViewpointsNode(this.#model, this),
      new CustomDataNode(this.#model, this),
    ];
  }

  async reload(): Promise<void> {
    // A connection that failed is opened anew: its sandbox may have ended, or its token may have been set since.
    this.#model.sessions.end(this.connectionId);
  }
}
