import * as vscode from 'vscode';
import type { TakeOverOptions } from '../../changes/journal/claimedError.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import type { HistoryFeatureDeps } from './deps.ts';

const t = vscode.l10n.t;

/**
 * Asks whether the process of an operation has ended, unless that is already known: two processes must not continue the
 * operation at once.
 * @returns the options with which the operation can be continued; `undefined` if the user cancels
 */
export async function confirmProcessEnded(
  { changeServices }: Pick<HistoryFeatureDeps, 'changeServices'>,
  entry: HistoryEntry,
): Promise<TakeOverOptions | undefined> {
  const { history } = await changeServices();
  const state = entry.end === undefined ? history.getProcessState(entry) : 'ended';
  if (state !== 'id-in-use' && state !== 'unknown') {
    return {};
  }
  const continueLabel = t('Continue');
  const { pid, process: identity } = entry;
  const answer = await showModalQuestion(
    t('Continue only if the process that made this change has ended.'),
    state === 'id-in-use'
      ? t('If process {0} is VS Code or the command line, it is still making the change.', pid)
      : t('Process {0} on {1} might still be making the change.', pid, identity?.host ?? ''),
    continueLabel,
  );
  return answer === continueLabel ? { takesOver: true } : undefined;
}
