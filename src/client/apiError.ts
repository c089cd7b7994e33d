import { type Endpoint, type EndpointId, type HttpMethod, endpoints } from '../contract/endpoints.ts';
import type { NetworkFailureKind } from './transport.ts';

/** The request that an error or a log line is about. Never contains query values: they may be data. */
export interface ApiRequestInfo {
  readonly endpoint: EndpointId;
  readonly method: HttpMethod;
  /** The path without query; a template (`{tableId}`) until its parameters could be filled in. */
  readonly path: string;
}

export function createApiRequestInfo(endpoint: EndpointId, path: string): ApiRequestInfo {
  return { endpoint, method: endpoints[endpoint].method, path };
}

/** One line for logs: `PATCH /api/v2/… (tables.update)`. */
export const formatApiRequestInfo = ({ method, path, endpoint }: ApiRequestInfo): string =>
  `${method} ${path} (${endpoint})`;

export const getEndpoint = (id: EndpointId): Endpoint => endpoints[id];

/** True for every request that may change something on the server. */
export const isWrite = (requestInfo: Pick<ApiRequestInfo, 'method'>): boolean => requestInfo.method !== 'GET';

/** Why the body of a response cannot be used. */
export type BodyProblem = 'html' | 'empty' | 'truncated' | 'not-utf-8' | 'not-json' | 'wrong-shape';

/**
 * The kind of failure; the editor and the command line have the texts. A closed set, so that a `switch` can be
 * exhaustive.
 */
export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'administrator-required'
  | 'not-found'
  | 'needs-version'
  | 'not-offered'
  | 'conflict'
  | 'request-too-large'
  | 'too-many-requests'
  | 'rejected'
  | 'server-error'
  | `network-${NetworkFailureKind}`
  | 'timeout'
  | `answer-${BodyProblem}`
  | 'answer-too-large'
  | 'redirected'
  | 'read-only'
  | 'locked'
  | 'canceled'
  | 'connection-closed'
  | 'signed-out'
  | 'bad-token'
  | 'bad-address'
  | 'invalid-request'
  | 'rule-too-large';

/** The suggested remedy; the editor and the command line have the texts. */
export type Remedy =
  | 'sign-in'
  | 'ask-administrator'
  | 'check-address'
  | 'check-version'
  | 'check-network'
  | 'check-proxy'
  | 'check-certificate'
  | 'reload'
  | 'fix-input'
  | 'make-smaller'
  | 'wait'
  | 'repeat'
  | 'look-before-repeating'
  | 'unlock'
  | 'use-other-connection'
  | 'none';

/** The parameter of an `AddressError` for a tenant ID that a header cannot carry. */
export const tenantParameter = 'tenantId';

const withCause = (cause: unknown): ErrorOptions | undefined => (cause === undefined ? undefined : { cause });

/**
 * Base class of all errors that the client's methods reject with. The message is for logs: it names the request and
 * contains no token, query value or body. Users see the text of `formatApiError`.
 */
export abstract class ApiError extends Error {
  readonly requestInfo: ApiRequestInfo;
  abstract readonly code: ErrorCode;
  /** The suggested remedy, as a code. */
  abstract readonly remedy: Remedy;
  /** True if a write may have taken effect although it failed here: check before repeating it. */
  readonly mayHaveTakenEffect: boolean;

  constructor(
    requestInfo: ApiRequestInfo,
    description: string,
    details: {
      cause?: unknown;
      /** Whether the server may have carried out the request. Ignored for reads, which have no effect. */
      mayHaveBeenCarriedOut?: boolean;
    } = {},
  ) {
    super(`${formatApiRequestInfo(requestInfo)} ${description}`, withCause(details.cause));
    this.requestInfo = requestInfo;
    this.mayHaveTakenEffect = isWrite(requestInfo) && details.mayHaveBeenCarriedOut === true;
  }
}
