import type { Clock } from '../base/clock.ts';
import { tenantHeader } from '../contract/endpoints.ts';
import {
  brokenOff,
  AddressError,
  ApiError,
  NetworkError,
  ReadOnlyError,
  RedirectError,
  SignedOutError,
  TimeoutError,
  TooLargeError,
} from './errors.ts';
import { type Deadline, deadline, unlessAborted } from './abort.ts';
import type { WriteGuard } from './guard.ts';
import { type Operation, endpointOf, isWrite } from './apiError.ts';
import { type Transport, TransportFailure, type TransportResponse } from './transport.ts';

export interface ExchangeDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly guard: WriteGuard;
  /** The API token now; `undefined` when the connection is signed out. Asked once per exchange. */
  readonly tokenSource: () => Promise<string | undefined>;
  readonly tenantId?: string | undefined;
  /** How long one exchange may take in all, in milliseconds. */
  readonly timeoutMs: number;
}

/** One request, ready to go out. */
export interface Exchange {
  readonly operation: Operation;
  readonly url: string;
  readonly origin: string;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** An answer of whatever status, and the token that was sent for it, so that it can be kept out of sight. */
export interface Exchanged {
  readonly response: TransportResponse;
  readonly token: string | undefined;
}

/** How many redirects a GET follows within its origin. */
const mostRedirects = 3;

/** What HTTP lets a header value hold, without blanks: tokens and tenant ids have none. */
const headerValue = /^[\x21-\x7e]+$/;

/**
 * Sends one request once (a GET follows redirects within its origin) and waits for the answer.
 * @throws ApiError and nothing else
 */
export async function exchange(deps: ExchangeDeps, request: Exchange): Promise<Exchanged> {
  const limit = deadline(deps.clock, [request.signal], deps.timeoutMs);
  let sent = false;
  try {
    const token = await unlessAborted(limit.signal, () => tokenFor(deps, request.operation));
    const headers = headersFor(deps, request, token);
    let url = request.url;
    for (let redirects = 0; ; redirects += 1) {
      // Asked last of all: a connection may have been locked while the request waited.
      refuseWrite(deps.guard, request.operation);
      sent = true;
      const { operation, body } = request;
      const response = await unlessAborted(limit.signal, () =>
        deps.transport.send({
          method: operation.method,
          url,
          headers,
          signal: limit.signal,
          ...(body === undefined ? {} : { body }),
        }),
      );
      const next = redirectTarget(request, url, response, redirects);
      if (next === undefined) {
        return { response, token };
      }
      url = next;
    }
  } catch (error) {
    throw errorOf(error, request, { limit, sent, timeoutMs: deps.timeoutMs });
  } finally {
    limit.dispose();
  }
}

/** @throws ReadOnlyError when the operation is a write that the guard refuses */
export function refuseWrite(guard: WriteGuard, operation: Operation): void {
  const refusal = isWrite(operation) ? guard.refusal(operation) : undefined;
  if (refusal !== undefined) {
    throw new ReadOnlyError(operation, refusal, guard.connection);
  }
}

async function tokenFor(deps: ExchangeDeps, operation: Operation): Promise<string | undefined> {
  let token: string | undefined;
  try {
    token = await deps.tokenSource();
  } catch (error) {
    throw new SignedOutError(operation, 'signed-out', error);
  }
  if (token !== undefined && token !== '') {
    if (!headerValue.test(token)) {
      throw new SignedOutError(operation, 'bad-token');
    }
    return token;
  }
  if (endpointOf(operation.endpoint).anonymous !== true) {
    throw new SignedOutError(operation, 'signed-out');
  }
  return undefined;
}

function headersFor(
  { tenantId }: ExchangeDeps,
  { operation, body }: Exchange,
  token: string | undefined,
): Record<string, string> {
  const tenant = endpointOf(operation.endpoint).tenant === true ? tenantId : undefined;
  if (tenant !== undefined && !headerValue.test(tenant)) {
    throw new AddressError(operation, 'tenantId');
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
 * Where a GET goes on to. A write is never sent elsewhere (platform-facts 2.7: a redirect turns POST into GET), and
 * a token never reaches another origin.
 */
function redirectTarget(
  { operation, origin }: Exchange,
  from: string,
  { status, headers }: TransportResponse,
  redirects: number,
): string | undefined {
  if (!redirectStatuses.has(status)) {
    return undefined;
  }
  const location = headers['location'];
  const target = location === undefined ? null : URL.parse(location, from);
  const to = target?.origin;
  if (isWrite(operation)) {
    throw new RedirectError(operation, { status, reason: 'write', to });
  }
  if (target === null) {
    throw new RedirectError(operation, { status, reason: 'unreadable' });
  }
  if (target.origin !== origin || target.username !== '' || target.password !== '') {
    throw new RedirectError(operation, { status, reason: 'other-origin', to });
  }
  if (redirects >= mostRedirects) {
    throw new RedirectError(operation, { status, reason: 'too-many', to });
  }
  target.hash = '';
  return target.href;
}

function errorOf(
  error: unknown,
  { operation, signal }: Exchange,
  { limit, sent, timeoutMs }: { limit: Deadline; sent: boolean; timeoutMs: number },
): unknown {
  // Whatever the transport says once its signal aborted, that is why.
  if (limit.timedOut) {
    return new TimeoutError(operation, { phase: 'total', sent, timeoutMs });
  }
  if (signal.aborted) {
    return brokenOff(operation, { sent, cause: signal.reason });
  }
  if (error instanceof TransportFailure) {
    return failureOf(error, operation);
  }
  return error instanceof ApiError ? error : new NetworkError(operation, 'unknown', { sent, cause: error });
}

function failureOf(
  { kind, sent, phase, limitBytes, cause }: TransportFailure,
  operation: Operation,
): ApiError {
  if (kind === 'timeout') {
    return new TimeoutError(operation, { phase: phase ?? 'total', sent, cause });
  }
  if (kind === 'too-large') {
    return new TooLargeError(operation, limitBytes ?? 0);
  }
  return kind === 'aborted'
    ? brokenOff(operation, { sent, cause })
    : new NetworkError(operation, kind, { sent, cause });
}
