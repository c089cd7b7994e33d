import * as vscode from 'vscode';
import { DatamodelNode } from './datamodelNode.ts';
import { EmptyNode } from './messageNode.ts';
import type { ExplorerModel, ExplorerNode, NodeOfConnection } from './node.ts';

/** The datamodels of a connection, by title. */
export class DatamodelsNode implements ExplorerNode {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly connectionId: string;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfConnection) {
    this.id = datamodelsNodeId(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Datamodels'), vscode.TreeItemCollapsibleState.Expanded);
    item.iconPath = new vscode.ThemeIcon('library');
    item.contextValue = 'datamodels';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const { catalog } = await this.#model.sessions.get(this.connectionId);
    const datamodels = await catalog.datamodels();
    if (datamodels.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No datamodels yet'))];
    }
    return datamodels.map((datamodel) => new DatamodelNode(this.#model, this, datamodel));
  }

  async reload(): Promise<void> {
    await this.parent.reload?.();
  }
}

export const datamodelsNodeId = (connectionId: string): string => `${connectionId}/datamodels`;
