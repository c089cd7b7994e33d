import * as vscode from 'vscode';
import { shownName } from '../../documents/documentAddress.ts';
import { plainText } from '../../platform/serverText.ts';

/** Tells that the answer of a save was lost, as long as it is being found out what became of it. */
export function tellUnknown(path: string, known: Promise<void>): void {
  void vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: plainText(
        vscode.l10n.t('Saving {0}: the answer was lost. Unknown, re-reading…', shownName(path)),
      ),
    },
    () => known,
  );
}
