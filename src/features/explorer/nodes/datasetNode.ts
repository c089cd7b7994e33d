import * as vscode from 'vscode';
import type { Dataset } from '../../../contract/dataset.ts';
import { tooltip } from '../tooltip.ts';
import { EmptyNode } from './messageNode.ts';
import type { ExplorerModel, ExplorerNode, NodeOfDatamodel } from './node.ts';
import { TableNode } from './tableNode.ts';

const generatedName = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** One data source of a datamodel with its tables. */
export class DatasetNode implements ExplorerNode {
  readonly id: string;
  readonly parent: NodeOfDatamodel;
  readonly #model: ExplorerModel;
  readonly #dataset: Dataset;

  constructor(model: ExplorerModel, parent: NodeOfDatamodel, dataset: Dataset) {
    this.id = `${parent.id}/dataset/${dataset.oid}`;
    this.parent = parent;
    this.#model = model;
    this.#dataset = dataset;
  }

  item(): vscode.TreeItem {
    const { type, connection, fullname } = this.#dataset;
    const label = this.#label();
    const provider = connection?.provider ?? undefined;
    const custom = type === 'custom';
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = custom ? vscode.l10n.t('custom') : (provider ?? '');
    item.iconPath = new vscode.ThemeIcon(custom ? 'code' : 'folder-library');
    item.contextValue = `dataset.${type ?? 'unknown'}`;
    item.tooltip = tooltip(label, [
      [vscode.l10n.t('Type'), type ?? undefined],
      [vscode.l10n.t('Provider'), provider],
      [vscode.l10n.t('Full name'), fullname ?? undefined],
    ]);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    const tables = await catalog.tables(this.parent.datamodelId, this.#dataset.oid);
    if (tables.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No tables yet'))];
    }
    return tables.map((table) => new TableNode(this, table));
  }

  async reload(): Promise<void> {
    await this.parent.reload?.();
  }

  /** The platform names most datasets by a generated id; the connection's name says more (platform-facts 2.2). */
  #label(): string {
    const { name, connection, type, oid } = this.#dataset;
    if (name && !generatedName.test(name.replace(/^custom-/, ''))) {
      return name;
    }
    const connectionName = connection?.['name'];
    if (typeof connectionName === 'string' && connectionName !== '') {
      return connectionName;
    }
    return type === 'custom' ? vscode.l10n.t('Custom tables') : (name ?? oid);
  }
}
