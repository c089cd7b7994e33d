import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { RunProgress } from '../../changes/run/trackProgress.ts';
import { describeWait, formatProgress } from '../../platform/runProgressTexts.ts';
import type { ToRuleChange } from '../../webviews/protocol/ruleChange.ts';

/** The minimum time between two progress messages to the page. */
const progressIntervalMs = 100;

/** Returns a function that shows the progress of a run in a notification and on its page. */
export function createProgressReporter(
  clock: Clock,
  notification: vscode.Progress<{ readonly increment: number; readonly message: string }>,
  post: (message: Extract<ToRuleChange, { type: 'running' }>) => void,
): (progress: RunProgress) => void {
  let reportedPercent = 0;
  let lastPostedAt = 0;
  return (progress) => {
    const now = clock.now();
    // Limits the messages of a change with thousands of requests.
    if (now - lastPostedAt < progressIntervalMs && progress.wait === undefined) {
      return;
    }
    lastPostedAt = now;
    const { done, total, wait } = progress;
    post({
      type: 'running',
      done,
      total,
      ...(wait === undefined ? {} : { waitText: describeWait(wait) }),
    });
    const percent = (100 * done) / Math.max(1, total);
    notification.report({
      increment: Math.max(0, percent - reportedPercent),
      message: formatProgress(progress),
    });
    reportedPercent = Math.max(reportedPercent, percent);
  };
}
