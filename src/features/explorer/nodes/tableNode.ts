import * as vscode from 'vscode';
import { type Table, expressionText, tableName } from '../../../contract/table.ts';
import { tooltip } from '../tooltip.ts';
import { ColumnNode } from './columnNode.ts';
import { EmptyNode } from './messageNode.ts';
import type { ExplorerNode } from './node.ts';

/** A table with its columns. */
export class TableNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #table: Table;

  constructor(parent: ExplorerNode, table: Table) {
    this.id = `${parent.id}/table/${table.oid}`;
    this.parent = parent;
    this.#table = table;
  }

  item(): vscode.TreeItem {
    const table = this.#table;
    const name = tableName(table);
    const custom = table.type === 'custom';
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = [custom ? vscode.l10n.t('custom') : '', table.hidden ? vscode.l10n.t('hidden') : '']
      .filter((word) => word !== '')
      .join(', ');
    item.iconPath = new vscode.ThemeIcon(
      custom ? 'code' : 'table',
      table.hidden ? new vscode.ThemeColor('disabledForeground') : undefined,
    );
    item.contextValue = `table.${table.type ?? 'base'}`;
    item.tooltip = tooltip(
      name,
      [
        [vscode.l10n.t('Source'), table.id ?? undefined],
        [vscode.l10n.t('Columns'), table.columns?.length.toString()],
        [vscode.l10n.t('Expression'), expressionText(table.expression)],
      ],
      table.description,
    );
    return item;
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
    return columns.map((column, index) => new ColumnNode(this, column, index));
  }

  async reload(): Promise<void> {
    await this.parent.reload?.();
  }
}
