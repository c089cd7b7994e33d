import * as vscode from 'vscode';
import { getDisplayName } from '../../documents/documentAddress.ts';
import { toPlainText } from '../../platform/serverText.ts';

/**
 * Shows progress while it is unknown whether a save succeeded, because its response was lost.
 * @param completion resolves when the outcome is known
 */
export function showUnverifiedSave(path: string, completion: Promise<void>): void {
  void vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: toPlainText(
        vscode.l10n.t('Saving {0}: no response received. Checking the server…', getDisplayName(path)),
      ),
    },
    () => completion,
  );
}
