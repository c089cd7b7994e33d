import { delay } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { stringify } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import {
  type EndpointId,
  type PathDialect,
  type PathParams,
  getPathTemplate,
} from '../contract/endpoints.ts';
import { combineSignals } from './abort.ts';
import { createRequestAddress } from './requestAddress.ts';
import {
  createAbortError,
  ClientClosedReason,
  ApiError,
  HttpError,
  InvalidRequestError,
  NetworkError,
  PayloadError,
} from './errors.ts';
import {
  type OutgoingRequest,
  type ExchangeDeps,
  type ExchangeResult,
  sendRequest,
  checkWriteAllowed,
} from './exchange.ts';
import { Limiter, type AttemptOutcome, type RetryPolicy, getRetryPause } from './pacing.ts';
import { type ApiRequestInfo, createApiRequestInfo } from './apiError.ts';
import type { RawResponse, SendOptions } from './send.ts';
import { toRepetitionError } from './uncertainEffect.ts';

export interface PipelineDeps extends ExchangeDeps {
  readonly baseUrl: string;
  readonly log: Log;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly retry: RetryPolicy;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
}

/** One operation in progress. */
interface Call extends OutgoingRequest {
  readonly endpoint: EndpointId;
  /** The path with its parameters as placeholders, for the log. */
  readonly template: string;
  readonly noRetry: boolean;
}

/**
 * Carries out an operation: creates its address, checks the guard, sends, retries and logs it. The result is a
 * successful response or one {@link ApiError}.
 */
export class Pipeline implements Disposable {
  readonly #deps: PipelineDeps;
  readonly #limiter: Limiter;
  readonly #abortController = new AbortController();

  constructor(deps: PipelineDeps) {
    this.#deps = deps;
    this.#limiter = new Limiter(deps.concurrency);
  }

  /**
   * Checks if an operation may be sent, without sending it.
   * @throws ApiError when its address, its body or the guard forbids it
   */
  check<Id extends EndpointId>(
    endpoint: Id,
    params: PathParams<Id>,
    options: SendOptions & { readonly dialect: PathDialect },
  ): void {
    this.#prepare(endpoint, params, options);
  }

  /**
   * Sends an operation in one dialect.
   * @throws ApiError and nothing else
   */
  async send<Id extends EndpointId>(
    endpoint: Id,
    params: PathParams<Id>,
    options: SendOptions & { readonly dialect: PathDialect },
  ): Promise<RawResponse> {
    const call = this.#prepare(endpoint, params, options);
    const combined = combineSignals(this.#deps.clock, [this.#abortController.signal, options.signal]);
    try {
      return await this.#sendWithRetries({ ...call, signal: combined.signal });
    } finally {
      combined.dispose();
    }
  }

  /** @throws ReadOnlyError when the connection does not allow such an operation now */
  checkWriteAllowed(endpoint: EndpointId): void {
    checkWriteAllowed(this.#deps.guard, createApiRequestInfo(endpoint, getPathTemplate(endpoint, 'plain')));
  }

  /** Aborts everything in progress; callers get an error that the connection was closed. */
  dispose(): void {
    this.#abortController.abort(new ClientClosedReason());
  }

  #prepare(
    endpoint: EndpointId,
    params: Readonly<Record<string, string>>,
    options: SendOptions & { readonly dialect: PathDialect },
  ): Omit<Call, 'signal'> {
    const { dialect, createBody, query: querySource, noRetry = false } = options;
    const template = getPathTemplate(endpoint, dialect);
    const { body, query } = createPayload(createApiRequestInfo(endpoint, template), () => ({
      body: createBody === undefined ? undefined : stringify(createBody()),
      query: typeof querySource === 'function' ? querySource(dialect) : querySource,
    }));
    const { path, url, origin } = createRequestAddress(this.#deps.baseUrl, endpoint, params, {
      dialect,
      query,
    });
    const requestInfo = createApiRequestInfo(endpoint, path);
    checkWriteAllowed(this.#deps.guard, requestInfo);
    return { endpoint, template, requestInfo, url, origin, body, noRetry };
  }

  async #sendWithRetries(call: Call): Promise<RawResponse> {
    /** Whether an earlier attempt may have had an effect. */
    let mayHaveHadEffect = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(call, attempt);
      } catch (error) {
        if (!(error instanceof ApiError)) {
          throw new NetworkError(call.requestInfo, 'unknown', { mayHaveBeenSent: true, cause: error });
        }
        if (mayHaveHadEffect && error instanceof HttpError && error.status === 404 && error.isNotFound) {
          // A DELETE that seemed to fail has worked: the item no longer exists.
          return { requestInfo: call.requestInfo, status: 204, text: '', isUtf8: true, contentType: '' };
        }
        const pauseMs = this.#getPauseMs(call, attempt, error);
        if (pauseMs === undefined) {
          throw mayHaveHadEffect ? toRepetitionError(error) : error;
        }
        mayHaveHadEffect ||= error.mayHaveTakenEffect;
        await this.#pause(call, pauseMs);
      }
    }
  }

  async #sendOnce(call: Call, attempt: number): Promise<RawResponse> {
    const startMs = this.#deps.clock.now();
    const logFields = {
      endpoint: call.endpoint,
      method: call.requestInfo.method,
      path: call.template,
      attempt,
    };
    try {
      const exchange = await this.#runLimited(call);
      const { status, bytes } = exchange.response;
      this.#deps.log.debug('http', 'answered', {
        ...logFields,
        status,
        bytes,
        ms: this.#deps.clock.now() - startMs,
      });
      return await this.#read(call, exchange);
    } catch (error) {
      if (error instanceof ApiError && !(error instanceof HttpError)) {
        this.#deps.log.warn('http', 'failed', {
          ...logFields,
          code: error.code,
          ms: this.#deps.clock.now() - startMs,
        });
      }
      throw error;
    }
  }

  /** Runs the exchange when its turn comes; if the caller cancels while waiting, nothing is sent. */
  async #runLimited(call: Call): Promise<ExchangeResult> {
    let hasStarted = false;
    try {
      return await this.#limiter.run(call.signal, () => {
        hasStarted = true;
        return sendRequest(this.#deps, call);
      });
    } catch (error) {
      throw hasStarted ? error : createAbortError(call.requestInfo, { mayHaveBeenSent: false, cause: error });
    }
  }

  /** @throws HttpError for a status other than success */
  async #read(call: Call, exchange: ExchangeResult): Promise<RawResponse> {
    const { status, text, isUtf8, headers } = exchange.response;
    const contentType = headers['content-type'] ?? '';
    const response = { requestInfo: call.requestInfo, status, text, isUtf8, contentType };
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess && !isWebPage(contentType, text)) {
      return response;
    }
    // The code that reads a server's message, and masks secrets in it, is loaded when needed.
    const { readErrorResponse, readServerMessage } = await import('./errorResponse.ts');
    if (isSuccess) {
      return { ...response, webPage: { serverMessage: readServerMessage(exchange) } };
    }
    const { clock, guard } = this.#deps;
    throw readErrorResponse(call, exchange, { connection: guard.connection, now: clock.now() });
  }

  #getPauseMs({ endpoint, noRetry }: Call, attempt: number, error: ApiError): number | undefined {
    const outcome = toAttemptOutcome(error);
    return outcome === undefined || noRetry
      ? undefined
      : getRetryPause({ endpoint, attempt, outcome, random: this.#deps.random() }, this.#deps.retry);
  }

  async #pause({ requestInfo, signal }: Call, ms: number): Promise<void> {
    try {
      await delay(this.#deps.clock, ms, signal);
    } catch (error) {
      throw createAbortError(requestInfo, { mayHaveBeenSent: true, cause: error });
    }
  }
}

/** True for a web page: of a login form, a proxy or another server. */
const isWebPage = (contentType: string, text: string): boolean =>
  /\bx?html\b/i.test(contentType) ? !/^\s*[[{]/.test(text) : /^\s*</.test(text);

function toAttemptOutcome(error: ApiError): AttemptOutcome | undefined {
  if (error instanceof HttpError) {
    return { kind: 'status', status: error.status, retryAfterMs: error.retryAfterMs };
  }
  return error instanceof NetworkError && error.kind === 'reset' ? { kind: 'reset' } : undefined;
}

/** The payload, or an error with the reason why it cannot be sent. */
function createPayload<T>(requestInfo: ApiRequestInfo, create: () => T): T {
  try {
    return create();
  } catch (error) {
    // Apart from the payload functions, JSON itself rejects some documents: circular ones and bigints.
    throw new InvalidRequestError(
      requestInfo,
      error instanceof PayloadError ? error : new PayloadError('not-json'),
    );
  }
}
