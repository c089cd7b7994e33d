import * as vscode from 'vscode';
import type { HistoryTarget } from '../../contributions.ts';
import type { TakeOverOptions } from '../../changes/journal/claimedError.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { getWrittenDocuments } from '../../changes/journal/writtenDocuments.ts';
import { describeVisibleUntilBuild } from '../../changes/messages/describeVisibleUntilBuild.ts';
import type { PlannedRecovery, RecoveryEnding } from '../../changes/run/plannedRecovery.ts';
import type { ResumeOptions } from '../../changes/run/recovery.ts';
import {
  ConflictError,
  EndedError,
  type PlanHash,
  PlanNeededError,
  SecretsNeededError,
} from '../../changes/run/writeErrors.ts';
import { ensureNotReadOnly, ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { createWrittenSection } from '../../platform/stoppedDocuments.ts';
import { getErrorActions, getUserMessage } from '../../platform/userErrors.ts';
import { abandonInterruptedChange } from './abandonEntry.ts';
import { explainClosedProject } from './closedProject.ts';
import { confirmProcessEnded } from './confirmProcessEnded.ts';
import type { HistoryFeatureDeps, RecoveryNextSteps, RecoveryResult } from './deps.ts';
import {
  awaitCompletion,
  explainCommand,
  findEntry,
  getSecretOptions,
  isCanceledByUser,
  loadNames,
  statusMessageMs,
  createStopError,
  updateProjectLock,
} from './endInterruptedChange.ts';
import { reviewAndUndo, showUndoneMessage } from './historyActions.ts';
import { getEntryTitle } from './historyLabels.ts';
import {
  describeFailedRecovery,
  describeFinished,
  describeReviewedRollBack,
  describeRolledBack,
} from './recoveryResults.ts';

const t = vscode.l10n.t;

/** Finishes an interrupted operation of a row, or rolls it back: see {@link recoverEntry}. */
export async function recoverInterrupted(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
  ending: RecoveryEnding,
): Promise<boolean> {
  const entry = await findEntry(deps, target);
  return entry !== undefined && recoverEntry(deps, entry, ending);
}

/**
 * Finishes an unfinished operation, or rolls it back: its window was closed or killed, or it stopped after an error or
 * a cancellation. Shows what would be written, and sends nothing until the user confirms; the page then unlocks the
 * connection if it's locked. If there is nothing to send, ends the operation at once, and shows a message. If the
 * operation can't be ended, a page shows why, and what the user can do.
 * @returns whether the operation was ended as the user has confirmed
 * @throws the errors of {@link awaitCompletion}
 */
export async function recoverEntry(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  ending: RecoveryEnding,
): Promise<boolean> {
  if (entry.source === 'command-line') {
    await explainCommand(ending, entry);
    return false;
  }
  if (!ensureNotReadOnly(deps, entry.operation.connectionId)) {
    return false;
  }
  const takeOver = await confirmProcessEnded(deps, entry);
  if (takeOver === undefined) {
    return false;
  }
  const { writer } = await deps.changeServices();
  const options = { ...takeOver, ...(ending === 'resume' ? await getSecretOptions(deps, entry) : {}) };
  let planned: PlannedRecovery;
  try {
    planned = await awaitCompletion(
      (control) => writer.planRecovery(entry, ending, { ...options, ...control }),
      entry,
    );
  } catch (error) {
    const isExplained =
      ending === 'resume'
        ? await explainClosedProject(deps, entry, error)
        : await reviewRollBack(deps, entry, { error, options: takeOver });
    if (!isExplained) {
      await showRefusal(deps, entry, { ending, error });
    }
    return false;
  }
  const recovery: Recovery = { entry, ending, planned, options };
  return planned.plan.operation.writes.length === 0
    ? endWithoutWrites(deps, recovery)
    : review(deps, recovery);
}

/** An operation, and how it will be ended: finished (`resume`) or rolled back. */
interface Recovery {
  readonly entry: HistoryEntry;
  readonly ending: RecoveryEnding;
  readonly planned: PlannedRecovery;
  readonly options: ResumeOptions;
}

/**
 * Shows what ending an operation would write, ends it once the user confirms, and shows the result.
 * @returns whether it was ended
 */
async function review(deps: HistoryFeatureDeps, recovery: Recovery): Promise<boolean> {
  const { entry, ending, planned } = recovery;
  let isEnded = false;
  const isFinish = ending === 'resume' && planned.first === undefined;
  const written = isFinish
    ? getWrittenDocuments(planned.entry, await loadNames(deps, entry)).filter(({ isCertain }) => isCertain)
    : [];
  await deps.changeReview.reviewRecovery({
    title: formatRecoveryTitle(entry, ending),
    applyLabel:
      planned.first !== undefined ? t('Undo Rollback') : ending === 'resume' ? t('Finish') : t('Roll Back'),
    planned,
    notes: [
      planned.first !== undefined
        ? t(
            'A rollback of this change was interrupted. What it has undone is written again first. After that, you can review the rest of the change.',
          )
        : ending === 'resume'
          ? t("This writes what the interrupted change hasn't written yet.")
          : t('This undoes what the interrupted change has written.'),
    ],
    warnings: isFinish ? describeVisibleUntilBuild(t, entry.operation) : [],
    progressSections: written.length === 0 ? [] : [createWrittenSection(written)],
    run: async (confirmedPlanHash) => {
      try {
        await sendReviewedWrites(deps, recovery, confirmedPlanHash);
      } catch (error) {
        return describeFailedRecovery(deps, entry, {
          ending,
          error,
          nextSteps: createNextSteps(deps, entry, ending),
        });
      }
      isEnded = planned.first === undefined;
      return complete(deps, recovery);
    },
  });
  return isEnded;
}

/**
 * Ends an operation for which nothing has to be sent, and shows a notification without waiting until it's closed. If
 * that only undid an interrupted rollback, continues with ending the change itself.
 */
async function endWithoutWrites(deps: HistoryFeatureDeps, recovery: Recovery): Promise<boolean> {
  const { entry, ending, planned } = recovery;
  if (!(await ensureWritable(deps, entry.operation.connectionId))) {
    return false;
  }
  let hasMore = planned.first !== undefined;
  try {
    await sendReviewedWrites(deps, recovery, planned.planHash);
  } catch (error) {
    if (!(error instanceof PlanNeededError)) {
      throw error;
    }
    // The instance has changed in the meantime, so that there is something to send now.
    hasMore = true;
  }
  if (hasMore) {
    return recoverEntry(deps, entry, ending);
  }
  const result = await complete(deps, recovery);
  const reason = ending === 'resume' ? t('Nothing was left to write.') : t('Nothing had to be undone.');
  const show = result.tone === 'info' ? showInformation : showWarning;
  void show(t('{0}: {1}', getEntryTitle(entry), `${reason} ${result.summary}`));
  return true;
}

/**
 * Sends the writes that the user has reviewed: those that undo an interrupted rollback if there is one
 * (`planned.first`), otherwise those that end the operation.
 * @throws the errors of {@link awaitCompletion}
 */
async function sendReviewedWrites(
  deps: HistoryFeatureDeps,
  { entry, ending, planned, options }: Recovery,
  confirmedPlanHash: PlanHash,
): Promise<void> {
  const { writer } = await deps.changeServices();
  const step = planned.first ?? { entry, ending };
  await awaitCompletion((control) => {
    const stepOptions = { ...options, ...control, confirmedPlanHash };
    return step.ending === 'resume'
      ? writer.resume(step.entry, stepOptions)
      : writer.rollBack(step.entry, stepOptions);
  }, entry);
}

/** Updates the lock file of the project of an operation that has ended, and describes the result. */
async function complete(
  deps: HistoryFeatureDeps,
  { entry, ending, planned }: Recovery,
): Promise<RecoveryResult> {
  if (planned.first !== undefined) {
    return {
      tone: 'warning',
      summary: t('The interrupted rollback is undone. The change itself is still interrupted.'),
      sections: [],
      followUp: { label: t('Continue'), loadsPage: true, run: () => recoverEntry(deps, entry, ending) },
    };
  }
  await updateProjectLock(deps, entry);
  // Ending the operation has verified the outcome of its last write, so the entry is read again.
  const { history } = await deps.changeServices();
  const entryAfter = (await history.readEntry(entry.operation.connectionId, entry.id)) ?? entry;
  if (ending === 'resume') {
    const text = t('Finished: {0}', getEntryTitle(entry));
    vscode.window.setStatusBarMessage(`$(check) ${toPlainText(text)}`, statusMessageMs);
    return describeFinished(entryAfter);
  }
  const { findUnrestorableItems } = await import('../../changes/journal/unrestorableItems.ts');
  const items = await findUnrestorableItems(entryAfter);
  const keptNames = items.map(({ name }) => name);
  showUndoneMessage(deps, entry, 'roll-back', keptNames);
  return describeRolledBack(items);
}

/** Creates the actions for a page that shows why an operation can't be ended. */
function createNextSteps(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  ending: RecoveryEnding,
): RecoveryNextSteps {
  return {
    followUp: {
      label: t('Review Again'),
      loadsPage: true,
      run: () => recoverEntry(deps, entry, ending),
    },
    alternative:
      ending === 'resume'
        ? {
            label: t('Roll Back…'),
            prepare: () =>
              Promise.resolve(async () => {
                await recoverEntry(deps, entry, 'roll-back');
              }),
          }
        : {
            label: t('Abandon Change…'),
            prepare: async () =>
              (await abandonInterruptedChange(deps, getTarget(entry))) ? () => Promise.resolve() : undefined,
          },
  };
}

/**
 * Shows on a page why an operation can't be ended, and what to do. A notification would cover the buttons of the next
 * page, and would still be there once that page is closed.
 * @throws the error if the user has canceled, if the operation was ended meanwhile, or if a notification offers what to
 *   do
 */
async function showRefusal(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { ending, error }: { readonly ending: RecoveryEnding; readonly error: unknown },
): Promise<void> {
  const isEnded = error instanceof Error && error.cause instanceof EndedError;
  const offersUnlockOrSignIn = getErrorActions(error).length > 1;
  if (isEnded || offersUnlockOrSignIn || isCanceledByUser(error)) {
    throw error;
  }
  deps.log.warn('writes', 'An interrupted change can not be ended', { reason: String(error) });
  const { describeRefusal } = await import('./describeRefusal.ts');
  await deps.changeReview.showRefusedRecovery({
    operation: entry.operation,
    title: formatRecoveryTitle(entry, ending),
    reason: getUserMessage(error),
    sections: await describeRefusal(deps, entry, error),
    ...createNextSteps(deps, entry, ending),
  });
}

const getTarget = ({ id, operation: { connectionId } }: HistoryEntry): HistoryTarget => ({
  connectionId,
  entryId: id,
});

const formatRecoveryTitle = (entry: HistoryEntry, ending: RecoveryEnding): string =>
  ending === 'resume' ? t('Finish: {0}', getEntryTitle(entry)) : t('Roll Back: {0}', getEntryTitle(entry));

/** Describes the result of a rollback that the user has reviewed, or how far it got. */
const createRollBackResult = (
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
): NonNullable<Parameters<typeof reviewAndUndo>[2]['rollBackResult']> => ({
  describe: async (undone) => {
    const { history } = await deps.changeServices();
    const current = (await history.readEntry(entry.operation.connectionId, entry.id)) ?? entry;
    return describeReviewedRollBack(current, undone);
  },
  describeStop: (error) =>
    describeFailedRecovery(deps, entry, {
      ending: 'roll-back',
      error: createStopError(error),
      nextSteps: createNextSteps(deps, entry, 'roll-back'),
    }),
});

/**
 * Lets the user review a rollback that needs a decision about later changes, or that needs secrets.
 * @returns false if the rollback has failed for another reason, so that nothing was shown
 */
async function reviewRollBack(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { error, options }: { readonly error: unknown; readonly options: TakeOverOptions },
): Promise<boolean> {
  const { writer } = await deps.changeServices();
  const cause = error instanceof Error ? error.cause : undefined;
  // A rollback may never be possible: others may have deleted what the change has written, or the server may refuse the
  // rest.
  const followUp = {
    label: t('Abandon Change…'),
    run: async () => {
      await abandonInterruptedChange(deps, getTarget(entry));
    },
  };
  if (cause instanceof ConflictError) {
    await reviewAndUndo(deps, entry, {
      mode: 'restore',
      rollBackResult: createRollBackResult(deps, entry),
      prepare: () => writer.recordStop(entry, options),
      followUp,
    });
  } else if (cause instanceof SecretsNeededError) {
    // The review shows what the operation has done, so its last write is verified first.
    await reviewAndUndo(deps, await writer.recordStop(entry, options), {
      mode: 'undo',
      rollBackResult: createRollBackResult(deps, entry),
      followUp,
    });
  } else {
    return false;
  }
  return true;
}
