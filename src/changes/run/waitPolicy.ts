import { type Clock, delay } from '../../base/clock.ts';
import { type ApiError, HttpError, NetworkError, TimeoutError } from '../../client/errors.ts';

/** How long a piece of work of many requests bears a server that is busy or gone for a moment. */
export interface WaitPolicy {
  /** How often in a row a request is sent again. */
  readonly attempts: number;
  /** The longest wait that a server may ask for, in milliseconds. */
  readonly maxMs: number;
  /** A wait begins; `ms` is how long it is. */
  readonly onWait?: ((ms: number) => void) | undefined;
}

/** Ten minutes is what a person who watches a progress bar bears; beyond it they are told. */
export const defaultWaitPolicy: WaitPolicy = { attempts: 8, maxMs: 600_000 };

const firstPauseMs = 500;
const maxPauseMs = 30_000;

/**
 * How long to wait before a request that did nothing is sent again; `undefined` when it is not to be. A Retry-After is
 * honoured as a minimum; without one the wait doubles with each failure in a row.
 * @param failures those in a row before this one
 */
export function getWaitMs(
  error: ApiError,
  failures: number,
  patience: WaitPolicy | undefined,
): number | undefined {
  if (patience === undefined || failures >= patience.attempts || !isTransient(error)) {
    return undefined;
  }
  const requestedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
  const pause = Math.max(
    requestedMs,
    requestedMs > 0 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** failures),
  );
  return pause > patience.maxMs ? undefined : pause;
}

/** Waits; ends early, without failing, when the work is cancelled. */
export async function waitCancellable(
  ms: number,
  {
    clock,
    signal,
    patience,
  }: { clock: Clock; signal?: AbortSignal | undefined; patience?: WaitPolicy | undefined },
): Promise<void> {
  patience?.onWait?.(ms);
  try {
    await delay(clock, ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) {
      throw error;
    }
  }
}

const transientStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Failures of a moment: the same request may go through later. */
const isTransient = (error: ApiError): boolean =>
  error instanceof HttpError
    ? transientStatuses.has(error.status)
    : error instanceof TimeoutError || (error instanceof NetworkError && error.kind === 'reset');
