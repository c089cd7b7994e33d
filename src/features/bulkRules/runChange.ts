import * as vscode from 'vscode';
import {
  type ChangeRun,
  type RunControl,
  applyChange,
  resumeChange,
} from '../../changes/bulkRules/runChange.ts';
import type { Preview } from '../../changes/bulkRules/preview.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { leavesDenyRules } from '../../changes/journal/stoppedOperation.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { formatStopReason } from '../../changes/messages/stopReason.ts';
import { ConflictError } from '../../changes/run/writeErrors.ts';
import type { BulkRulesDeps } from './deps.ts';
import type { ChangeOutcome } from './changeReport.ts';

const t = vscode.l10n.t;

/** Returns whether the rules have changed on the server since they were read, so that nothing was sent. */
export const isConflict = (error: unknown): boolean => error instanceof ConflictError;

/** Applies a previewed change and describes its outcome. */
export async function applyPreview(
  deps: BulkRulesDeps,
  preview: Pick<Preview, 'operation' | 'expectedVersions'>,
  control: RunControl,
): Promise<ChangeOutcome> {
  const { writer } = await deps.changeServices();
  return toChangeOutcome(await applyChange({ writer, clock: deps.clock }, preview, control), control);
}

/** Resumes an interrupted change and describes its outcome. */
export async function resumeInterrupted(
  deps: BulkRulesDeps,
  entry: HistoryEntry,
  control: RunControl,
): Promise<ChangeOutcome> {
  const { writer } = await deps.changeServices();
  return toChangeOutcome(await resumeChange({ writer, clock: deps.clock }, entry, control), control);
}

function toChangeOutcome({ report, stopError, ...timing }: ChangeRun, { signal }: RunControl): ChangeOutcome {
  const { entryId, operation, writes } = report;
  const outcome = { ...timing, entryId, operation, writes };
  if (stopError === undefined) {
    return { ...outcome, result: { state: 'done', text: t('Done.'), canResume: false, canUndo: true } };
  }
  const finishedCount = writes.filter(({ state }) => state === 'done').length;
  const text = signal.aborted
    ? t('Canceled after {0} of {1} requests.', finishedCount, writes.length)
    : t('Stopped after {0} of {1} requests.', finishedCount, writes.length);
  return {
    ...outcome,
    result: {
      state: 'stopped',
      text: leavesDenyRules(report)
        ? t(
            '{0} Until the change is finished or rolled back, the affected users and groups see no rows.',
            text,
          )
        : text,
      ...(signal.aborted ? {} : { problem: formatStopReason(t, stopError, getUserMessage) }),
      canResume: true,
      canUndo: true,
    },
  };
}
