import type { ErrorCode, Remedy } from './apiError.ts';
import {
  type ApiError,
  AddressError,
  HttpError,
  InvalidRequestError,
  RedirectError,
  SchemaError,
  TimeoutError,
  TooLargeError,
} from './errors.ts';

/** The data for an error message: a code for the sentence, a code for the remedy, and their arguments. */
export interface ErrorDescription {
  readonly code: ErrorCode;
  readonly remedy: Remedy;
  readonly args: Readonly<Record<string, string | number | boolean>>;
}

type Args = Record<string, string | number | boolean | undefined>;

/**
 * The code and arguments of an error. Always present: `endpoint`, `method`, `path` and `mayHaveHappened`; where they
 * apply: `status`, `words` (the server's message), `platformCode`, `sub`, `logref`, `retryAfterMs`, `feature`, `since`,
 * `license`, `problem`, `at`, `expected`, `phase`, `timeoutMs`, `limitBytes`, `reason`, `to`, `parameter`.
 */
export function describeError(error: ApiError): ErrorDescription {
  const { endpoint, method, path } = error.operation;
  const args: Args = {
    endpoint,
    method,
    path,
    mayHaveHappened: error.mayHaveHappened,
    ...getErrorArgs(error),
  };
  const known = Object.entries(args).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
  );
  return { code: error.code, remedy: error.remedy, args: Object.fromEntries(known) };
}

function getErrorArgs(error: ApiError): Args {
  if (error instanceof HttpError) {
    const { status, words, platformCode, sub, logref, retryAfterMs, versionHint } = error;
    return { status, words, platformCode, sub, logref, retryAfterMs, ...versionHint };
  }
  if (error instanceof SchemaError) {
    const { status, problem, expected, words } = error;
    return { status, problem, expected, words, at: error.path.join('.') || undefined };
  }
  if (error instanceof InvalidRequestError) {
    return { problem: error.problem, at: error.path.join('.') || undefined };
  }
  if (error instanceof TimeoutError) {
    return { phase: error.phase, timeoutMs: error.timeoutMs };
  }
  if (error instanceof TooLargeError) {
    return { limitBytes: error.limitBytes };
  }
  if (error instanceof RedirectError) {
    return { status: error.status, reason: error.reason, to: error.to };
  }
  return error instanceof AddressError ? { parameter: error.parameter } : {};
}
