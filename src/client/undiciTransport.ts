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
  readonly caFiles?: readonly string[] | undefined;
  /** Time limit for opening a connection, in milliseconds. */
  readonly connectTimeoutMs?: number | undefined;
  /** Time limit until the response headers arrive, in milliseconds. */
  readonly headersTimeoutMs?: number | undefined;
  /** Time limit for a pause within a body, in milliseconds. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Maximum length of a response, in bytes; 64 MB by default. */
  readonly limitBytes?: number | undefined;
}

/** undici's own timers are coarse (libraries.md, section 5): the client's deadline is the exact one. */
const defaults = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 120_000,
  bodyTimeoutMs: 60_000,
  limitBytes: 64 * 1024 * 1024,
};

/**
 * Sends requests with undici, which is loaded with the first request and used only in this file. Connections are kept
 * and reused; redirects are not followed.
 */
export class UndiciTransport implements Transport {
  readonly #options: TransportOptions;
  /** One agent per proxy, and one each for direct connections with and without TLS. */
  readonly #agents = new PromiseCache<Dispatcher>();
  #disposed = false;

  constructor(options: TransportOptions = {}) {
    this.#options = options;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const proxy = this.#resolveProxy(request.url);
    let answered = false;
    try {
      const { origin, protocol, pathname, search } = new URL(request.url);
      const agent = await this.#agent(proxy, protocol === 'https:' || proxy !== undefined);
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
      answered = true;
      const headers = joinHeaders(response.headers);
      const read = await readBody(response.body, {
        limitBytes: this.#options.limitBytes ?? defaults.limitBytes,
        encoding: headers['content-encoding'],
        declaredLength: headers['content-length'],
      });
      return { status: response.statusCode, headers, ...read };
    } catch (error) {
      throw toTransportFailure(error, {
        answered,
        throughProxy: proxy !== undefined,
        signal: request.signal,
      });
    }
  }

  dispose(): void {
    this.#disposed = true;
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
        throw new TransportFailure('proxy', { sent: false, cause: error });
      }
      throw error;
    }
  }

  #agent(proxy: string | undefined, secure: boolean): Promise<Dispatcher> {
    if (this.#disposed) {
      throw new TransportFailure('aborted', { sent: false });
    }
    return this.#agents.get(`${secure} ${proxy ?? ''}`, async () => {
      const agent = await createAgent(proxy, secure, this.#options);
      if (this.#disposed) {
        await agent.destroy();
      }
      return agent;
    });
  }
}

async function createAgent(
  proxy: string | undefined,
  secure: boolean,
  options: TransportOptions,
): Promise<Dispatcher> {
  // Uses its default export: undici is a CommonJS module, whose named exports a bundled dynamic import does not have.
  const { default: undici } = await import('undici');
  const { Agent, ProxyAgent } = undici;
  const timeout = options.connectTimeoutMs ?? defaults.connectTimeoutMs;
  if (!secure) {
    return new Agent({ connect: { timeout } });
  }
  const trust = {
    secureContext: createSecureContext(options.caFiles ?? []),
    rejectUnauthorized: options.strictSSL ?? true,
  };
  return proxy === undefined
    ? new Agent({ connect: { ...trust, timeout } })
    : new ProxyAgent({ uri: proxy, connectTimeout: timeout, requestTls: trust, proxyTls: trust });
}

const joinHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')]],
    ),
  );

function toTransportFailure(
  error: unknown,
  facts: { readonly answered: boolean; readonly throughProxy: boolean; readonly signal: AbortSignal },
): TransportFailure {
  if (error instanceof TransportFailure) {
    return error;
  }
  if (facts.signal.aborted) {
    return new TransportFailure('aborted', { sent: true, cause: error });
  }
  const { kind, phase, beforeSending } = classifyFailure(error, facts.throughProxy && !facts.answered);
  return new TransportFailure(kind, {
    sent: facts.answered || !beforeSending,
    cause: error,
    ...(phase === undefined ? {} : { phase }),
  });
}
