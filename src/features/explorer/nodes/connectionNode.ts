import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { roleLabel } from '../../../platform/roleWords.ts';
import { markUri } from '../decorations.ts';
import { tooltip } from '../tooltip.ts';
import { BuildsNode } from './buildNodes.ts';
import { CubeSetsNode } from './cubeSetNodes.ts';
import { CustomDataNode } from './customDataNodes.ts';
import { DatamodelsNode } from './datamodelsNode.ts';
import type { ExplorerModel, NodeOfConnection, ExplorerNode } from './node.ts';
import { ViewpointsNode } from './viewpointNodes.ts';

/** A connection and what its instance holds. */
export class ConnectionNode implements NodeOfConnection {
  readonly id: string;
  readonly parent = undefined;
  readonly connectionId: string;
  readonly name: string;
  readonly loads = { kind: 'all' } as const;
  readonly #model: ExplorerModel;
  readonly #connection: Connection;

  constructor(model: ExplorerModel, connection: Connection) {
    this.id = connection.id;
    this.connectionId = connection.id;
    this.name = connection.name;
    this.#model = model;
    this.#connection = connection;
  }

  item(): vscode.TreeItem {
    const { name, kind, role } = this.#connection;
    const until = this.#model.locks.unlockedUntil(this.connectionId);
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
    item.description = kind === 'sandbox' ? vscode.l10n.t('local') : this.#roleText(until);
    item.iconPath = new vscode.ThemeIcon(kind === 'sandbox' ? 'beaker' : 'server-environment');
    item.contextValue = this.#context(until);
    if (role === 'production' && until !== undefined) {
      item.resourceUri = markUri('role-unlocked', this.id);
    } else if (role !== 'development') {
      item.resourceUri = markUri(`role-${role}`, this.id);
    }
    return item;
  }

  tooltip(): vscode.MarkdownString {
    const { name, role } = this.#connection;
    const until = this.#model.locks.unlockedUntil(this.connectionId);
    return tooltip(name, [
      [vscode.l10n.t('Address'), this.#connection.kind === 'remote' ? this.#connection.url : undefined],
      [vscode.l10n.t('Role'), roleLabel(role)],
      [
        vscode.l10n.t('Writing'),
        until === undefined
          ? undefined
          : vscode.l10n.t('unlocked until {0}', new Date(until).toLocaleTimeString(vscode.env.language)),
      ],
    ]);
  }

  async children(): Promise<readonly ExplorerNode[]> {
    if (this.#connection.kind === 'sandbox') {
      // A sandbox that does not run is told of once, not by each of its parts.
      await this.#model.sessions.get(this.connectionId);
    }
    return [
      new DatamodelsNode(this.#model, this),
      new CubeSetsNode(this.#model, this),
      new ViewpointsNode(this.#model, this),
      new CustomDataNode(this.#model, this),
      new BuildsNode(this.#model, this),
    ];
  }

  #roleText(unlockedUntil: number | undefined): string {
    const { role } = this.#connection;
    if (role !== 'production') {
      return roleLabel(role);
    }
    return unlockedUntil === undefined
      ? vscode.l10n.t('{0}, locked', roleLabel(role))
      : vscode.l10n.t('{0}, unlocked', roleLabel(role));
  }

  #context(unlockedUntil: number | undefined): string {
    const { kind, role } = this.#connection;
    const lock = role !== 'production' ? '' : unlockedUntil === undefined ? '.locked' : '.unlocked';
    return `connection.${kind}${lock}`;
  }
}
