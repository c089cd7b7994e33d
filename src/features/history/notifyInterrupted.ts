import * as vscode from 'vscode';
import { showError, showWarning } from '../../platform/messages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { finishEntry, rollBackEntry } from './historyActions.ts';
import { getEntryTitle, describeOutcome } from './historyLabels.ts';

/**
 * Notifies the user of operations that a closed or killed window left unfinished, and offers to finish them or to roll
 * them back. An unfinished operation may deny access: while a rule of a live datamodel is moved to another party, its
 * values are hidden from everyone.
 * Sends no requests until the user chooses an action.
 */
export async function notifyInterrupted(deps: HistoryFeatureDeps): Promise<void> {
  const { history } = await deps.changeServices();
  for (const { id: connectionId, name: connectionName } of deps.connections.all) {
    for (const { id: entryId, source } of await history.readUnfinished(connectionId)) {
      if (source !== undefined) {
        // The command line has already shown how to continue.
        continue;
      }
      // The entry may have ended while an earlier prompt was open.
      const entry = (await history.readUnfinished(connectionId)).find(
        (unfinishedEntry) => unfinishedEntry.id === entryId,
      );
      if (entry === undefined) {
        continue;
      }
      const finishLabel = vscode.l10n.t('Finish');
      const rollBackLabel = vscode.l10n.t('Roll Back');
      const text = vscode.l10n.t(
        '{0} ({1}): {2}.',
        getEntryTitle(entry),
        connectionName,
        describeOutcome(entry, false) ?? '',
      );
      const choice = await showWarning(text, finishLabel, rollBackLabel);
      try {
        if (choice === finishLabel) {
          await finishEntry(deps, entry);
        } else if (choice === rollBackLabel) {
          await rollBackEntry(deps, entry);
        }
      } catch (error) {
        deps.log.error('writes', 'Ending an unfinished operation failed', { reason: String(error) });
        await showError(getUserMessage(error));
      }
    }
  }
}
