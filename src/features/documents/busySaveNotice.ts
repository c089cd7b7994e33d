import * as vscode from 'vscode';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { SaveControl } from '../../documents/saveIntent.ts';
import { formatWait } from '../../platform/runProgressTexts.ts';
import { toPlainText } from '../../platform/serverText.ts';

const t = vscode.l10n.t;

/**
 * Creates the options of a save that no page shows: once it waits for a busy server, a notification shows that, and lets
 * the user cancel the save.
 * @param completion resolves when the save is over
 */
export function createSaveControl(path: string, completion: Promise<void>): SaveControl {
  const abort = new AbortController();
  let progress: vscode.Progress<{ message: string }> | undefined;
  const show = (message: string): void => {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: toPlainText(t('Saving {0}', getDisplayName(path))),
      cancellable: true,
    };
    void vscode.window.withProgress(options, (shown, token) => {
      token.onCancellationRequested(() => abort.abort(new Error(t('You canceled the change.'))));
      progress = shown;
      shown.report({ message });
      return completion;
    });
  };
  return {
    signal: abort.signal,
    // The wait is over: a request was carried out.
    onProgress: () => progress?.report({ message: '' }),
    onWait: (ms, failure) => {
      const message = formatWait({ ms, failure });
      if (progress === undefined) {
        show(message);
      } else {
        progress.report({ message });
      }
    },
  };
}
