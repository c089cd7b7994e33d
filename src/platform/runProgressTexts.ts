import * as vscode from 'vscode';

/** Describes how far a change got, or how long it waits for a busy server. */
export function formatProgress({
  done,
  total,
  waitMs,
  isQueued,
}: {
  readonly done: number;
  readonly total: number;
  /** The time until the next attempt, in milliseconds. */
  readonly waitMs?: number;
  /** Set while it waits for another change. */
  readonly isQueued?: true;
}): string {
  if (isQueued === true) {
    return vscode.l10n.t('Waiting until another change is completed.');
  }
  if (waitMs === undefined && total === 0) {
    return '';
  }
  if (waitMs === undefined) {
    return vscode.l10n.t('{0} of {1} rules', done, total);
  }
  const seconds = Math.ceil(waitMs / 1000);
  return seconds === 1
    ? vscode.l10n.t('The server is busy. Trying again in 1 second.')
    : vscode.l10n.t('The server is busy. Trying again in {0} seconds.', seconds);
}
