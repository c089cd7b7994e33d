import type { Dispatcher } from 'undici';
import { PromiseCache } from '../base/promiseCache.ts';
import { acceptedEncodings, readBody } from './bodyReader.ts';
import {
  classifyFailure,
  type ProxySettings,
  ProxySettingError,
  resolveProxy,
  createSecureContext,
} from './network.ts';
import {
  type Transport,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

export interface TransportOptions extends ProxySettings {
  /** False accepts any certificate, like the editor's own setting `http.proxyStrictSSL`; true by default. */
  readonly strictSSL?: boolean | undefined;
  /** Certificates of additional authorities, as PEM texts. */
  readonly caCertificates?: readonly string[] | undefined;
  /** Time limit for opening a connection, in milliseconds. */
  readonly connectTimeoutMs?: number | undefined;
  /** Time limit until the response headers arrive, in milliseconds. */
  readonly headersTimeoutMs?: number | undefined;
  /** Time limit for a pause within a body, in milliseconds. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Maximum length of a response, in bytes; 64 MB by default. */
  readonly limitBytes?: number | undefined;
}

/** undici's own timers are coarse: the client's deadline is the exact one. */
const defaults = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 120_000,
  bodyTimeoutMs: 60_000,
  limitBytes: 64 * 1024 * 1024,
};

/**
 * Sends requests with undici, which is loaded on first use and used only in this file. Connections are kept and reused;
 * redirects are not followed. Only HTTP/1.1 is offered to a server: with HTTP/2, one lost connection would fail all
 * writes under way, and whether a server has received them would be less certain (decisions.md, "REST client").
 */
export class UndiciTransport implements Transport {
  readonly #options: TransportOptions;
  /** One agent per proxy, and one each for direct connections with and without TLS. */
  readonly #agents = new PromiseCache<Dispatcher>();
  #isDisposed = false;

  constructor(options: TransportOptions = {}) {
    this.#options = options;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const proxy = this.#resolveProxy(request.url);
    let hasResponded = false;
    try {
      const { origin, protocol, pathname, search } = new URL(request.url);
      const agent = await this.#getAgent(proxy, protocol === 'https:' || proxy !== undefined);
      const response = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method: request.method,
        headers: { ...request.headers, 'accept-encoding': acceptedEncodings },
        signal: request.signal,
        headersTimeout: this.#options.headersTimeoutMs ?? defaults.headersTimeoutMs,
        bodyTimeout: this.#options.bodyTimeoutMs ?? defaults.bodyTimeoutMs,
        body: request.body ?? null,
      });
      hasResponded = true;
      const headers = joinHeaders(response.headers);
      const body = await readBody(response.body, {
        limitBytes: this.#options.limitBytes ?? defaults.limitBytes,
        encoding: headers['content-encoding'],
        declaredLength: headers['content-length'],
      });
      return { status: response.statusCode, headers, ...body };
    } catch (error) {
      throw toTransportFailure(error, {
        hasResponded,
        usesProxy: proxy !== undefined,
        signal: request.signal,
      });
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const [, agent] of this.#agents.entries) {
      // Requests in progress fail at their callers; no one else needs this error.
      agent.destroy().catch(() => undefined);
    }
    this.#agents.clear();
  }

  #resolveProxy(url: string): string | undefined {
    try {
      return resolveProxy(url, this.#options);
    } catch (error) {
      if (error instanceof ProxySettingError) {
        throw new TransportFailure('proxy', { mayHaveBeenSent: false, cause: error });
      }
      throw error;
    }
  }

  #getAgent(proxy: string | undefined, isSecure: boolean): Promise<Dispatcher> {
    if (this.#isDisposed) {
      throw new TransportFailure('aborted', { mayHaveBeenSent: false });
    }
    return this.#agents.get(`${isSecure} ${proxy ?? ''}`, async () => {
      const agent = await createAgent(proxy, isSecure, this.#options);
      if (this.#isDisposed) {
        await agent.destroy();
      }
      return agent;
    });
  }
}

/**
 * Loads undici. Returns its default export: it is a CommonJS module, whose named exports a bundled dynamic import does
 * not have.
 */
export async function loadUndici() {
  const { default: undici } = await import('undici');
  return undici;
}

async function createAgent(
  proxy: string | undefined,
  isSecure: boolean,
  options: TransportOptions,
): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await loadUndici();
  const timeout = options.connectTimeoutMs ?? defaults.connectTimeoutMs;
  if (!isSecure) {
    return new Agent({ connect: { timeout }, allowH2: false });
  }
  const tlsOptions = {
    allowH2: false,
    secureContext: createSecureContext(options.caCertificates ?? []),
    rejectUnauthorized: options.strictSSL ?? true,
  };
  return proxy === undefined
    ? new Agent({ connect: { ...tlsOptions, timeout }, allowH2: false })
    : new ProxyAgent({
        uri: proxy,
        connectTimeout: timeout,
        requestTls: tlsOptions,
        proxyTls: tlsOptions,
        allowH2: false,
      });
}

function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      joined[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
    }
  }
  return joined;
}

function toTransportFailure(
  error: unknown,
  context: { readonly hasResponded: boolean; readonly usesProxy: boolean; readonly signal: AbortSignal },
): TransportFailure {
  if (error instanceof TransportFailure) {
    return error;
  }
  if (context.signal.aborted) {
    return new TransportFailure('aborted', { mayHaveBeenSent: true, cause: error });
  }
  const { kind, phase, failedBeforeSending } = classifyFailure(
    error,
    context.usesProxy && !context.hasResponded,
  );
  return new TransportFailure(kind, {
    mayHaveBeenSent: context.hasResponded || !failedBeforeSending,
    cause: error,
    ...(phase === undefined ? {} : { phase }),
  });
}
