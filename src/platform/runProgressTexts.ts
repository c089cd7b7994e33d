import * as vscode from 'vscode';
import type { ApiError } from '../client/errors.ts';
import { formatCause } from '../client/messages/formatApiError.ts';
import { toPlainText } from './serverText.ts';

const t = vscode.l10n.t;

/** A wait before a request is sent again. */
interface Wait {
  /** The time until the next attempt, in milliseconds. */
  readonly ms: number;
  /** Why the last attempt failed. */
  readonly failure: ApiError;
}

/**
 * Describes how far a change got, or what it waits for: to send a request again, or for another change. Empty if nothing
 * is known, as for a change without rules.
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
  return wait === undefined ? (total === 0 ? '' : t('{0} of {1} rules', done, total)) : formatWait(wait);
}

/** Describes that a change waits for another one of the same connection. */
export const formatQueued = (): string => t('Waiting until another change is completed.');

/** Describes a wait: how long it is, and whether the server is busy or the last request failed. */
export function formatWait({ ms, failure }: Wait): string {
  const seconds = Math.ceil(ms / 1000);
  if (failure.code === 'too-many-requests') {
    return seconds === 1
      ? t('The server is busy. Trying again in 1 second.')
      : t('The server is busy. Trying again in {0} seconds.', seconds);
  }
  const cause = toPlainText(formatCause(t, failure));
  return seconds === 1
    ? t('A request failed: {0}. Trying again in 1 second.', cause)
    : t('A request failed: {0}. Trying again in {1} seconds.', cause, seconds);
}
