import { type Clock, delay } from '../../base/clock.ts';
import { type ApiError, HttpError, NetworkError, TimeoutError } from '../../client/errors.ts';

/** Called when a wait of `ms` milliseconds begins, with the failure after which the request is sent again. */
export type WaitListener = (ms: number, failure: ApiError) => void;

/**
 * The limits for retries of writes while a server is briefly unavailable. They come on top of those of the client
 * (`RetryPolicy`), which repeats no write but the cancellation of a build: only the caller can check the rest. For a busy
 * server (429), see `BusyServerWaits`.
 */
export interface WriteRetryPolicy {
  /** The maximum number of consecutive failures that are followed by a retry. */
  readonly maxRetries: number;
  /** The longest wait that a server may ask for, in milliseconds. */
  readonly maxWaitMs: number;
  readonly onWait?: WaitListener | undefined;
}

/** The default limits: a wait of more than ten minutes is reported as a failure instead. */
export const defaultWriteRetryPolicy: WriteRetryPolicy = { maxRetries: 8, maxWaitMs: 600_000 };

/** The shortest pause before a request is sent again, in milliseconds. */
export const minPauseMs = 500;
const maxPauseMs = 30_000;

/** Returns a pause in milliseconds that doubles with each consecutive failure. */
export const getIncreasingPause = (failureCount: number): number =>
  Math.min(maxPauseMs, minPauseMs * 2 ** failureCount);

/**
 * Returns the wait in milliseconds before a failed request is sent again; `undefined` if it should not be. Follows
 * Retry-After; without it, the wait doubles with each consecutive failure. The caller must know that the request had no
 * effect, or that repeating it is harmless.
 * @param failureCount the number of consecutive failures before this one
 */
export function getWaitMs(
  error: ApiError,
  failureCount: number,
  retryPolicy: WriteRetryPolicy | undefined,
): number | undefined {
  if (retryPolicy === undefined || failureCount >= retryPolicy.maxRetries || !isTransient(error)) {
    return undefined;
  }
  const requestedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
  const pause = requestedMs > 0 ? requestedMs : getIncreasingPause(failureCount);
  return pause > retryPolicy.maxWaitMs ? undefined : pause;
}

/** Waits after a failure; ends early, without an error, when the task is canceled. */
export async function waitUnlessCanceled(
  ms: number,
  failure: ApiError,
  {
    clock,
    signal,
    retryPolicy,
  }: { clock: Clock; signal?: AbortSignal | undefined; retryPolicy?: WriteRetryPolicy | undefined },
): Promise<void> {
  retryPolicy?.onWait?.(ms, failure);
  try {
    await delay(clock, ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) {
      throw error;
    }
  }
}

/** More statuses than the client retries, since the caller knows that the request can be repeated. */
const transientStatuses: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** Returns whether the failure is transient: the same request may succeed later. */
const isTransient = (error: ApiError): boolean =>
  error instanceof HttpError
    ? transientStatuses.has(error.status)
    : error instanceof TimeoutError || (error instanceof NetworkError && error.kind === 'reset');
