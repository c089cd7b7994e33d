import * as vscode from 'vscode';
import type { Pin } from '../../../catalog/pins.ts';
import { type Table, expressionText, tableName } from '../../../contract/table.ts';
import { markUri } from '../decorations.ts';
import { tooltip } from '../tooltip.ts';
import { ColumnNode } from './columnNode.ts';
import { EmptyNode } from './emptyNode.ts';
import type { ExplorerModel, ExplorerNode, NodeOfDatamodel } from './node.ts';
import { nodeIds } from './nodeIds.ts';

/** A table with its columns. */
export class TableNode implements NodeOfDatamodel {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly datasetId: string;
  readonly name: string;
  readonly resource;
  readonly reference: { readonly table: string };
  readonly #model: ExplorerModel;
  readonly #table: Table;

  /** @param at.id where the table is shown a second time, as a pin is */
  constructor(
    model: ExplorerModel,
    parent: NodeOfDatamodel,
    table: Table,
    at: { readonly datasetId: string; readonly id?: string },
  ) {
    const { connectionId, datamodelId } = parent;
    this.id = at.id ?? nodeIds.table(parent.id, table.oid);
    this.parent = parent;
    this.connectionId = connectionId;
    this.datamodelId = datamodelId;
    this.datasetId = at.datasetId;
    this.name = tableName(table);
    this.resource = { kind: 'table', datamodelId, datasetId: at.datasetId, tableId: table.oid } as const;
    this.reference = { table: this.name };
    this.#model = model;
    this.#table = table;
  }

  /** Found through the datamodel above, which knows its title. */
  get pin(): Pin | undefined {
    const datamodel = pinAbove(this.parent);
    return (
      datamodel && {
        ...datamodel,
        table: { datasetId: this.datasetId, oid: this.#table.oid, name: this.name },
      }
    );
  }

  item(): vscode.TreeItem {
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
      item.resourceUri = markUri('hidden', this.id);
    }
    return item;
  }

  tooltip(): vscode.MarkdownString {
    const { id, columns, expression, description, buildBehavior } = this.#table;
    return tooltip(
      this.name,
      [
        [vscode.l10n.t('Source'), id ?? undefined],
        [vscode.l10n.t('Columns'), columns?.length.toString()],
        [vscode.l10n.t('Expression'), expressionText(expression)],
        [vscode.l10n.t('Build'), buildBehavior?.type],
      ],
      description,
    );
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const columns = this.#table.columns ?? [];
    if (columns.length === 0) {
      const text =
        this.#table.type === 'custom'
          ? vscode.l10n.t('Columns are made from the expression by a build')
          : vscode.l10n.t('No columns');
      return [new EmptyNode(this, text)];
    }
    // In the order of the model: it is the one that the table's author chose.
    return this.#model.filter.current
      .columns(columns)
      .map((column) => new ColumnNode(this, column, column.oid ? 0 : columns.indexOf(column)));
  }
}

function pinAbove(node: ExplorerNode | undefined): Pin | undefined {
  return node === undefined ? undefined : (node.pin ?? pinAbove(node.parent));
}
