import type { Localize } from '../../base/localize.ts';
import type { ApiError } from '../errors.ts';
import { formatCause } from './formatApiError.ts';

/** A wait before a request is sent again. */
export interface Wait {
  /** The time until the next attempt, in milliseconds. */
  readonly ms: number;
  /** Why the last attempt failed. */
  readonly failure: ApiError;
}

/** Formats a wait: how long it is, and whether the server is busy or the last request failed. */
export function formatWait(t: Localize, { ms, failure }: Wait): string {
  const seconds = Math.ceil(ms / 1000);
  if (failure.code === 'too-many-requests') {
    return seconds === 1
      ? t('The server is busy. Trying again in 1 second.')
      : t('The server is busy. Trying again in {0} seconds.', seconds);
  }
  const cause = formatCause(t, failure);
  return seconds === 1
    ? t('A request failed: {0}. Trying again in 1 second.', cause)
    : t('A request failed: {0}. Trying again in {1} seconds.', cause, seconds);
}
