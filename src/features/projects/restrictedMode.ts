import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** Returns why nothing is sent as long as the user doesn't trust the workspace. */
export const getRestrictedModeText = (): string =>
  t('This workspace is in Restricted Mode, so nothing is sent to the instances of its projects.');
