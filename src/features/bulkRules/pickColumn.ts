import * as vscode from 'vscode';
import { toPlainText } from '../../platform/serverText.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { Catalog } from '../../sql/language.ts';

const t = vscode.l10n.t;

/** Lets the user pick the target column for a column, or none (`null`); `undefined` if the user canceled. */
export async function pickColumn(
  { table, column }: ColumnName,
  catalog: Catalog | undefined,
): Promise<ColumnName | null | undefined> {
  const skipItem = { label: `$(circle-slash) ${t("Don't Copy Rules")}`, description: '', target: null };
  const columns = (catalog?.tables ?? []).flatMap(({ name, columns: tableColumns }) =>
    tableColumns.map((tableColumn) => ({
      label: toPlainText(tableColumn.name),
      description: toPlainText(name),
      target: { table: name, column: tableColumn.name },
    })),
  );
  const selectedItem = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { readonly target: ColumnName | null }
  >([skipItem, ...columns], { title: t('Column for {0}', `${table}.${column}`), matchOnDescription: true });
  return selectedItem?.target;
}
