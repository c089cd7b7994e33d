import * as vscode from 'vscode';
import type { ResourceRef } from '../../../catalog/resourceRef.ts';
import { type ColumnTypeGroup, getColumnType, getColumnTypeLabel } from '../../../contract/terms.ts';
import { type Column, getColumnName, getExpressionText } from '../../../contract/table.ts';
import {
  toDecorationUri,
  createOpenCommand,
  createTooltip,
  type ExplorerNode,
  type ConnectionChildNode,
  nodeIds,
} from './node.ts';

const icons: Readonly<Record<ColumnTypeGroup, string>> = {
  number: 'symbol-number',
  text: 'symbol-string',
  boolean: 'symbol-boolean',
  'date-time': 'calendar',
  time: 'clock',
  other: 'symbol-misc',
};

/** The properties of a table's node that its columns need. */
interface TableNodeLike extends ConnectionChildNode {
  readonly name: string;
  readonly resource: Extract<ResourceRef, { kind: 'table' }>;
}

/** A column of a table. */
export class ColumnNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly name: string;
  readonly reference: { readonly table: string; readonly column: string };
  readonly resource: ResourceRef;
  readonly #column: Column;

  /** @param index distinguishes columns that have no oid yet */
  constructor(parent: TableNodeLike, column: Column, index: number) {
    this.id = nodeIds.column(parent.id, column.oid ?? index);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = getColumnName(column);
    this.reference = { table: parent.name, column: this.name };
    // A column without an oid cannot be identified, so it opens its table instead.
    this.resource = column.oid
      ? { ...parent.resource, kind: 'column', columnId: column.oid }
      : parent.resource;
    this.#column = column;
  }

  getTreeItem(): vscode.TreeItem {
    const column = this.#column;
    const isHidden = column.hidden === true;
    const isCustom = isCustomColumn(column);
    const type = getColumnType(column.type);
    const details = [
      getColumnTypeLabel(column.type),
      isCustom ? vscode.l10n.t('custom') : '',
      isHidden ? vscode.l10n.t('hidden') : '',
    ];
    const item = new vscode.TreeItem(this.name);
    item.description = details.filter((detail) => detail !== '').join(', ');
    item.iconPath = new vscode.ThemeIcon(
      type === undefined ? 'symbol-field' : icons[type.group],
      getIconColor(isHidden, isCustom),
    );
    item.contextValue = `column${isCustom ? '.custom' : ''}${isHidden ? '.hidden' : ''}`;
    item.command = createOpenCommand(this);
    if (isHidden) {
      item.resourceUri = toDecorationUri('hidden', this.id);
    }
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { id, type, size, precision, scale, expression, description } = this.#column;
    return createTooltip(
      this.name,
      [
        [vscode.l10n.t('Type'), getColumnTypeLabel(type)],
        [vscode.l10n.t('Size'), formatPositive(size)],
        [vscode.l10n.t('Precision'), formatPositive(precision)],
        [vscode.l10n.t('Scale'), formatPositive(scale)],
        [vscode.l10n.t('Source'), id ?? undefined],
        [vscode.l10n.t('Expression'), getExpressionText(expression)],
      ],
      description,
    );
  }
}

function isCustomColumn({ isCustom, expression }: Column): boolean {
  const text = getExpressionText(expression);
  return isCustom === true || (text !== undefined && text !== '');
}

/** Formats a size. Columns without that property have 0, which is not shown. */
const formatPositive = (value: number | null | undefined): string | undefined =>
  value ? String(value) : undefined;

/** Returns the color of a hidden or custom column. The description shows the same state in words. */
function getIconColor(isHidden: boolean, isCustom: boolean): vscode.ThemeColor | undefined {
  if (isHidden) {
    return new vscode.ThemeColor('disabledForeground');
  }
  return isCustom ? new vscode.ThemeColor('charts.purple') : undefined;
}
