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

type ErrorArgs = Record<string, string | number | boolean | undefined>;

/**
 * The code and arguments of an error. Always present: `endpoint`, `method`, `path` and `mayHaveTakenEffect`; where they
 * apply: `status`, `serverMessage`, `platformCode`, `sub`, `logref`, `retryAfterMs`, `feature`, `since`, `license`,
 * `problem`, `problemPath`, `expected`, `phase`, `timeoutMs`, `limitBytes`, `reason`, `targetOrigin`, `parameter`.
 */
export function describeError(error: ApiError): ErrorDescription {
  const { endpoint, method, path } = error.operation;
  const args: ErrorArgs = {
    endpoint,
    method,
    path,
    mayHaveTakenEffect: error.mayHaveTakenEffect,
    ...getErrorArgs(error),
  };
  const definedArgs = Object.entries(args).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
  );
  return { code: error.code, remedy: error.remedy, args: Object.fromEntries(definedArgs) };
}

function getErrorArgs(error: ApiError): ErrorArgs {
  if (error instanceof HttpError) {
    const { status, serverMessage, platformCode, sub, logref, retryAfterMs, versionHint } = error;
    return { status, serverMessage, platformCode, sub, logref, retryAfterMs, ...versionHint };
  }
  if (error instanceof SchemaError) {
    const { status, problem, expected, serverMessage } = error;
    return { status, problem, expected, serverMessage, problemPath: error.path.join('.') || undefined };
  }
  if (error instanceof InvalidRequestError) {
    return { problem: error.problem, problemPath: error.path.join('.') || undefined };
  }
  if (error instanceof TimeoutError) {
    return { phase: error.phase, timeoutMs: error.timeoutMs };
  }
  if (error instanceof TooLargeError) {
    return { limitBytes: error.limitBytes };
  }
  if (error instanceof RedirectError) {
    return { status: error.status, reason: error.reason, targetOrigin: error.targetOrigin };
  }
  return error instanceof AddressError ? { parameter: error.parameter } : {};
}
