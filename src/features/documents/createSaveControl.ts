import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { SaveControl } from '../../documents/saveIntent.ts';
import { describeWait, formatQueued } from '../../platform/runProgressTexts.ts';
import { toPlainText } from '../../platform/serverText.ts';

const t = vscode.l10n.t;

/** How long a save waits for its turn until a notification shows that: most changes take less time. */
const queueNoticeDelayMs = 1000;

/**
 * Creates the options of a save whose progress no page shows. While it waits for a busy server, or for more than a
 * second for another change of the same connection, a notification shows that and lets the user cancel the save.
 * @param completion resolves when the save is over
 */
export function createSaveControl(path: string, completion: Promise<void>, clock: Clock): SaveControl {
  const abort = new AbortController();
  let progress: vscode.Progress<{ message: string }> | undefined;
  const show = (message: string): void => {
    if (progress !== undefined) {
      progress.report({ message });
      return;
    }
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
  const clear = (): void => progress?.report({ message: '' });
  let queueTimer: ReturnType<Clock['schedule']> | undefined;
  return {
    signal: abort.signal,
    // The wait is over: a request was carried out.
    onProgress: clear,
    onQueued: (isQueued) => {
      queueTimer?.dispose();
      if (isQueued) {
        queueTimer = clock.schedule(queueNoticeDelayMs, () => show(formatQueued()));
      } else {
        clear();
      }
    },
    onWait: (ms, failure) => show(describeWait({ ms, failure })),
  };
}
