import type { Transport, TransportRequest, TransportResponse } from '../../src/client/transport.ts';

/** A test's response to a request. An error is thrown, as if the transport had failed. */
export type MemoryResponse =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string }
  | Error;

/** A transport without a socket: it records every request and responds as defined by the test. */
export class MemoryTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly #respond: (request: TransportRequest, index: number) => MemoryResponse | Promise<MemoryResponse>;
  /** The pending calls of `waitForRequests`. */
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  isDisposed = false;

  constructor(
    respond: (request: TransportRequest, index: number) => MemoryResponse | Promise<MemoryResponse>,
  ) {
    this.#respond = respond;
  }

  get lastRequest(): TransportRequest {
    const request = this.requests.at(-1);
    if (request === undefined) {
      throw new Error('Nothing was sent');
    }
    return request;
  }

  /** The method and path, with query, of all requests. */
  get requestLines(): readonly string[] {
    return this.requests.map(({ method, url }) => {
      const { pathname, search } = new URL(url);
      return `${method} ${pathname}${search}`;
    });
  }

  /** Resolves once that many requests have been sent. */
  waitForRequests(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#notifyWaiting();
    });
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    this.#notifyWaiting();
    const response = await this.#respond(request, this.requests.length - 1);
    if (response instanceof Error) {
      throw response;
    }
    const text = response.body ?? '';
    return {
      status: response.status ?? 200,
      headers: { 'content-type': 'application/json', ...response.headers },
      text,
      isUtf8: true,
      bytes: Buffer.byteLength(text),
    };
  }

  dispose(): void {
    this.isDisposed = true;
  }

  #notifyWaiting(): void {
    for (const { count, resolve } of this.#waiting) {
      if (this.requests.length >= count) {
        resolve();
      }
    }
  }
}

/** Creates a transport that never responds, like a server that hangs. */
export const createHangingTransport = (): MemoryTransport =>
  new MemoryTransport(() => new Promise<MemoryResponse>(() => {}));
