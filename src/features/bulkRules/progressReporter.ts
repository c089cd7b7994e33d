import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { RunProgress } from '../../changes/run/trackProgress.ts';
import { formatProgress } from '../../platform/runProgressTexts.ts';

/** The minimum time between two progress messages to the page. */
const progressIntervalMs = 100;

/** Returns a function that shows the progress of a run in a notification and on its page. */
export function createProgressReporter(
  clock: Clock,
  notification: vscode.Progress<{ readonly increment: number; readonly message: string }>,
  post: (progress: RunProgress) => void,
): (progress: RunProgress) => void {
  let reportedPercent = 0;
  let lastPostedAt = 0;
  return (progress) => {
    const now = clock.now();
    // Limits the messages of a change with thousands of requests.
    if (now - lastPostedAt < progressIntervalMs && progress.waitMs === undefined) {
      return;
    }
    lastPostedAt = now;
    post(progress);
    const percent = (100 * progress.done) / Math.max(1, progress.total);
    notification.report({
      increment: Math.max(0, percent - reportedPercent),
      message: formatProgress(progress),
    });
    reportedPercent = Math.max(reportedPercent, percent);
  };
}
