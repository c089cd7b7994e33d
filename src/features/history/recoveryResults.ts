import * as vscode from 'vscode';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { mayHaveWritten } from '../../changes/journal/stoppedOperation.ts';
import { selectUnrestorableItems, type UnrestorableItem } from '../../changes/journal/unrestorableItems.ts';
import {
  describeVisibleAfterStop,
  describeVisibleUntilBuild,
} from '../../changes/messages/describeVisibleUntilBuild.ts';
import type { RecoveryEnding } from '../../changes/run/plannedRecovery.ts';
import { mayShowMoreUntilBuild } from '../../changes/run/visibleUntilBuild.ts';
import { ConflictError, PlanNeededError, StoppedError } from '../../changes/run/writeErrors.ts';
import { formatItemName } from '../../platform/projects/itemNames.ts';
import { createStoppedSections } from '../../platform/stoppedDocuments.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { parseItemKey } from '../../project/item.ts';
import type { HistoryFeatureDeps, RecoveryNextSteps, RecoveryResult, UndoneForReview } from './deps.ts';
import { describeUnrestorable } from './describeUnrestorable.ts';
import { loadNames } from './endInterruptedChange.ts';

const t = vscode.l10n.t;

/** Describes the result of finishing an interrupted change, and what it leaves to do. */
export function describeFinished({ operation }: HistoryEntry): RecoveryResult {
  const deferred = (operation.project?.deferredItems ?? []).flatMap((text) => parseItemKey(text) ?? []);
  const visibleData = describeVisibleUntilBuild(t, operation);
  return {
    tone: deferred.length + visibleData.length === 0 ? 'info' : 'warning',
    summary: [
      t('Finished.'),
      ...(deferred.length === 0 ? [] : [t('Some items of the project need another apply.')]),
      ...visibleData,
      t('You can undo the change in the History view.'),
    ].join(' '),
    namesVisibleData: visibleData.length > 0,
    sections:
      deferred.length === 0
        ? []
        : [
            {
              title: t('Needs another apply'),
              tone: 'warning',
              count: deferred.length,
              items: deferred.map((key) => ({ icon: 'watch', text: formatItemName(key) })),
            },
          ],
  };
}

/**
 * Describes the result of rolling back an interrupted change.
 * @param items what was not restored
 */
export const describeRolledBack = (items: readonly UnrestorableItem[]): RecoveryResult => ({
  tone: items.length === 0 ? 'info' : 'warning',
  summary: [t('Rolled back.'), ...describeUnrestorable(items)].join(' '),
  sections: [],
});

/**
 * Describes the result of rolling back an interrupted change for which the user has decided about changes by others, and
 * what the parts that were kept leave to do.
 */
export function describeReviewedRollBack(
  entry: HistoryEntry,
  { keptNames, losses }: UndoneForReview,
): RecoveryResult {
  if (keptNames.length === 0) {
    return describeRolledBack(selectUnrestorableItems(losses));
  }
  // What the change may show until the next build stays visible if its cause was kept. In doubt, it's named.
  const visibleData = describeVisibleAfterStop(t, entry);
  return {
    tone: 'warning',
    summary: [
      t('Partly rolled back.'),
      ...describeUnrestorable(selectUnrestorableItems(losses)),
      ...visibleData,
    ].join(' '),
    namesVisibleData: visibleData.length > 0,
    builds: wroteStructure(entry) ? (entry.operation.builds ?? []) : [],
    sections: [
      {
        title: t('Not rolled back, because later changes are kept'),
        tone: 'warning',
        count: keptNames.length,
        items: keptNames.map((name) => ({ icon: 'circle-slash', text: name })),
      },
    ],
  };
}

/** Returns whether a change may have written to a datamodel, so that queries need a build to show what is left of it. */
const wroteStructure = ({ operation, writeStates }: HistoryEntry): boolean =>
  operation.writes.some(
    ({ params }, index) =>
      params['datamodelId'] !== undefined &&
      mayHaveWritten({ writeStates: writeStates.slice(index, index + 1) }),
  );

/**
 * Describes why an interrupted change wasn't ended, how far the attempt got, and what the user can do.
 * @param failure `error` comes from `awaitCompletion`; `nextSteps` are offered if nothing was written
 */
export async function describeFailedRecovery(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  {
    ending,
    error,
    nextSteps,
  }: {
    readonly ending: RecoveryEnding;
    readonly error: unknown;
    readonly nextSteps: RecoveryNextSteps;
  },
): Promise<RecoveryResult> {
  deps.log.error('writes', 'An interrupted change was not ended', { reason: String(error) });
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof StoppedError) {
    const { history } = await deps.changeServices();
    const { connectionId } = entry.operation;
    const documents = await readStoppedDocuments(
      history,
      { ...cause.report, connectionId },
      await loadNames(deps, entry),
    );
    return {
      tone: 'error',
      summary: getUserMessage(error),
      sections: createStoppedSections(documents),
      mayShowMoreUntilBuild: mayShowMoreUntilBuild(cause.report),
      followUp: {
        label: t('Show History'),
        run: async () => {
          await vscode.commands.executeCommand('datamodelStudio.history.focus');
        },
      },
    };
  }
  // If changes by others prevent a rollback, the next review lets the user decide about these changes.
  const isOutdated =
    error instanceof PlanNeededError ||
    (ending === 'roll-back' && [error, cause].some((reason) => reason instanceof ConflictError));
  return {
    tone: 'error',
    summary: isOutdated
      ? t('The instance was changed in the meantime. Nothing was written. Review the updated changes.')
      : t('Nothing was written. {0}', getUserMessage(error)),
    sections: [],
    ...nextSteps,
  };
}
