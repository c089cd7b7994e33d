import { type Clock, delay } from '../../base/clock.ts';
import { HttpError } from '../../client/errors.ts';
import type { RetryRead } from '../model/documentReader.ts';
import { RepetitionError } from '../../client/uncertainEffect.ts';
import { type WaitListener, getIncreasingPause, minPauseMs } from './writeRetryPolicy.ts';

/**
 * The longest time that a request waits in all, with the waits of the client, in milliseconds (projects.md, "Apply").
 */
const maxTotalWaitMs = 600_000;

/**
 * The longest time that counts for one attempt, in milliseconds: as long as the client itself waits at most. If the
 * computer was suspended during an attempt, the server hasn't been busy for all of that time.
 */
const maxAttemptMs = 60_000;

export interface BusyServerDeps {
  readonly clock: Clock;
  /** Ends a wait at once. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a wait begins. Without it and without a signal, there are no waits. */
  readonly onWait?: WaitListener | undefined;
}

/** Returns whether a request failed because the server is busy (429). */
export const isBusyServer = (error: unknown): boolean => getBusyError(error) !== undefined;

/**
 * Returns what to report for a failed request: if the user has canceled while the server was busy, the reason of the
 * signal.
 */
export const toReportedError = (error: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted === true && isBusyServer(error) ? signal.reason : error;

function getBusyError(error: unknown): HttpError | undefined {
  const failure = error instanceof RepetitionError ? error.failure : error;
  return failure instanceof HttpError && failure.isTooManyRequests ? failure : undefined;
}

/**
 * The waits of one request for a busy server (429), as long as the server asks for each time, or else increasing ones.
 * It isn't documented that such a server has done nothing (platform-facts.md, 2.7): before a write is sent again, the
 * caller reads what it would change. Without a listener and a signal, there are no waits: nobody would see or could
 * cancel them.
 */
export class BusyServerWaits {
  readonly #deps: BusyServerDeps;
  #count = 0;
  /**
   * The sum of the waits so far, with those of the client. Contains the intended length of each wait, since the
   * computer may be suspended during a wait.
   */
  #totalMs = 0;

  constructor(deps: BusyServerDeps) {
    this.#deps = deps;
  }

  /** The number of waits so far. */
  get count(): number {
    return this.#count;
  }

  /** Begins again: the server has carried out a request, and the next one may wait as long. */
  reset(): void {
    this.#count = 0;
    this.#totalMs = 0;
  }

  /**
   * Waits after a failure of the server; ends at once, without an error, when the signal is aborted.
   * @param since when the failed attempt began, if the time that it took counts
   * @throws the failure if it has another reason, if the request would wait too long in all, or if nobody would see the
   *   wait and nobody could cancel it
   */
  async wait(failure: unknown, since = this.#deps.clock.now()): Promise<void> {
    const { clock, signal, onWait } = this.#deps;
    if (this.#isAborted) {
      return;
    }
    const error = getBusyError(failure);
    if (error === undefined || (onWait === undefined && signal === undefined)) {
      throw failure;
    }
    const { retryAfterMs = 0 } = error;
    const ms = retryAfterMs > 0 ? Math.max(retryAfterMs, minPauseMs) : getIncreasingPause(this.#count);
    const attemptMs = Math.min(Math.max(clock.now() - since, 0), maxAttemptMs);
    if (this.#totalMs + attemptMs + ms > maxTotalWaitMs) {
      throw failure;
    }
    this.#totalMs += attemptMs + ms;
    this.#count += 1;
    onWait?.(ms, error);
    try {
      await delay(clock, ms, signal);
    } catch (error) {
      if (!this.#isAborted) {
        throw error;
      }
    }
  }

  get #isAborted(): boolean {
    return this.#deps.signal?.aborted === true;
  }

  /**
   * Reads from the server, again after a wait while it is busy. The waits of the client itself count, too.
   * @throws what the last attempt throws: also if it would wait too long, or if the signal is aborted
   */
  async readWhenFree<Result>(read: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const since = this.#deps.clock.now();
      try {
        return await read();
      } catch (error) {
        await this.wait(error, since);
        if (this.#isAborted) {
          throw error;
        }
      }
    }
  }
}

/**
 * Returns a function that reads from the server, again after a wait while it is busy.
 * @throws the reason of the signal if it is aborted during a wait
 */
export const createRetryingRead =
  (deps: BusyServerDeps): RetryRead =>
  async (read) => {
    try {
      return await new BusyServerWaits(deps).readWhenFree(read);
    } catch (error) {
      throw toReportedError(error, deps.signal);
    }
  };
