import * as vscode from 'vscode';
import { getDatasetName, type Dataset } from '../../../contract/datamodel.ts';
import { sortByName } from '../../../catalog/naturalOrder.ts';
import { getTableName, type Table, getExpressionText } from '../../../contract/table.ts';
import {
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type DatamodelChildNode,
  getCatalog,
  nodeIds,
  toDecorationUri,
} from './node.ts';
import { EmptyNode, type EmptyNodeAction, withUnreadable } from './listNodes.ts';
import type { Pin } from '../../../catalog/pins.ts';
import { ColumnNode } from './columnNode.ts';

/** A dataset with its tables. */
export class DatasetNode implements DatamodelChildNode {
  readonly id: string;
  readonly parent: DatamodelChildNode;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly name: string;
  readonly resource;
  readonly #model: ExplorerNodeDeps;
  readonly #dataset: Dataset;

  constructor(model: ExplorerNodeDeps, parent: DatamodelChildNode, dataset: Dataset) {
    const { connectionId, datamodelId } = parent;
    this.id = nodeIds.dataset(parent.id, dataset.oid);
    this.parent = parent;
    this.connectionId = connectionId;
    this.datamodelId = datamodelId;
    this.name = getLabel(dataset);
    this.resource = { kind: 'dataset', datamodelId, datasetId: dataset.oid } as const;
    this.#model = model;
    this.#dataset = dataset;
  }

  getTreeItem(): vscode.TreeItem {
    const { type, connection } = this.#dataset;
    const custom = type === 'custom';
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = custom ? vscode.l10n.t('custom') : (connection?.provider ?? '');
    item.iconPath = new vscode.ThemeIcon(custom ? 'code' : 'folder-library');
    item.contextValue = `dataset.${type ?? 'unknown'}`;
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { type, connection, fullname, schema } = this.#dataset;
    return createTooltip(this.name, [
      [vscode.l10n.t('Type'), type ?? undefined],
      [vscode.l10n.t('Provider'), connection?.provider ?? undefined],
      [vscode.l10n.t('Full name'), fullname ?? undefined],
      [vscode.l10n.t('Tables'), schema?.tables?.length.toString()],
    ]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#model, this);
    const { value: tables, ...unread } = await catalog.readable.tables(this.datamodelId, this.#dataset.oid);
    if (tables.length === 0 && unread.unreadable.length === 0) {
      const action: EmptyNodeAction =
        this.#dataset.type === 'custom'
          ? { title: vscode.l10n.t('New Custom Table…'), command: 'datamodelStudio.resources.newCustomTable' }
          : { title: vscode.l10n.t('New Table…'), command: 'datamodelStudio.resources.newTable' };
      return [new EmptyNode(this, vscode.l10n.t('No tables yet'), action)];
    }
    const nodes = sortByName(this.#model.filter.current.tables(tables), getTableName).map(
      (table) => new TableNode(this.#model, this, table, { datasetId: this.#dataset.oid }),
    );
    return withUnreadable(this, unread, nodes);
  }
}

function getLabel(dataset: Dataset): string {
  const name = getDatasetName(dataset);
  if (name !== undefined) {
    return name;
  }
  return dataset.type === 'custom' ? vscode.l10n.t('Custom Tables') : (dataset.name ?? dataset.oid);
}

/** A table with its columns. */
export class TableNode implements DatamodelChildNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly datasetId: string;
  readonly name: string;
  readonly resource;
  readonly reference: { readonly table: string };
  readonly #model: ExplorerNodeDeps;
  readonly #table: Table;

  /** @param location.id set if the table is shown a second time, as a pin */
  constructor(
    model: ExplorerNodeDeps,
    parent: DatamodelChildNode,
    table: Table,
    at: { readonly datasetId: string; readonly id?: string },
  ) {
    const { connectionId, datamodelId } = parent;
    this.id = at.id ?? nodeIds.table(parent.id, table.oid);
    this.parent = parent;
    this.connectionId = connectionId;
    this.datamodelId = datamodelId;
    this.datasetId = at.datasetId;
    this.name = getTableName(table);
    this.resource = { kind: 'table', datamodelId, datasetId: at.datasetId, tableId: table.oid } as const;
    this.reference = { table: this.name };
    this.#model = model;
    this.#table = table;
  }

  /** The pin to add for the table, built from the pin of its datamodel. */
  get pin(): Pin | undefined {
    const datamodel = findParentPin(this.parent);
    return (
      datamodel && {
        ...datamodel,
        table: { datasetId: this.datasetId, oid: this.#table.oid, name: this.name },
      }
    );
  }

  getTreeItem(): vscode.TreeItem {
    const { type, hidden } = this.#table;
    const custom = type === 'custom';
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = [custom ? vscode.l10n.t('custom') : '', hidden ? vscode.l10n.t('hidden') : '']
      .filter((word) => word !== '')
      .join(', ');
    item.iconPath = new vscode.ThemeIcon(
      custom ? 'code' : 'table',
      hidden ? new vscode.ThemeColor('disabledForeground') : undefined,
    );
    const { pin } = this;
    const pinned = pin && this.#model.pins.has(pin) ? '.pinned' : '';
    item.contextValue = `table.${type ?? 'base'}${pinned}${hidden ? '.hidden' : ''}`;
    if (hidden) {
      item.resourceUri = toDecorationUri('hidden', this.id);
    }
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { id, columns, expression, description, buildBehavior } = this.#table;
    return createTooltip(
      this.name,
      [
        [vscode.l10n.t('Source'), id ?? undefined],
        [vscode.l10n.t('Columns'), columns?.length.toString()],
        [vscode.l10n.t('Expression'), getExpressionText(expression)],
        [vscode.l10n.t('Build'), buildBehavior?.type],
      ],
      description,
    );
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const columns = this.#table.columns ?? [];
    if (columns.length === 0) {
      const text =
        this.#table.type === 'custom'
          ? vscode.l10n.t('Columns are made from the expression by a build')
          : vscode.l10n.t('No columns');
      return [new EmptyNode(this, text)];
    }
    // Keep the order of the datamodel: the author of the table chose it.
    return this.#model.filter.current
      .columns(columns)
      .map((column) => new ColumnNode(this, column, column.oid ? 0 : columns.indexOf(column)));
  }
}

function findParentPin(node: ExplorerNode | undefined): Pin | undefined {
  return node === undefined ? undefined : (node.pin ?? findParentPin(node.parent));
}
