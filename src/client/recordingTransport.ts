import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { mapConcurrently } from '../base/mapConcurrently.ts';
import { sortByText } from '../base/sortByText.ts';
import { combineSignals } from './abort.ts';
import {
  type Transport,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

/** A GET request without its token, and a hash of its response. */
export interface RecordedExchange {
  /** The path with its query, below the origin of the instance. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly responseHash: string;
}

/** The options for sending recorded requests again. */
export interface RepeatOptions {
  /** The origin of the instance, such as `https://analytics.example.com`. */
  readonly origin: string;
  readonly token: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** The statuses of responses that stay the same as long as the instance is unchanged: found, and not found. */
const stableStatuses: ReadonlySet<number> = new Set([200, 404]);

/**
 * Records which requests were sent, and hashes of their responses. Recorded requests can be sent again to find out
 * whether the instance still returns the same responses, without parsing them. A response that `repeat` has received
 * is reused for the next identical request, so that nothing is sent twice.
 */
export class RecordingTransport implements Transport {
  readonly #inner: Transport;
  readonly #exchanges = new Map<string, RecordedExchange>();
  readonly #received = new Map<string, TransportResponse>();
  #isRepeatable = true;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  /**
   * The requests with hashes of their responses; `undefined` if a request can't be repeated, or if the same request has
   * had different responses.
   */
  get exchanges(): readonly RecordedExchange[] | undefined {
    return this.#isRepeatable ? [...this.#exchanges.values()] : undefined;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { method, url, headers, body } = request;
    if (method !== 'GET' || body !== undefined) {
      this.#isRepeatable = false;
      return this.#inner.send(request);
    }
    const exchange = { path: url.slice(new URL(url).origin.length), headers: omitToken(headers) };
    const key = formatKey(exchange);
    const response = this.#received.get(key) ?? (await this.#inner.send(request));
    this.#received.delete(key);
    const responseHash = hashResponse(response);
    const previous = this.#exchanges.get(key);
    this.#isRepeatable &&=
      stableStatuses.has(response.status) &&
      (previous === undefined || previous.responseHash === responseHash);
    this.#exchanges.set(key, { ...exchange, responseHash });
    return response;
  }

  /**
   * Sends recorded requests again, and returns whether all responses are the same as before. If a request fails,
   * returns false: the caller then reads the instance as usual, and handles the failure.
   * @throws the reason of the signal if it is aborted
   */
  async repeat(exchanges: readonly RecordedExchange[], options: RepeatOptions): Promise<boolean> {
    const { origin, token, clock, signal, timeoutMs, concurrency } = options;
    const results = await mapConcurrently(exchanges, concurrency, async ({ responseHash, ...exchange }) => {
      const url = `${origin}${exchange.path}`;
      if (URL.parse(url)?.origin !== origin) {
        return false;
      }
      const deadline = combineSignals(clock, [signal], timeoutMs);
      try {
        const response = await this.#inner.send({
          method: 'GET',
          url,
          headers: { ...exchange.headers, authorization: `Bearer ${token}` },
          signal: deadline.signal,
        });
        if (stableStatuses.has(response.status)) {
          this.#received.set(formatKey(exchange), response);
        }
        return hashResponse(response) === responseHash;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof TransportFailure) {
          return false;
        }
        throw error;
      } finally {
        deadline.dispose();
      }
    });
    return results.every(Boolean);
  }

  /** Discards the responses that {@link repeat} has received, so that later requests are sent again. */
  discardRepeatedResponses(): void {
    this.#received.clear();
  }

  dispose(): void {
    this.#inner.dispose();
  }
}

const omitToken = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'));

const formatKey = ({ path, headers }: Pick<RecordedExchange, 'path' | 'headers'>): string =>
  JSON.stringify([path, sortByText(Object.entries(headers), ([name]) => name)]);

const hashResponse = ({ status, headers, text, isUtf8 }: TransportResponse): string =>
  createHash('sha256')
    .update(JSON.stringify([status, headers['content-type'] ?? '', isUtf8]))
    .update(text)
    .digest('hex');
