import * as vscode from 'vscode';

/** Formats a number of columns: "1 column", "7 columns". */
export const formatColumnCount = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 column') : vscode.l10n.t('{0} columns', count);

/** Formats a number of relations, like "7 relations". */
export const formatRelationCount = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 relation') : vscode.l10n.t('{0} relations', count);

/** Formats a number of data security rules, like "7 data security rules". */
export const formatRuleCount = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 data security rule') : vscode.l10n.t('{0} data security rules', count);
