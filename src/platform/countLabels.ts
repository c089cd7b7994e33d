import * as vscode from 'vscode';

/** A number of columns, in words: "1 column", "7 columns". */
export const countColumns = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 column') : vscode.l10n.t('{0} columns', count);

/** A number of relations, in words. */
export const countRelations = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 relation') : vscode.l10n.t('{0} relations', count);

/** A number of data security rules, in words. */
export const countRules = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 data security rule') : vscode.l10n.t('{0} data security rules', count);
