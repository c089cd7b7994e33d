import type { Clock } from '../base/clock.ts';
import { tenantHeader } from '../contract/endpoints.ts';
import {
  createAbortError,
  AddressError,
  ApiError,
  NetworkError,
  ReadOnlyError,
  RedirectError,
  SignedOutError,
  TimeoutError,
  TooLargeError,
} from './errors.ts';
import { type CombinedSignal, combineSignals, raceAbort } from './abort.ts';
import type { WriteGuard } from './guard.ts';
import { type ApiRequestInfo, getEndpoint, isWrite, tenantParameter } from './apiError.ts';
import { type Transport, TransportFailure, type TransportResponse } from './transport.ts';

export interface ExchangeDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly guard: WriteGuard;
  /** The current API token; `undefined` when the connection is signed out. Called once per exchange. */
  readonly tokenSource: () => Promise<string | undefined>;
  readonly tenantId?: string | undefined;
  /** Time limit of one exchange, in milliseconds. */
  readonly timeoutMs: number;
}

/** One request, ready to send. */
export interface OutgoingRequest {
  readonly requestInfo: ApiRequestInfo;
  readonly url: string;
  readonly origin: string;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** A response of any status, and the token of its request, so that the token can be redacted. */
export interface ExchangeResult {
  readonly response: TransportResponse;
  readonly token: string | undefined;
}

/** Number of redirects that a GET follows within its origin. */
const maxRedirects = 3;

/** Visible ASCII characters: a header value may contain them, and tokens and tenant IDs contain no others. */
const headerValuePattern = /^[\x21-\x7e]+$/;

/**
 * Sends one request once (a GET follows redirects within its origin) and waits for the response.
 * @throws ApiError and nothing else
 */
export async function sendRequest(deps: ExchangeDeps, request: OutgoingRequest): Promise<ExchangeResult> {
  const deadline = combineSignals(deps.clock, [request.signal], deps.timeoutMs);
  let mayHaveBeenSent = false;
  try {
    const token = await raceAbort(deadline.signal, () => getToken(deps, request.requestInfo));
    const headers = createHeaders(deps, request, token);
    let url = request.url;
    for (let redirectCount = 0; ; redirectCount += 1) {
      // Checked last: the connection may have been locked while the request waited.
      checkWriteAllowed(deps.guard, request.requestInfo);
      mayHaveBeenSent = true;
      const { requestInfo, body } = request;
      const response = await raceAbort(deadline.signal, () =>
        deps.transport.send({
          method: requestInfo.method,
          url,
          headers,
          signal: deadline.signal,
          ...(body === undefined ? {} : { body }),
        }),
      );
      const redirectTarget = getRedirectTarget(request, url, response, redirectCount);
      if (redirectTarget === undefined) {
        return { response, token };
      }
      url = redirectTarget;
    }
  } catch (error) {
    throw toExchangeError(error, request, { deadline, mayHaveBeenSent, timeoutMs: deps.timeoutMs });
  } finally {
    deadline.dispose();
  }
}

/** @throws ReadOnlyError if the request is a write that the guard refuses */
export function checkWriteAllowed(guard: WriteGuard, requestInfo: ApiRequestInfo): void {
  const refusal = isWrite(requestInfo) ? guard.getRefusal(requestInfo) : undefined;
  if (refusal !== undefined) {
    throw new ReadOnlyError(requestInfo, refusal, guard.connection);
  }
}

async function getToken(deps: ExchangeDeps, requestInfo: ApiRequestInfo): Promise<string | undefined> {
  const { connection } = deps.guard;
  let token: string | undefined;
  try {
    token = await deps.tokenSource();
  } catch (error) {
    throw new SignedOutError(requestInfo, 'signed-out', { connection, cause: error });
  }
  if (token !== undefined && token !== '') {
    if (!headerValuePattern.test(token)) {
      throw new SignedOutError(requestInfo, 'bad-token', { connection });
    }
    return token;
  }
  if (getEndpoint(requestInfo.endpoint).allowsAnonymous !== true) {
    throw new SignedOutError(requestInfo, 'signed-out', { connection });
  }
  return undefined;
}

function createHeaders(
  { tenantId }: ExchangeDeps,
  { requestInfo, body }: OutgoingRequest,
  token: string | undefined,
): Record<string, string> {
  const tenant = getEndpoint(requestInfo.endpoint).sendsTenant === true ? tenantId : undefined;
  if (tenant !== undefined && !headerValuePattern.test(tenant)) {
    throw new AddressError(requestInfo, tenantParameter);
  }
  return {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(tenant === undefined ? {} : { [tenantHeader]: tenant }),
  };
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The target of a redirected GET. A write is never redirected (platform-facts.md, 2.7: a redirect turns POST into GET),
 * and a token never reaches another origin.
 */
function getRedirectTarget(
  { requestInfo, origin }: OutgoingRequest,
  currentUrl: string,
  { status, headers }: TransportResponse,
  redirectCount: number,
): string | undefined {
  if (!redirectStatuses.has(status)) {
    return undefined;
  }
  const location = headers['location'];
  const target = location === undefined ? null : URL.parse(location, currentUrl);
  const targetOrigin = target?.origin;
  if (isWrite(requestInfo)) {
    throw new RedirectError(requestInfo, { status, reason: 'write', targetOrigin });
  }
  if (target === null) {
    throw new RedirectError(requestInfo, { status, reason: 'unreadable' });
  }
  if (target.origin !== origin || target.username !== '' || target.password !== '') {
    throw new RedirectError(requestInfo, { status, reason: 'other-origin', targetOrigin });
  }
  if (redirectCount >= maxRedirects) {
    throw new RedirectError(requestInfo, { status, reason: 'too-many', targetOrigin });
  }
  target.hash = '';
  return target.href;
}

function toExchangeError(
  error: unknown,
  { requestInfo, signal }: OutgoingRequest,
  {
    deadline,
    mayHaveBeenSent,
    timeoutMs,
  }: { deadline: CombinedSignal; mayHaveBeenSent: boolean; timeoutMs: number },
): unknown {
  // Once the signal has aborted, it is the cause, whatever error the transport reports.
  if (deadline.hasTimedOut) {
    return new TimeoutError(requestInfo, { phase: 'total', mayHaveBeenSent, timeoutMs });
  }
  if (signal.aborted) {
    return createAbortError(requestInfo, { mayHaveBeenSent, cause: signal.reason });
  }
  if (error instanceof TransportFailure) {
    return toApiError(error, requestInfo);
  }
  return error instanceof ApiError
    ? error
    : new NetworkError(requestInfo, 'unknown', { mayHaveBeenSent, cause: error });
}

function toApiError(
  { kind, mayHaveBeenSent, phase, limitBytes, cause }: TransportFailure,
  requestInfo: ApiRequestInfo,
): ApiError {
  if (kind === 'timeout') {
    return new TimeoutError(requestInfo, { phase: phase ?? 'total', mayHaveBeenSent, cause });
  }
  if (kind === 'too-large') {
    return new TooLargeError(requestInfo, limitBytes ?? 0);
  }
  return kind === 'aborted'
    ? createAbortError(requestInfo, { mayHaveBeenSent, cause })
    : new NetworkError(requestInfo, kind, { mayHaveBeenSent, cause });
}
