import type { EndpointId } from '../contract/endpoints.ts';
import { getEndpoint } from './apiError.ts';

/** Bounds how many requests of one connection are under way at a time; the others wait in order. */
export class Limiter {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param limit at least 1 */
  constructor(limit: number) {
    this.#limit = Math.max(1, Math.floor(limit));
  }

  /**
   * Runs the task when its turn comes. A task whose signal aborts while it waits is not run.
   * @throws the signal's reason when it aborts before the turn, else whatever the task throws
   */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#waitForTurn(signal);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #waitForTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        this.#running += 1;
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      if (this.#running < this.#limit) {
        start();
        return;
      }
      this.#waiting.push(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

/** How often and after which pauses a request is sent again. Times in milliseconds. */
export interface RetryPolicy {
  /** How often a request goes out at most, the first time included. */
  readonly attempts: number;
  /** The longest pause after the first failure; it doubles with each further one. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** A server that asks for a longer pause gets no further request: the error tells how long it asked for. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 3,
  firstPauseMs: 500,
  maxPauseMs: 10_000,
  maxRetryAfterMs: 30_000,
};

/** DELETEs that name one thing by its id: a second one changes nothing. */
const deletesById: ReadonlySet<EndpointId> = new Set<EndpointId>([
  'extractRules.delete',
  'liveRules.delete',
  'datamodels.delete',
  'datasets.delete',
  'tables.delete',
  'relations.delete',
  'builds.cancel',
  'viewpoints.delete',
]);

/**
 * Whether an operation may be sent again by itself: GET, and DELETE by id; never POST, PUT, PATCH, nor a DELETE of
 * many (design.md, section 4).
 */
export const isRetryable = (endpoint: EndpointId): boolean =>
  getEndpoint(endpoint).method === 'GET' || deletesById.has(endpoint);

/** Statuses of a server that is busy or gone for a moment. */
const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What an attempt ended in, as far as sending again depends on it. */
export type AttemptEnd =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'reset' };

/**
 * How long to wait before the next attempt, or `undefined` when there is none. The pause is drawn from zero up to a
 * doubling bound, so that clients that failed together do not return together; a Retry-After is honoured as a
 * minimum.
 * @param attempt 1 for the first
 * @param random from 0 up to 1
 */
export function getRetryDelay(
  facts: {
    readonly endpoint: EndpointId;
    readonly attempt: number;
    readonly end: AttemptEnd;
    readonly random: number;
  },
  policy: RetryPolicy,
): number | undefined {
  const { endpoint, attempt, end, random } = facts;
  if (!isRetryable(endpoint) || attempt >= policy.attempts) {
    return undefined;
  }
  if (end.kind === 'status' && !transientStatuses.has(end.status)) {
    return undefined;
  }
  const requestedMs = end.kind === 'status' ? (end.retryAfterMs ?? 0) : 0;
  if (requestedMs > policy.maxRetryAfterMs) {
    return undefined;
  }
  const bound = Math.min(policy.maxPauseMs, policy.firstPauseMs * 2 ** (attempt - 1));
  return requestedMs + Math.round(bound * random);
}

/**
 * Milliseconds asked for by a Retry-After header, in seconds or as an HTTP date; `undefined` when it is absent or
 * says neither. Never negative.
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.round(Number(text) * 1000);
  }
  // Every form of an HTTP date begins with the name of a day; Date.parse alone would take much more.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
