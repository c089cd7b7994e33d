import type { EndpointId } from '../contract/endpoints.ts';
import { endpointOf } from './operation.ts';

/** How often and after which pauses a request is sent again. Times in milliseconds. */
export interface RetryPolicy {
  /** How often a request goes out at most, the first time included. */
  readonly attempts: number;
  /** The longest pause after the first failure; it doubles with each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A server that asks for a longer pause gets no further request: the error tells how long it asked for. */
  readonly longestRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 3,
  firstPauseMs: 500,
  longestPauseMs: 10_000,
  longestRetryAfterMs: 30_000,
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
export const mayRepeat = (endpoint: EndpointId): boolean =>
  endpointOf(endpoint).method === 'GET' || deletesById.has(endpoint);

/** Statuses of a server that is busy or gone for a moment. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

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
export function retryPause(
  facts: {
    readonly endpoint: EndpointId;
    readonly attempt: number;
    readonly end: AttemptEnd;
    readonly random: number;
  },
  policy: RetryPolicy,
): number | undefined {
  const { endpoint, attempt, end, random } = facts;
  if (!mayRepeat(endpoint) || attempt >= policy.attempts) {
    return undefined;
  }
  if (end.kind === 'status' && !passingStatuses.has(end.status)) {
    return undefined;
  }
  const asked = end.kind === 'status' ? (end.retryAfterMs ?? 0) : 0;
  if (asked > policy.longestRetryAfterMs) {
    return undefined;
  }
  const bound = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (attempt - 1));
  return asked + Math.round(bound * random);
}

/**
 * Milliseconds asked for by a Retry-After header, in seconds or as an HTTP date; `undefined` when it is absent or
 * says neither. Never negative.
 * @param now milliseconds since the epoch
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.round(Number(text) * 1000);
  }
  // Every form of an HTTP date begins with the name of a day; Date.parse alone would take much more.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
