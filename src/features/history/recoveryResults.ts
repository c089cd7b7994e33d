import * as vscode from 'vscode';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import type { UnrestorableItem } from '../../changes/journal/unrestorableItems.ts';
import { describeVisibleUntilBuild } from '../../changes/messages/describeVisibleUntilBuild.ts';
import type { RecoveryEnding } from '../../changes/run/plannedRecovery.ts';
import { mayShowMoreUntilBuild } from '../../changes/run/visibleUntilBuild.ts';
import { ConflictError, PlanNeededError, StoppedError } from '../../changes/run/writeErrors.ts';
import { formatItemName } from '../../platform/projects/itemNames.ts';
import { createStoppedSections } from '../../platform/stoppedDocuments.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { parseItemKey } from '../../project/item.ts';
import type { HistoryFeatureDeps, RecoveryNextSteps, RecoveryResult } from './deps.ts';
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
