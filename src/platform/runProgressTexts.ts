import * as vscode from 'vscode';
import { formatWait, type Wait } from '../client/messages/formatWait.ts';
import { toPlainText } from './serverText.ts';

const t = vscode.l10n.t;

/**
 * Describes how far a change got, or what it waits for: to send a request again, or for another change. Empty if
 * nothing is known, as for a change without rules.
 */
export function formatProgress({
  done,
  total,
  wait,
  isQueued,
}: {
  readonly done: number;
  readonly total: number;
  readonly wait?: Wait;
  readonly isQueued?: true;
}): string {
  if (isQueued === true) {
    return formatQueued();
  }
  return wait === undefined ? (total === 0 ? '' : t('{0} of {1} rules', done, total)) : describeWait(wait);
}

/** Describes that a change waits for another one of the same connection. */
export const formatQueued = (): string => t('Waiting until another change is completed.');

/**
 * Describes a wait in the user's language: how long it is, and whether the server is busy or the last request failed.
 */
export const describeWait = (wait: Wait): string => toPlainText(formatWait(t, wait));
