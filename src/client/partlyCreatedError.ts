import type { LiveRule } from '../contract/rule.ts';
import { ApiError } from './apiError.ts';
import type { ErrorCode, Remedy } from './errorCodes.ts';

/**
 * Rules that take several requests were added in part: the first `written` of the body are on the server, the failure
 * is about the next `pending`, and those behind were never sent. `cause` is the failure, which may have happened too.
 */
export class PartlyCreatedError extends ApiError {
  override readonly name = 'PartlyCreatedError';
  readonly code: ErrorCode;
  readonly remedy: Remedy;
  readonly failure: ApiError;
  readonly written: number;
  readonly pending: number;
  /** The rules that were written, in the order of the body, where the server answered them. */
  readonly rules: readonly LiveRule[] | undefined;

  constructor(facts: {
    readonly failure: ApiError;
    readonly written: number;
    readonly pending: number;
    readonly rules: readonly LiveRule[] | undefined;
  }) {
    const { failure, written, pending, rules } = facts;
    super(failure.operation, `wrote the first ${written} rules and failed then: ${failure.message}`, {
      cause: failure,
      mayHaveHappened: true,
    });
    this.failure = failure;
    this.written = written;
    this.pending = pending;
    this.rules = rules;
    this.code = failure.code;
    this.remedy = 'look-before-repeating';
  }
}
