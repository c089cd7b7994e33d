import * as vscode from 'vscode';
import { datasetName, type Dataset } from '../../../contract/datamodel.ts';
import { sortedByName } from '../../../catalog/naturalOrder.ts';
import { tableName } from '../../../contract/table.ts';
import { tooltip } from '../tooltip.ts';
import { EmptyNode, type EmptyWayOn } from './emptyNode.ts';
import { type ExplorerModel, type ExplorerNode, type NodeOfDatamodel, catalogOf } from './node.ts';
import { nodeIds } from './nodeIds.ts';
import { TableNode } from './tableNode.ts';
import { withUnreadable } from './withUnreadable.ts';

/** One data source of a datamodel with its tables. */
export class DatasetNode implements NodeOfDatamodel {
  readonly id: string;
  readonly parent: NodeOfDatamodel;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly name: string;
  readonly resource;
  readonly #model: ExplorerModel;
  readonly #dataset: Dataset;

  constructor(model: ExplorerModel, parent: NodeOfDatamodel, dataset: Dataset) {
    const { connectionId, datamodelId } = parent;
    this.id = nodeIds.dataset(parent.id, dataset.oid);
    this.parent = parent;
    this.connectionId = connectionId;
    this.datamodelId = datamodelId;
    this.name = labelOf(dataset);
    this.resource = { kind: 'dataset', datamodelId, datasetId: dataset.oid } as const;
    this.#model = model;
    this.#dataset = dataset;
  }

  item(): vscode.TreeItem {
    const { type, connection } = this.#dataset;
    const custom = type === 'custom';
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = custom ? vscode.l10n.t('custom') : (connection?.provider ?? '');
    item.iconPath = new vscode.ThemeIcon(custom ? 'code' : 'folder-library');
    item.contextValue = `dataset.${type ?? 'unknown'}`;
    return item;
  }

  tooltip(): vscode.MarkdownString {
    const { type, connection, fullname, schema } = this.#dataset;
    return tooltip(this.name, [
      [vscode.l10n.t('Type'), type ?? undefined],
      [vscode.l10n.t('Provider'), connection?.provider ?? undefined],
      [vscode.l10n.t('Full name'), fullname ?? undefined],
      [vscode.l10n.t('Tables'), schema?.tables?.length.toString()],
    ]);
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const catalog = await catalogOf(this.#model, this);
    const { value: tables, ...unread } = await catalog.readable.tables(this.datamodelId, this.#dataset.oid);
    if (tables.length === 0 && unread.unreadable.length === 0) {
      const wayOn: EmptyWayOn =
        this.#dataset.type === 'custom'
          ? { title: vscode.l10n.t('New Custom Table…'), command: 'datamodelStudio.resources.newCustomTable' }
          : { title: vscode.l10n.t('New Table…'), command: 'datamodelStudio.resources.newTable' };
      return [new EmptyNode(this, vscode.l10n.t('No tables yet'), wayOn)];
    }
    const nodes = sortedByName(this.#model.filter.current.tables(tables), tableName).map(
      (table) => new TableNode(this.#model, this, table, { datasetId: this.#dataset.oid }),
    );
    return withUnreadable(this, unread, nodes);
  }
}

function labelOf(dataset: Dataset): string {
  const name = datasetName(dataset);
  if (name !== undefined) {
    return name;
  }
  return dataset.type === 'custom' ? vscode.l10n.t('Custom Tables') : (dataset.name ?? dataset.oid);
}
