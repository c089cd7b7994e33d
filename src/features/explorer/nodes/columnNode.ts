import * as vscode from 'vscode';
import { type ColumnGroup, columnType } from '../../../contract/columnTypes.ts';
import { type Column, columnName, expressionText } from '../../../contract/table.ts';
import { tooltip } from '../tooltip.ts';
import type { ExplorerNode } from './node.ts';

const icons: Readonly<Record<ColumnGroup, string>> = {
  number: 'symbol-number',
  text: 'symbol-string',
  boolean: 'symbol-boolean',
  'date-time': 'calendar',
  time: 'clock',
};

/** A column of a table. */
export class ColumnNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #column: Column;

  /** @param index tells columns apart that have no oid yet */
  constructor(parent: ExplorerNode, column: Column, index: number) {
    this.id = `${parent.id}/column/${column.oid ?? index}`;
    this.parent = parent;
    this.#column = column;
  }

  item(): vscode.TreeItem {
    const column = this.#column;
    const name = columnName(column);
    const type = columnType(column.type);
    const typeName =
      type?.name ?? (column.type === null || column.type === undefined ? '' : String(column.type));
    const expression = expressionText(column.expression);
    const calculated = column.isCustom === true || (expression !== undefined && expression !== '');
    const words = [
      typeName,
      calculated ? vscode.l10n.t('custom') : '',
      column.hidden ? vscode.l10n.t('hidden') : '',
    ];
    const item = new vscode.TreeItem(name);
    item.description = words.filter((word) => word !== '').join(', ');
    item.iconPath = new vscode.ThemeIcon(
      type === undefined ? 'symbol-field' : icons[type.group],
      iconColor(column.hidden === true, calculated),
    );
    item.contextValue = calculated ? 'column.custom' : 'column';
    item.tooltip = tooltip(
      name,
      [
        [vscode.l10n.t('Type'), `${typeName}${column.type === undefined ? '' : ` (${column.type})`}`],
        [vscode.l10n.t('Source'), column.id ?? undefined],
        [vscode.l10n.t('Expression'), expression],
      ],
      column.description,
    );
    return item;
  }
}

/** The description says the same in words. */
function iconColor(hidden: boolean, calculated: boolean): vscode.ThemeColor | undefined {
  if (hidden) {
    return new vscode.ThemeColor('disabledForeground');
  }
  return calculated ? new vscode.ThemeColor('charts.purple') : undefined;
}
