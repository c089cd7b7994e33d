import { ApiError, createAbortError, HttpError } from '../../client/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Operation } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { throwIfChanged } from './changedTarget.ts';
import type { RunOptions } from './runOptions.ts';
import { defaultWriteRetryPolicy, getWaitMs, waitUnlessCanceled } from './writeRetryPolicy.ts';

/** What is needed to wait for a busy server. */
export interface RateLimitDeps {
  readonly operation: Pick<Operation, 'cause' | 'writes'>;
  readonly options: Pick<RunOptions, 'signal' | 'onWait'>;
  readonly clock: Clock;
  /** Reads the target of the write from the server. */
  readonly verifyOutcome: () => Promise<WriteOutcome>;
  /** Called when the write will be sent again: whatever comes next, the first request may still take effect. */
  readonly onLimited: () => void;
}

/**
 * Sends a write. While the server answers 429, sends it again after the time that the server asks for. It isn't
 * documented that such a server has done nothing (platform-facts.md, 2.7), so the target is read before each further
 * attempt: a write that took effect, or may have, is not sent twice. An operation with a single write is not sent
 * again: the user decides.
 * @returns `undefined` if the write took effect although the server answered 429
 * @throws ConflictError if another user has changed the target during the wait
 * @throws ApiError; CancelledError if the signal is aborted during the wait: the write may have taken effect
 */
export async function sendUnlessLimited<Response>(
  send: () => Promise<Response>,
  { operation, options: { signal, onWait }, clock, verifyOutcome, onLimited }: RateLimitDeps,
): Promise<Response | undefined> {
  const retryPolicy = { ...defaultWriteRetryPolicy, onWait };
  for (let failureCount = 0; ; failureCount += 1) {
    try {
      return await send();
    } catch (error) {
      const isSentAgain = operation.writes.length > 1 || operation.cause === 'apply';
      if (!(error instanceof HttpError && error.isTooManyRequests && isSentAgain)) {
        throw error;
      }
      const waitMs = getWaitMs(error, failureCount, retryPolicy);
      if (waitMs === undefined) {
        throw error;
      }
      onLimited();
      await waitUnlessCanceled(waitMs, { clock, signal, retryPolicy });
      if (signal?.aborted === true) {
        throw createAbortError(error.operation, { sent: true, cause: signal.reason });
      }
      const outcome = await verifyOutcome().catch((readError: unknown) => {
        // If the check fails too, the error of the write is the more useful one.
        throw readError instanceof ApiError ? error : readError;
      });
      throwIfChanged(outcome);
      if (outcome.state === 'happened') {
        return undefined;
      }
      if (outcome.state === 'unknown') {
        throw error;
      }
    }
  }
}
