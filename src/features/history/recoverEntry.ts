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
  type PlanHash,
  PlanNeededError,
  SecretsNeededError,
} from '../../changes/run/writeErrors.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { createWrittenSection } from '../../platform/stoppedDocuments.ts';
import { abandonInterruptedChange } from './abandonEntry.ts';
import { explainClosedProject } from './closedProject.ts';
import { confirmProcessEnded } from './confirmProcessEnded.ts';
import type { HistoryFeatureDeps, RecoveryResult } from './deps.ts';
import {
  awaitCompletion,
  explainCommand,
  findEntry,
  getSecretOptions,
  loadNames,
  statusMessageMs,
  updateProjectLock,
} from './endInterruptedChange.ts';
import { reviewAndUndo, showUndoneMessage } from './historyActions.ts';
import { getEntryTitle } from './historyLabels.ts';
import { describeFailedRecovery, describeFinished, describeRolledBack } from './recoveryResults.ts';

const t = vscode.l10n.t;

/** Finishes an interrupted operation of a row, or rolls it back. */
export async function recoverInterrupted(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
  ending: RecoveryEnding,
): Promise<void> {
  const entry = await findEntry(deps, target);
  if (entry !== undefined) {
    await recoverEntry(deps, entry, ending);
  }
}

/**
 * Finishes an unfinished operation, or rolls it back: its window was closed or killed, or it stopped after an error or
 * a cancellation. Shows what would be written, and sends nothing until the user confirms that. If there is nothing to
 * send, ends it at once, and says so.
 * @throws the errors of {@link awaitCompletion}
 */
export async function recoverEntry(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  ending: RecoveryEnding,
): Promise<void> {
  if (entry.source === 'command-line') {
    await explainCommand(ending, entry);
    return;
  }
  if (!(await ensureWritable(deps, entry.operation.connectionId))) {
    return;
  }
  const takeOver = await confirmProcessEnded(deps, entry);
  if (takeOver === undefined) {
    return;
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
    await (ending === 'resume'
      ? explainUnfinishable(deps, entry, error)
      : reviewRollBack(deps, entry, { error, options: takeOver }));
    return;
  }
  const recovery: Recovery = { entry, ending, planned, options };
  await (planned.plan.operation.writes.length === 0
    ? endWithoutWrites(deps, recovery)
    : review(deps, recovery));
}

/** An operation, and how it will be ended. */
interface Recovery {
  readonly entry: HistoryEntry;
  readonly ending: RecoveryEnding;
  readonly planned: PlannedRecovery;
  readonly options: ResumeOptions;
}

/** Shows what ending an operation would write, ends it once the user confirms, and shows the result. */
async function review(deps: HistoryFeatureDeps, recovery: Recovery): Promise<void> {
  const { entry, ending, planned } = recovery;
  const title = getEntryTitle(entry);
  const isFinish = ending === 'resume' && planned.first === undefined;
  const written = isFinish
    ? getWrittenDocuments(planned.entry, await loadNames(deps, entry)).filter(({ isCertain }) => isCertain)
    : [];
  await deps.changeReview.reviewRecovery({
    title: ending === 'resume' ? t('Finish: {0}', title) : t('Roll Back: {0}', title),
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
        await send(deps, recovery, confirmedPlanHash);
      } catch (error) {
        const reviewAgain = { label: t('Review Again'), run: () => recoverEntry(deps, entry, ending) };
        return describeFailedRecovery(deps, entry, { error, reviewAgain });
      }
      return complete(deps, recovery);
    },
  });
}

/**
 * Ends an operation for which nothing has to be sent, and says so, without waiting until the notification is closed. If
 * that only undid an interrupted rollback, goes on with the change itself.
 */
async function endWithoutWrites(deps: HistoryFeatureDeps, recovery: Recovery): Promise<void> {
  const { entry, ending, planned } = recovery;
  let hasMore = planned.first !== undefined;
  try {
    await send(deps, recovery, planned.planHash);
  } catch (error) {
    if (!(error instanceof PlanNeededError)) {
      throw error;
    }
    // Meanwhile, there is something to send.
    hasMore = true;
  }
  if (hasMore) {
    await recoverEntry(deps, entry, ending);
    return;
  }
  const result = await complete(deps, recovery);
  const reason = ending === 'resume' ? t('Nothing was left to write.') : t('Nothing had to be undone.');
  const show = result.tone === 'info' ? showInformation : showWarning;
  void show(t('{0}: {1}', getEntryTitle(entry), `${reason} ${result.summary}`));
}

/**
 * Ends an operation as it was reviewed.
 * @throws the errors of {@link awaitCompletion}
 */
async function send(
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
      followUp: { label: t('Continue'), run: () => recoverEntry(deps, entry, ending) },
    };
  }
  await updateProjectLock(deps, entry);
  // Ending it has verified the outcome of its last write.
  const { history } = await deps.changeServices();
  const ended = (await history.readEntry(entry.operation.connectionId, entry.id)) ?? entry;
  if (ending === 'resume') {
    const text = t('Finished: {0}', getEntryTitle(entry));
    vscode.window.setStatusBarMessage(`$(check) ${toPlainText(text)}`, statusMessageMs);
    return describeFinished(ended);
  }
  const { findUnrestorableItems } = await import('../../changes/journal/unrestorableItems.ts');
  const items = await findUnrestorableItems(ended);
  const keptNames = items.map(({ name }) => name);
  showUndoneMessage(deps, entry, 'undo', keptNames);
  return describeRolledBack(items);
}

/**
 * Explains why an operation can't be finished.
 * @throws the error if it explains that itself
 */
async function explainUnfinishable(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  error: unknown,
): Promise<void> {
  if (!(await explainClosedProject(deps, entry, error))) {
    throw error;
  }
}

/**
 * Lets the user review a rollback that is not possible as it is: the user decides about later changes, or enters
 * secrets.
 * @throws the error of the rollback if a review doesn't help
 */
async function reviewRollBack(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { error, options }: { readonly error: unknown; readonly options: TakeOverOptions },
): Promise<void> {
  const { writer } = await deps.changeServices();
  const cause = error instanceof Error ? error.cause : undefined;
  // A rollback may never be possible: others may have deleted what the change has written, or the server may refuse the
  // rest.
  const followUp = {
    label: t('Abandon Change…'),
    run: () =>
      abandonInterruptedChange(deps, { connectionId: entry.operation.connectionId, entryId: entry.id }),
  };
  if (cause instanceof ConflictError) {
    await reviewAndUndo(deps, entry, {
      mode: 'restore',
      prepare: () => writer.recordStop(entry, options),
      followUp,
    });
  } else if (cause instanceof SecretsNeededError) {
    // The review shows what the operation has done, so its last write is verified first.
    await reviewAndUndo(deps, await writer.recordStop(entry, options), { mode: 'undo', followUp });
  } else {
    throw error;
  }
}
