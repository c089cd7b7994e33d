import * as vscode from 'vscode';
import { showError, showWarning } from '../../platform/messages.ts';
import { userMessage } from '../../platform/userErrors.ts';
import type { HistoryDeps } from './deps.ts';
import { finished, takeBackUnfinished } from './historyActions.ts';
import { entryTitle, outcome } from './historyWords.ts';

/**
 * Tells of operations that a closed or killed window left unfinished, and offers to finish them or to take them back.
 * A live rule on its way to another hides values from its parties until that is done. Asks no server by itself.
 */
export async function offerUnfinished(deps: HistoryDeps): Promise<void> {
  const { writer, history } = await deps.writing();
  for (const { id, name } of deps.connections.all) {
    for (const { id: entryId } of await history.unfinished(id)) {
      // While one was asked about, another may have ended with it.
      const entry = (await history.unfinished(id)).find((one) => one.id === entryId);
      if (entry === undefined) {
        continue;
      }
      const finish = vscode.l10n.t('Finish');
      const takeBack = vscode.l10n.t('Take Back');
      const text = vscode.l10n.t('{0} ({1}): {2}.', entryTitle(entry), name, outcome(entry, false) ?? '');
      const choice = await showWarning(text, finish, takeBack);
      try {
        if (choice === finish) {
          await finished(writer.resume(entry), entry);
        } else if (choice === takeBack) {
          await takeBackUnfinished(deps, entry);
        }
      } catch (error) {
        deps.log.error('writes', 'An unfinished operation was not ended', { reason: String(error) });
        await showError(userMessage(error));
      }
    }
  }
}
