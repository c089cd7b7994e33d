import type { PartialResult } from '../contract/partialResult.ts';
import type { ApiResponse } from './apiResponse.ts';
import { ApiError, type ErrorCode, type Remedy, type BodyProblem, type ApiRequestInfo } from './apiError.ts';
import type { GuardedConnection } from './guard.ts';
import { HttpError } from './httpError.ts';
import type { NetworkFailureKind } from './transport.ts';
import type { LiveRule } from '../contract/rule.ts';

export { ApiError } from './apiError.ts';
export { HttpError, getPlatformCode } from './httpError.ts';

/**
 * The requested item does not exist although the status is a success: the body is `null` (platform-facts.md, 2.1), or a
 * list without the item.
 */
export class AbsentError extends HttpError {
  override readonly name = 'AbsentError';

  constructor(requestInfo: ApiRequestInfo, status: number) {
    super(requestInfo, { status, description: 'the item does not exist', hasProblemBody: true });
  }
}

/** The connection failed before a response arrived. */
export class NetworkError extends ApiError {
  override readonly name = 'NetworkError';
  readonly kind: NetworkFailureKind;
  readonly code: ErrorCode;
  readonly remedy: Remedy;

  constructor(
    requestInfo: ApiRequestInfo,
    kind: NetworkFailureKind,
    details: { mayHaveBeenSent: boolean; cause?: unknown },
  ) {
    super(requestInfo, `failed on the network: ${kind}`, {
      cause: details.cause,
      mayHaveBeenCarriedOut: details.mayHaveBeenSent,
    });
    this.kind = kind;
    this.code = `network-${kind}`;
    this.remedy = this.mayHaveTakenEffect ? 'look-before-repeating' : networkRemedies[kind];
  }
}

const networkRemedies: Readonly<Record<NetworkFailureKind, Remedy>> = {
  dns: 'check-address',
  refused: 'check-address',
  reset: 'repeat',
  tls: 'check-certificate',
  proxy: 'check-proxy',
  unknown: 'check-network',
};

/** The server took longer than allowed. */
export class TimeoutError extends ApiError {
  override readonly name = 'TimeoutError';
  readonly code: ErrorCode = 'timeout';
  readonly remedy: Remedy;
  /** The part of the exchange that timed out; `total` is the whole exchange. */
  readonly phase: 'connect' | 'headers' | 'body' | 'total';
  /** The limit of the whole exchange, in milliseconds, if that was exceeded. */
  readonly timeoutMs: number | undefined;

  constructor(
    requestInfo: ApiRequestInfo,
    details: { phase: TimeoutError['phase']; mayHaveBeenSent: boolean; timeoutMs?: number; cause?: unknown },
  ) {
    super(requestInfo, `took too long (${details.phase})`, {
      cause: details.cause,
      mayHaveBeenCarriedOut: details.mayHaveBeenSent,
    });
    this.phase = details.phase;
    this.timeoutMs = details.timeoutMs;
    this.remedy = this.mayHaveTakenEffect ? 'look-before-repeating' : 'repeat';
  }
}

/** The response does not have the shape that the contract promises. */
export class SchemaError extends ApiError {
  override readonly name: string = 'SchemaError';
  readonly code: ErrorCode;
  readonly remedy: Remedy;
  readonly status: number;
  readonly problem: BodyProblem;
  /** The position in the response, as keys and indices; empty for the whole response. */
  readonly path: readonly (string | number)[];
  /** The expected shape, without any value of the response. */
  readonly expected: string | undefined;
  /** The beginning of the text of an HTML page, for the user. */
  readonly serverMessage: string | undefined;

  constructor(
    requestInfo: ApiRequestInfo,
    details: {
      readonly status: number;
      readonly problem: BodyProblem;
      readonly path?: readonly (string | number)[];
      readonly expected?: string;
      readonly serverMessage?: string | undefined;
    },
  ) {
    const { status, problem, path = [], expected, serverMessage } = details;
    const location = path.length === 0 ? '' : ` at ${path.join('.')}`;
    super(
      requestInfo,
      `returned an unusable response: ${problem}${location}${expected === undefined ? '' : ` (${expected})`}`,
      {
        mayHaveBeenCarriedOut: true,
      },
    );
    this.code = `answer-${problem}`;
    this.status = status;
    this.problem = problem;
    this.path = path;
    this.expected = expected;
    this.serverMessage = serverMessage;
    this.remedy = this.mayHaveTakenEffect ? 'look-before-repeating' : schemaRemedies[problem];
  }
}

/**
 * Some items of the response do not have the shape that the contract promises, while the others do: callers that
 * display them use what could be read (`toPartialResult`); callers that need all of them fail.
 */
export class PartialResponseError<T> extends SchemaError {
  override readonly name = 'PartialResponseError';
  readonly readable: PartialResult<T>;
  /** The complete response, as received. */
  readonly response: ApiResponse<undefined>;

  constructor(
    requestInfo: ApiRequestInfo,
    details: { readonly readable: PartialResult<T>; readonly response: ApiResponse<undefined> },
  ) {
    const { readable, response } = details;
    const [firstUnreadable] = readable.unreadable;
    const path = [...(firstUnreadable?.path ?? []), ...(firstUnreadable?.faultPath ?? [])];
    const expected = firstUnreadable?.expected;
    super(requestInfo, {
      status: response.status,
      problem: 'wrong-shape',
      path,
      ...(expected === undefined ? {} : { expected }),
    });
    this.readable = readable;
    this.response = response;
  }
}

const schemaRemedies: Readonly<Record<BodyProblem, Remedy>> = {
  // A web page instead of JSON comes from a login form, a proxy or another server.
  html: 'check-address',
  empty: 'repeat',
  truncated: 'repeat',
  'not-utf-8': 'check-address',
  'not-json': 'check-address',
  'wrong-shape': 'check-version',
};

/** The response exceeded the size limit; reading stopped there. */
export class TooLargeError extends ApiError {
  override readonly name = 'TooLargeError';
  readonly code: ErrorCode = 'answer-too-large';
  readonly remedy: Remedy;
  readonly limitBytes: number;

  constructor(requestInfo: ApiRequestInfo, limitBytes: number) {
    super(requestInfo, `answered more than ${limitBytes} bytes`, { mayHaveBeenCarriedOut: true });
    this.limitBytes = limitBytes;
    this.remedy = this.mayHaveTakenEffect ? 'look-before-repeating' : 'none';
  }
}

/** Why a redirect was not followed. */
export type RedirectReason = 'write' | 'other-origin' | 'too-many' | 'unreadable';

/**
 * The server redirected the request, and the redirect was not followed. The client never follows a redirect of a write,
 * to another origin, or to an unreadable address, and only a few redirects in a row.
 */
export class RedirectError extends ApiError {
  override readonly name = 'RedirectError';
  readonly code: ErrorCode = 'redirected';
  readonly remedy: Remedy = 'check-address';
  readonly status: number;
  readonly reason: RedirectReason;
  /** The origin of the redirect target; the rest of the target may contain secrets. */
  readonly targetOrigin: string | undefined;

  constructor(
    requestInfo: ApiRequestInfo,
    details: { status: number; reason: RedirectReason; targetOrigin?: string | undefined },
  ) {
    super(
      requestInfo,
      `was redirected (${details.status}, ${details.reason}) to ${details.targetOrigin ?? 'an unreadable address'}`,
    );
    this.status = details.status;
    this.reason = details.reason;
    this.targetOrigin = details.targetOrigin;
  }
}

/** The connection does not allow writes now; nothing was sent. */
export class ReadOnlyError extends ApiError {
  override readonly name = 'ReadOnlyError';
  readonly code: 'read-only' | 'locked';
  readonly remedy: Remedy;
  /** The connection that refuses, if it is a saved one. */
  readonly connection: GuardedConnection | undefined;

  constructor(requestInfo: ApiRequestInfo, reason: 'read-only' | 'locked', connection?: GuardedConnection) {
    super(requestInfo, `was not sent: the connection is ${reason}`);
    this.connection = connection;
    this.code = reason;
    this.remedy = reason === 'locked' ? 'unlock' : 'use-other-connection';
  }
}

/** The caller canceled the request. */
export class CanceledError extends ApiError {
  override readonly name = 'CanceledError';
  readonly code: ErrorCode = 'canceled';
  readonly remedy: Remedy;

  constructor(requestInfo: ApiRequestInfo, details: { mayHaveBeenSent: boolean; cause?: unknown }) {
    super(requestInfo, 'was canceled', {
      cause: details.cause,
      mayHaveBeenCarriedOut: details.mayHaveBeenSent,
    });
    this.remedy = this.mayHaveTakenEffect ? 'look-before-repeating' : 'none';
  }
}

/** The abort reason of the client itself: its connection was closed, changed, or is being replaced. */
export class ClientClosedReason extends Error {
  override readonly name = 'ClientClosedReason';
}

/** The connection was closed or changed during the request; the caller did not cancel it. */
export class ConnectionClosedError extends ApiError {
  override readonly name = 'ConnectionClosedError';
  readonly code: ErrorCode = 'connection-closed';
  readonly remedy: Remedy;

  constructor(requestInfo: ApiRequestInfo, details: { mayHaveBeenSent: boolean; cause?: unknown }) {
    super(requestInfo, 'was interrupted: the connection was closed', {
      cause: details.cause,
      mayHaveBeenCarriedOut: details.mayHaveBeenSent,
    });
    this.remedy = this.mayHaveTakenEffect ? 'look-before-repeating' : 'repeat';
  }
}

/** The error of an operation whose signal has aborted, depending on who aborted it. */
export const createAbortError = (
  requestInfo: ApiRequestInfo,
  details: { mayHaveBeenSent: boolean; cause?: unknown },
): CanceledError | ConnectionClosedError =>
  details.cause instanceof ClientClosedReason
    ? new ConnectionClosedError(requestInfo, details)
    : new CanceledError(requestInfo, details);

/** There is no token, it could not be read, or it has characters that a header cannot carry; nothing was sent. */
export class SignedOutError extends ApiError {
  override readonly name = 'SignedOutError';
  readonly code: 'signed-out' | 'bad-token';
  readonly remedy: Remedy = 'sign-in';
  /** The connection to sign in to, if it is a saved one. */
  readonly connection: GuardedConnection | undefined;

  constructor(
    requestInfo: ApiRequestInfo,
    code: 'signed-out' | 'bad-token',
    details: { readonly connection?: GuardedConnection | undefined; readonly cause?: unknown } = {},
  ) {
    super(requestInfo, `was not sent: ${code}`, { cause: details.cause });
    this.code = code;
    this.connection = details.connection;
  }
}

/** The address of the instance, a name in the path, or the tenant ID cannot be sent; nothing was sent. */
export class AddressError extends ApiError {
  override readonly name = 'AddressError';
  readonly code: ErrorCode = 'bad-address';
  readonly remedy: Remedy;
  /** The unusable path parameter, or `tenantParameter`; `undefined` for the address of the instance. */
  readonly parameter: string | undefined;

  constructor(requestInfo: ApiRequestInfo, parameter?: string) {
    super(
      requestInfo,
      `was not sent: ${parameter ?? 'the address of the instance'} cannot be used in an address`,
    );
    this.parameter = parameter;
    this.remedy = parameter === undefined ? 'check-address' : 'fix-input';
  }
}

/** Why a document cannot be sent. */
export type PayloadProblem =
  | 'missing-property'
  | 'wrong-type'
  | 'no-table-property'
  | 'too-few-columns'
  | 'id-mismatch'
  | 'fullname-mismatch'
  | 'encrypted-parameters'
  | 'visibility-needs-app'
  | 'visibility-needs-party'
  | 'incomplete-details'
  | 'empty-list'
  | 'not-json';

/** The guide does not allow this document. Thrown when the payload is created, before anything is sent. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly problem: PayloadProblem;
  /** The offending property, as keys and indices. */
  readonly path: readonly (string | number)[];

  constructor(problem: PayloadProblem, path: readonly (string | number)[] = []) {
    super(`${problem}${path.length === 0 ? '' : ` at ${path.join('.')}`}`);
    this.problem = problem;
    this.path = path;
  }
}

/** The guide does not allow the document that was to be written; nothing was sent. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
  readonly code: ErrorCode = 'invalid-request';
  readonly remedy: Remedy = 'fix-input';
  readonly problem: PayloadProblem;
  /** The position in the document, as keys and indices. */
  readonly path: readonly (string | number)[];

  constructor(requestInfo: ApiRequestInfo, cause: PayloadError) {
    super(requestInfo, `was not sent: ${cause.message}`, { cause });
    this.problem = cause.problem;
    this.path = cause.path;
  }
}

/** A single rule is larger than the server accepts (413); it cannot be split. */
export class RuleTooLargeError extends ApiError {
  override readonly name = 'RuleTooLargeError';
  readonly code: ErrorCode = 'rule-too-large';
  readonly remedy: Remedy = 'make-smaller';

  constructor(cause: HttpError) {
    super(cause.requestInfo, 'was rejected because of the size of a single rule', { cause });
  }
}

/**
 * Rules that require several requests were added in part: the first `writtenCount` rules of the body are on the server,
 * the request for the next `failedCount` rules failed and may have taken effect too, and the others were never sent.
 * `cause` is the failure.
 */
export class PartlyCreatedError extends ApiError {
  override readonly name = 'PartlyCreatedError';
  readonly code: ErrorCode;
  readonly remedy: Remedy;
  readonly failure: ApiError;
  readonly writtenCount: number;
  readonly failedCount: number;
  /** The written rules, in the order of the body, if the server returned them. */
  readonly writtenRules: readonly LiveRule[] | undefined;

  constructor(details: {
    readonly failure: ApiError;
    readonly writtenCount: number;
    readonly failedCount: number;
    readonly writtenRules: readonly LiveRule[] | undefined;
  }) {
    const { failure, writtenCount, failedCount, writtenRules } = details;
    super(failure.requestInfo, `wrote the first ${writtenCount} rules, then failed: ${failure.message}`, {
      cause: failure,
      mayHaveBeenCarriedOut: true,
    });
    this.failure = failure;
    this.writtenCount = writtenCount;
    this.failedCount = failedCount;
    this.writtenRules = writtenRules;
    this.code = failure.code;
    this.remedy = 'look-before-repeating';
  }
}
