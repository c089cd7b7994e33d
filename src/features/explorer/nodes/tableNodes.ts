import * as vscode from 'vscode';
import { getDatasetName, type Dataset } from '../../../contract/datamodel.ts';
import { sortByName } from '../../../catalog/naturalOrder.ts';
import { getTableName, type Table, getExpressionText } from '../../../contract/table.ts';
import { resourceIcons } from '../../../platform/resourceIcons.ts';
import {
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type DatamodelChildNode,
  getCatalog,
  nodeIds,
  toDecorationUri,
} from './node.ts';
import { NoteNode, type NoteAction, addUnreadableNode } from './listNodes.ts';
import type { Pin } from '../../../catalog/pins.ts';
import { ColumnNode } from './columnNode.ts';
import { getTableContextValue, toPinnedTable } from './tableContext.ts';

/** A dataset with its tables. */
export class DatasetNode implements DatamodelChildNode {
  readonly id: string;
  readonly parent: DatamodelChildNode;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly name: string;
  readonly resource;
  readonly #deps: ExplorerNodeDeps;
  readonly #dataset: Dataset;

  constructor(deps: ExplorerNodeDeps, parent: DatamodelChildNode, dataset: Dataset) {
    const { connectionId, datamodelId } = parent;
    this.id = nodeIds.dataset(parent.id, dataset.oid);
    this.parent = parent;
    this.connectionId = connectionId;
    this.datamodelId = datamodelId;
    this.name = getLabel(dataset);
    this.resource = { kind: 'dataset', datamodelId, datasetId: dataset.oid } as const;
    this.#deps = deps;
    this.#dataset = dataset;
  }

  getTreeItem(): vscode.TreeItem {
    const { type, connection } = this.#dataset;
    const isCustom = type === 'custom';
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = isCustom ? vscode.l10n.t('custom') : (connection?.provider ?? '');
    item.iconPath = new vscode.ThemeIcon(isCustom ? 'code' : resourceIcons.dataset);
    item.contextValue = `dataset.${type ?? 'unknown'}`;
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { type, connection, fullname, schema } = this.#dataset;
    return createTooltip(this.name, [
      [vscode.l10n.t('Type'), type ?? undefined],
      [vscode.l10n.t('Connector'), connection?.provider ?? undefined],
      [vscode.l10n.t('Full name'), fullname ?? undefined],
      [vscode.l10n.t('Tables'), schema?.tables?.length.toString()],
    ]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#deps, this);
    const { value: tables, ...incompleteness } = await catalog.partial.tables(
      this.datamodelId,
      this.#dataset.oid,
    );
    if (tables.length === 0 && incompleteness.unreadable.length === 0) {
      const action: NoteAction =
        this.#dataset.type === 'custom'
          ? { title: vscode.l10n.t('New Custom Table…'), command: 'datamodelStudio.resources.newCustomTable' }
          : { title: vscode.l10n.t('New Table…'), command: 'datamodelStudio.resources.newTable' };
      return [new NoteNode(this, vscode.l10n.t('No tables yet'), action)];
    }
    const nodes = sortByName(this.#deps.filter.nameFilter.filterTables(tables), getTableName).map(
      (table) => new TableNode(this.#deps, this, table, { datasetId: this.#dataset.oid }),
    );
    return addUnreadableNode(this, incompleteness, nodes);
  }
}

function getLabel(dataset: Dataset): string {
  const name = getDatasetName(dataset);
  if (name !== undefined) {
    return name;
  }
  return dataset.type === 'custom' ? vscode.l10n.t('Custom Tables') : (dataset.name ?? dataset.oid);
}

/** Creates the tree item of a table, in its dataset or pinned; the caller adds the description. */
export function createTableItem(
  { id, name }: { readonly id: string; readonly name: string },
  table: Pick<Table, 'type' | 'hidden'>,
  { isPinned, isLive }: { readonly isPinned: boolean; readonly isLive: boolean },
): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  item.iconPath = new vscode.ThemeIcon(
    table.type === 'custom' ? 'code' : 'table',
    table.hidden ? new vscode.ThemeColor('disabledForeground') : undefined,
  );
  item.contextValue = getTableContextValue(table, { isPinned, isLive });
  if (table.hidden) {
    item.resourceUri = toDecorationUri('hidden', id);
  }
  return item;
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
  readonly #deps: ExplorerNodeDeps;
  readonly #table: Table;

  /** @param location.id set if the table is shown a second time, as a pin */
  constructor(
    deps: ExplorerNodeDeps,
    parent: DatamodelChildNode,
    table: Table,
    location: { readonly datasetId: string; readonly id?: string },
  ) {
    const { connectionId, datamodelId } = parent;
    this.id = location.id ?? nodeIds.table(parent.id, table.oid);
    this.parent = parent;
    this.connectionId = connectionId;
    this.datamodelId = datamodelId;
    this.datasetId = location.datasetId;
    this.name = getTableName(table);
    this.resource = {
      kind: 'table',
      datamodelId,
      datasetId: location.datasetId,
      tableId: table.oid,
    } as const;
    this.reference = { table: this.name };
    this.#deps = deps;
    this.#table = table;
  }

  /** The pin to add for the table, built from the pin of its datamodel. */
  get pin(): Pin | undefined {
    const datamodelPin = findNearestPin(this.parent);
    return (
      datamodelPin && {
        ...datamodelPin,
        table: toPinnedTable(this.#table, this.datasetId),
      }
    );
  }

  getTreeItem(): vscode.TreeItem {
    const { type, hidden } = this.#table;
    const isCustom = type === 'custom';
    const { pin } = this;
    const item = createTableItem(this, this.#table, {
      isPinned: pin !== undefined && this.#deps.pins.has(pin),
      isLive: pin?.datamodel.type === 'live',
    });
    item.description = [isCustom ? vscode.l10n.t('custom') : '', hidden ? vscode.l10n.t('hidden') : '']
      .filter((label) => label !== '')
      .join(', ');
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
          ? vscode.l10n.t('Build the datamodel to create the columns')
          : vscode.l10n.t('No columns');
      return [new NoteNode(this, text)];
    }
    // Keep the order of the datamodel: the author of the table chose it. Only a column without an ID needs its index.
    return this.#deps.filter.nameFilter
      .filterColumns(columns)
      .map((column) => new ColumnNode(this, column, column.oid ? 0 : columns.indexOf(column)));
  }
}

function findNearestPin(node: ExplorerNode | undefined): Pin | undefined {
  return node === undefined ? undefined : (node.pin ?? findNearestPin(node.parent));
}
