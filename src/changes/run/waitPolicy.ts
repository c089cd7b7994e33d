import { type Clock, delay } from '../../base/clock.ts';
import { type ApiError, HttpError, NetworkError, TimeoutError } from '../../client/errors.ts';

/** The limits for retries while a server is busy or briefly unavailable. */
export interface WaitPolicy {
  /** The maximum number of consecutive failures that are followed by a retry. */
  readonly maxRetries: number;
  /** The longest wait that a server may ask for, in milliseconds. */
  readonly maxWaitMs: number;
  /** Called when a wait of `ms` milliseconds begins. */
  readonly onWait?: ((ms: number) => void) | undefined;
}

/** The default limits: a wait of more than ten minutes is reported as a failure instead. */
export const defaultWaitPolicy: WaitPolicy = { maxRetries: 8, maxWaitMs: 600_000 };

const firstPauseMs = 500;
const maxPauseMs = 30_000;

/**
 * Returns the wait in milliseconds before a request that had no effect is sent again; `undefined` if it should not be.
 * Follows Retry-After; without it, the wait doubles with each consecutive failure.
 * @param failureCount the number of consecutive failures before this one
 */
export function getWaitMs(
  error: ApiError,
  failureCount: number,
  waitPolicy: WaitPolicy | undefined,
): number | undefined {
  if (waitPolicy === undefined || failureCount >= waitPolicy.maxRetries || !isTransient(error)) {
    return undefined;
  }
  const requestedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
  const pause = Math.max(
    requestedMs,
    requestedMs > 0 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** failureCount),
  );
  return pause > waitPolicy.maxWaitMs ? undefined : pause;
}

/** Waits; ends early, without an error, when the task is canceled. */
export async function waitUnlessCanceled(
  ms: number,
  {
    clock,
    signal,
    waitPolicy,
  }: { clock: Clock; signal?: AbortSignal | undefined; waitPolicy?: WaitPolicy | undefined },
): Promise<void> {
  waitPolicy?.onWait?.(ms);
  try {
    await delay(clock, ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) {
      throw error;
    }
  }
}

const transientStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Returns whether the failure is transient: the same request may succeed later. */
const isTransient = (error: ApiError): boolean =>
  error instanceof HttpError
    ? transientStatuses.has(error.status)
    : error instanceof TimeoutError || (error instanceof NetworkError && error.kind === 'reset');
