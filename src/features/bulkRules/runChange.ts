import * as vscode from 'vscode';
import {
  type RuleChangeResult,
  type RunControl,
  applyChange,
  resumeChange,
} from '../../changes/bulkRules/runChange.ts';
import type { createPartyNamer, Preview } from '../../changes/bulkRules/preview.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { confirmProductionChange } from '../../platform/confirmProductionChange.ts';
import { type WriteAccessDeps, ensureWritable } from '../../platform/ensureWritable.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { formatCompletedRequests, formatDeniedAccess } from '../../changes/messages/describeStop.ts';
import { formatLabeledReason } from '../../changes/messages/stopReason.ts';
import { ConflictError } from '../../changes/run/writeErrors.ts';
import type { BulkRulesDeps } from './deps.ts';
import type { ChangeOutcome } from './changeReport.ts';

const t = vscode.l10n.t;

type PartyNamer = ReturnType<typeof createPartyNamer>;

/** Returns whether an error means that the rules have changed on the server since they were read. Nothing was sent. */
export const isConflict = (error: unknown): boolean => error instanceof ConflictError;

/**
 * Unlocks a connection if it is locked, and lets the user confirm a write to a production instance. Needed to apply a
 * change, and also to resume one. Returns false if the user cancels.
 */
export const confirmWrite = async (
  deps: Pick<BulkRulesDeps, 'connections' | keyof WriteAccessDeps>,
  connectionId: string,
  title: string,
): Promise<boolean> =>
  (await ensureWritable(deps, connectionId)) &&
  confirmProductionChange(deps.connections, connectionId, title);

/** Applies a previewed change and describes its outcome. */
export async function applyPreviewedChange(
  deps: BulkRulesDeps,
  preview: Pick<Preview, 'operation' | 'expectedVersions'>,
  control: RunControl,
  getPartyName?: PartyNamer,
): Promise<ChangeOutcome> {
  const { writer } = await deps.changeServices();
  const run = await applyChange({ writer, clock: deps.clock }, preview, control);
  return toChangeOutcome(run, control, getPartyName);
}

/** Resumes an interrupted change and describes its outcome. */
export async function resumeInterruptedChange(
  deps: BulkRulesDeps,
  entry: HistoryEntry,
  control: RunControl,
  getPartyName?: PartyNamer,
): Promise<ChangeOutcome> {
  const { writer } = await deps.changeServices();
  const run = await resumeChange({ writer, clock: deps.clock }, entry, control);
  return toChangeOutcome(run, control, getPartyName);
}

function toChangeOutcome(
  { report, stopError, ...timing }: RuleChangeResult,
  { signal }: RunControl,
  getPartyName: PartyNamer | undefined,
): ChangeOutcome {
  const { entryId, operation, writeStates } = report;
  const outcome = { ...timing, entryId, operation, writeStates };
  if (stopError === undefined) {
    return { ...outcome, result: { state: 'done', text: t('Done.'), canResume: false, canUndo: true } };
  }
  return {
    ...outcome,
    result: {
      state: 'stopped',
      text: [
        signal.aborted ? t('Canceled.') : t('Stopped.'),
        formatCompletedRequests(t, report),
        ...formatDeniedAccess(t, report, { getPartyName }),
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
      ...(signal.aborted ? {} : { problem: formatLabeledReason(t, stopError, getUserMessage) }),
      canResume: true,
      canUndo: true,
    },
  };
}
