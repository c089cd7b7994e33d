import { type Clock, delay } from '../../base/clock.ts';
import { type ApiError, HttpError, NetworkError, createAbortError } from '../../client/errors.ts';
import { transientStatuses } from '../../client/pacing.ts';
import { toRepetitionError } from '../../client/uncertainEffect.ts';
import type { Write, WriteEndpointId } from '../model/operation.ts';
import { getIncreasingPause } from './writeRetryPolicy.ts';

/** The maximum number of times that a deletion is sent again. */
const maxRepeats = 2;

/** The longest pause that a server may ask for, in milliseconds. */
const maxPauseMs = 30_000;

/** DELETEs of a single item by its ID. */
const deletionEndpoints: ReadonlySet<string> = new Set<WriteEndpointId>([
  'extractRules.delete',
  'liveRules.delete',
  'datamodels.delete',
  'datasets.delete',
  'tables.delete',
  'relations.delete',
  'viewpoints.delete',
]);

/**
 * The repetitions of a deletion by ID while the server is temporarily unavailable, or after its response was lost.
 * Deleting an item twice changes nothing. But since the last attempt, others may have changed it, or have overwritten a
 * rule, which may keep its ID (platform-facts.md, "3.4 Same parties"): the caller reads the item before it repeats the
 * request.
 */
export class DeletionRepeats {
  readonly #isDeletion: boolean;
  readonly #deps: { readonly clock: Clock; readonly signal?: AbortSignal | undefined };
  #count = 0;

  constructor(
    { endpoint }: Pick<Write, 'endpoint'>,
    deps: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
  ) {
    this.#isDeletion = deletionEndpoints.has(endpoint);
    this.#deps = deps;
  }

  /** The number of pauses so far. */
  get count(): number {
    return this.#count;
  }

  /** Returns whether a failed request may be sent again after a pause. */
  isPossible(error: ApiError): boolean {
    return (
      this.#isDeletion &&
      this.#count < maxRepeats &&
      (error instanceof HttpError
        ? transientStatuses.has(error.status) && (error.retryAfterMs ?? 0) <= maxPauseMs
        : error instanceof NetworkError && error.kind === 'reset')
    );
  }

  /**
   * Waits for the pause that the server asks for, or an increasing one.
   * @throws CanceledError if the signal is aborted during the pause
   */
  async wait(error: ApiError): Promise<void> {
    const { clock, signal } = this.#deps;
    const requestedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
    const ms = Math.max(requestedMs, getIncreasingPause(this.#count));
    this.#count += 1;
    try {
      await delay(clock, ms, signal);
    } catch (cause) {
      throw createAbortError(error.requestInfo, { mayHaveBeenSent: true, cause });
    }
  }

  /** Returns the error to report for the last attempt: after a repetition, an earlier one may have had an effect. */
  toReportedError(error: ApiError): ApiError {
    return this.#count === 0 ? error : toRepetitionError(error);
  }
}
