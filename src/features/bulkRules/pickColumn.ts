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
  const none = { label: `$(circle-slash) ${t('Do not copy its rules')}`, description: '', to: null };
  const columns = (catalog?.tables ?? []).flatMap(({ name, columns: all }) =>
    all.map((each) => ({
      label: toPlainText(each.name),
      description: toPlainText(name),
      to: { table: name, column: each.name },
    })),
  );
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly to: ColumnName | null }>(
    [none, ...columns],
    { title: t('Column for {0}', `${table}.${column}`), matchOnDescription: true },
  );
  return picked?.to;
}
