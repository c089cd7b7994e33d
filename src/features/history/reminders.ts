import * as vscode from 'vscode';
import type { HistoryTarget } from '../../contributions.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { selectUnfinishedReminders } from '../../changes/journal/unfinishedReminders.ts';
import { showError } from '../../platform/messages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { recoverEntry } from './recoverEntry.ts';
import { getEntryTitle, describeDeniedAccess, describeOutcome } from './historyLabels.ts';

/**
 * Notifies the user of operations that a closed or killed window left unfinished, and of rule changes that stopped,
 * and offers to finish them or to roll them back. They may deny access: while a rule of a live datamodel is moved to
 * another party, its values are hidden from everyone.
 * Sends no requests until the user chooses an action.
 */
export async function remindOfUnfinishedChanges(deps: HistoryFeatureDeps): Promise<void> {
  for (const { id: connectionId } of deps.connections.all) {
    for (const { id: entryId } of await findReminderEntries(deps, connectionId)) {
      await remindOfStoppedChange(deps, { connectionId, entryId });
    }
  }
}

/**
 * Offers to finish an operation that was interrupted or has stopped, or to roll it back. Does nothing if it ended in
 * the meantime, for example while an earlier reminder was open.
 */
export async function remindOfStoppedChange(
  deps: HistoryFeatureDeps,
  { connectionId, entryId }: HistoryTarget,
): Promise<void> {
  const entry = (await findReminderEntries(deps, connectionId)).find(({ id }) => id === entryId);
  if (entry === undefined) {
    return;
  }
  const finishLabel = vscode.l10n.t('Finish…');
  const rollBackLabel = vscode.l10n.t('Roll Back…');
  const text = vscode.l10n.t(
    '{0} ({1}): {2}.',
    getEntryTitle(entry),
    deps.connections.find(connectionId)?.name ?? '',
    describeOutcome(entry) ?? '',
  );
  // An error stays until the user closes it; a warning would be hidden after some seconds.
  const choice = await showError(
    [text, ...describeDeniedAccess(entry)].join(' '),
    finishLabel,
    rollBackLabel,
  );
  try {
    if (choice === finishLabel) {
      await recoverEntry(deps, entry, 'resume');
    } else if (choice === rollBackLabel) {
      await recoverEntry(deps, entry, 'roll-back');
    }
  } catch (error) {
    deps.log.error('writes', 'Ending an unfinished operation failed', { reason: String(error) });
    await showError(getUserMessage(error));
  }
}

/** Reads the operations to remind of: see {@link selectUnfinishedReminders}. */
async function findReminderEntries(
  { changeServices }: HistoryFeatureDeps,
  connectionId: string,
): Promise<readonly HistoryEntry[]> {
  const { history } = await changeServices();
  const entries = await history.readEntries(connectionId);
  // An operation that may still be running on another computer is shown in the history only.
  const interruptedIds = new Set(
    (await history.readUnfinishedEntries(connectionId))
      .filter((entry) => entry.end !== undefined || history.getProcessState(entry) === 'ended')
      .map(({ id }) => id),
  );
  return selectUnfinishedReminders(entries, interruptedIds);
}
