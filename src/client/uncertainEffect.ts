import { ApiError, type ErrorCode, isWrite, type Remedy } from './apiError.ts';
import { CanceledError, ConnectionClosedError, createAbortError, HttpError } from './errors.ts';

/**
 * Returns whether a write that failed with this error may have taken effect, or may still do so. It isn't documented
 * that a server that answers 429 has done nothing (platform-facts.md, 2.7).
 */
export const hasUncertainEffect = (error: ApiError): boolean =>
  error.mayHaveTakenEffect ||
  (isWrite(error.requestInfo) && error instanceof HttpError && error.isTooManyRequests);

/**
 * A write was sent several times, and its last attempt had no effect, but an earlier one may have had one. `failure` is
 * the error of the last attempt.
 */
export class RepetitionError extends ApiError {
  override readonly name = 'RepetitionError';
  readonly code: ErrorCode;
  readonly remedy: Remedy = 'look-before-repeating';
  readonly failure: ApiError;

  constructor(failure: ApiError) {
    super(failure.requestInfo, `may have succeeded at an earlier attempt; the last one: ${failure.message}`, {
      cause: failure,
      mayHaveBeenCarriedOut: true,
    });
    this.failure = failure;
    this.code = failure.code;
  }
}

/**
 * Returns the error to report for a write that was sent several times, and may have had an effect at an earlier
 * attempt.
 * @param error the error of the last attempt
 */
export function toRepetitionError(error: ApiError): ApiError {
  if (error.mayHaveTakenEffect) {
    return error;
  }
  return error instanceof CanceledError || error instanceof ConnectionClosedError
    ? createAbortError(error.requestInfo, { mayHaveBeenSent: true, cause: error.cause })
    : new RepetitionError(error);
}
