import * as vscode from 'vscode';
import { getColumnType } from '../../contract/terms.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { showInformation } from '../../platform/messages.ts';
import type { FormDatamodelState, FormTable } from '../../webviews/protocol/documentForm.ts';
import { keepOpenOnFocusLoss } from './quickPickOptions.ts';

type FormColumn = FormTable['columns'][number];

/** A column that the user picked. */
export interface PickedColumn {
  readonly table: string;
  readonly column: FormColumn;
}

interface ColumnItem extends vscode.QuickPickItem {
  readonly source?: PickedColumn;
}

const icons = {
  number: 'symbol-number',
  text: 'symbol-string',
  'date-time': 'calendar',
  time: 'clock',
  boolean: 'symbol-boolean',
  other: 'symbol-misc',
};

/** Lets the user pick one or more columns of the datamodel; `undefined` if the user canceled. */
export async function pickColumns(
  model: FormDatamodelState,
  question: {
    readonly title: string;
    readonly canPickMany: boolean;
    readonly isUsed: (table: string, column: string) => boolean;
    /** Columns for which this returns false are not listed. */
    readonly isSelectable?: (column: FormColumn) => boolean;
  },
): Promise<readonly PickedColumn[] | undefined> {
  if (model.state !== 'ready') {
    await showInformation(
      vscode.l10n.t("The tables and columns aren't available. Check the datamodel at the top of the form."),
    );
    return undefined;
  }
  const items = model.tables.flatMap((table): readonly ColumnItem[] => {
    const columns = table.columns.filter((column) => question.isSelectable?.(column) !== false);
    return columns.length === 0
      ? []
      : [
          { label: toPlainText(table.name), kind: vscode.QuickPickItemKind.Separator },
          ...columns.map((column) => toItem(table, column, question.isUsed(table.name, column.name))),
        ];
  });
  const options = {
    ...keepOpenOnFocusLoss,
    title: question.title,
    placeHolder: vscode.l10n.t('Columns of {0}', toPlainText(model.title)),
    matchOnDescription: true,
  };
  if (question.canPickMany) {
    const selectedItems = await vscode.window.showQuickPick(items, { ...options, canPickMany: true });
    return selectedItems?.flatMap(({ source }) => source ?? []);
  }
  const selectedItem = await vscode.window.showQuickPick(items, options);
  return selectedItem?.source === undefined ? undefined : [selectedItem.source];
}

function toItem({ name: table }: FormTable, column: FormColumn, isUsed: boolean): ColumnItem {
  const details = [
    // Contains the name of the table, so that typing `Table.Column` finds the column.
    `${toPlainText(table)}.${toPlainText(column.name)}`,
    ...(column.hidden === true ? [vscode.l10n.t('hidden')] : []),
    ...(isUsed ? [vscode.l10n.t('in use')] : []),
  ];
  return {
    label: toPlainText(column.name),
    description: details.join(' · '),
    iconPath: new vscode.ThemeIcon(icons[getColumnType(column.type)?.group ?? 'text']),
    source: { table, column },
  };
}
