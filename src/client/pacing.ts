import type { EndpointId } from '../contract/endpoints.ts';
import { getEndpoint } from './apiError.ts';

/** Limits the number of concurrent requests of one connection; the others wait in order. */
export class Limiter {
  readonly #limit: number;
  readonly #queue: (() => void)[] = [];
  #runningCount = 0;

  /** @param limit at least 1 */
  constructor(limit: number) {
    this.#limit = Math.max(1, Math.floor(limit));
  }

  /**
   * Runs the task when its turn comes. A task whose signal aborts while it waits is not run.
   * @throws the signal's reason if it aborts before the turn, otherwise whatever the task throws
   */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#waitForTurn(signal);
    try {
      return await task();
    } finally {
      this.#runningCount -= 1;
      this.#queue.shift()?.();
    }
  }

  #waitForTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const start = (): void => {
        signal.removeEventListener('abort', cancel);
        this.#runningCount += 1;
        resolve();
      };
      const cancel = (): void => {
        this.#queue.splice(this.#queue.indexOf(start), 1);
        reject(signal.reason);
      };
      if (this.#runningCount < this.#limit) {
        start();
        return;
      }
      this.#queue.push(start);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }
}

/** The number of attempts for a request that is safe to repeat, and the pauses between them, in milliseconds. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  /** The longest pause after the first failure; it doubles with each further one. */
  readonly maxFirstPauseMs: number;
  readonly maxPauseMs: number;
  /** If a server asks for a longer pause, no further request is sent: the error contains the requested pause. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 3,
  maxFirstPauseMs: 500,
  maxPauseMs: 10_000,
  maxRetryAfterMs: 30_000,
};

/**
 * True if a request to an endpoint may be retried automatically: GET, and the cancellation of one build, which nobody can
 * change in the meantime. Never any other write, not even a DELETE by ID: until it's repeated, others may have changed the
 * item, or have overwritten a rule, which may keep its ID (decisions.md, "REST client"). The caller reads the item first.
 */
export const isRetryable = (endpoint: EndpointId): boolean =>
  getEndpoint(endpoint).method === 'GET' || endpoint === 'builds.cancel';

/** Statuses of a server that is temporarily unavailable. */
export const transientStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * True for a status after which the same request may succeed. While a server is busy (429), only reads are repeated
 * here: a write may have to wait long, and the user should see that, so its caller repeats it.
 */
const isTransient = (status: number, endpoint: EndpointId): boolean =>
  transientStatuses.has(status) || (status === 429 && getEndpoint(endpoint).method === 'GET');

/** The outcome of an attempt, as far as it matters for a retry. */
export type AttemptOutcome =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'reset' };

/**
 * The pause before the next attempt, or `undefined` if there is none. The pause is drawn from zero up to a doubling
 * limit, so that clients that failed together do not retry together; a Retry-After is respected as a minimum.
 * @param failedAttempt.attempt 1 for the first
 * @param failedAttempt.random from 0 up to 1
 */
export function getRetryPause(
  failedAttempt: {
    readonly endpoint: EndpointId;
    readonly attempt: number;
    readonly outcome: AttemptOutcome;
    readonly random: number;
  },
  policy: RetryPolicy,
): number | undefined {
  const { endpoint, attempt, outcome, random } = failedAttempt;
  if (!isRetryable(endpoint) || attempt >= policy.maxAttempts) {
    return undefined;
  }
  if (outcome.kind === 'status' && !isTransient(outcome.status, endpoint)) {
    return undefined;
  }
  const requestedMs = outcome.kind === 'status' ? (outcome.retryAfterMs ?? 0) : 0;
  if (requestedMs > policy.maxRetryAfterMs) {
    return undefined;
  }
  const maxPauseMs = Math.min(policy.maxPauseMs, policy.maxFirstPauseMs * 2 ** (attempt - 1));
  return requestedMs + Math.round(maxPauseMs * random);
}

/**
 * The milliseconds in a Retry-After header, given in seconds or as an HTTP date; `undefined` if it is absent or
 * invalid. Never negative.
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.round(Number(text) * 1000);
  }
  // Every form of an HTTP date begins with the name of a day; Date.parse alone would accept much more.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
