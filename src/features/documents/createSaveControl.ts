import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { SaveControl } from '../../documents/saveIntent.ts';
import { describeWait, formatQueued } from '../../platform/runProgressTexts.ts';
import { toPlainText } from '../../platform/serverText.ts';

const t = vscode.l10n.t;

/** How long a save waits for another change before a notification appears: most changes take less time. */
const queueNoticeDelayMs = 1000;

/**
 * Creates the options with which a save reports its progress, for a save without a page that does so. A notification
 * appears while the save waits for a busy server, or for more than a second for another change on the same connection.
 * The user can cancel the save there.
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
    // A request has completed, so the save no longer waits.
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
