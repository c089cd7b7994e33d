import { type IncomingMessage, type ServerResponse, createServer, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startTestServer } from './testServer.ts';

export interface ProxiedRequest {
  readonly method: string;
  /** With its query, decoded. */
  readonly path: string;
  readonly body: string;
}

/**
 * What happens to a request:
 * - `forward`: the instance answers it
 * - `lose`: it takes effect, and the connection is closed before the answer
 * - `hold`: it never arrives, and is never answered
 * - `hold-answer`: it takes effect, and is never answered
 * - a status: the proxy answers it, and it never arrives
 */
export type Fate = 'forward' | 'lose' | 'hold' | 'hold-answer' | number;

/** A proxy in front of an instance, at an address that stays the same when the instance is replaced. */
export interface InterceptingProxy {
  readonly url: string;
  /** The token that stands for the one of the instance. */
  readonly token: string;
  /** The instance behind it. */
  setInstance(instance: { readonly url: string; readonly adminToken: string }): void;
  /**
   * Decides what happens to requests, until the next call. Without a function, all are forwarded.
   * @param onHeld called when a request or its answer is held
   */
  intercept(decide?: (request: ProxiedRequest) => Fate | Promise<Fate>, onHeld?: () => void): void;
  /** The number of writes that the instance has got so far. */
  readonly forwardedWriteCount: number;
  /** Returns the requests since the last call, oldest first. */
  takeRequests(): readonly ProxiedRequest[];
  close(): Promise<void>;
}

/** Returns whether a request writes: what is read with POST is not written. */
export const isWrite = ({ method }: ProxiedRequest): boolean => method !== 'GET';

/** Starts a proxy on a free port. */
export async function startInterceptingProxy(): Promise<InterceptingProxy> {
  const token = 'token-of-the-proxy-5f0c1e';
  const requests: ProxiedRequest[] = [];
  let forwardedWriteCount = 0;
  let instance = { url: '', adminToken: '' };
  let decide: (request: ProxiedRequest) => Fate | Promise<Fate> = () => 'forward';
  let onHeld: (() => void) | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { method = '', url = '', headers } = request;
    const proxied = { method, path: decodeURIComponent(url), body: body.toString() };
    requests.push(proxied);
    const fate = await decide(proxied);
    if (fate === 'hold') {
      onHeld?.();
      return;
    }
    if (typeof fate === 'number') {
      response
        .writeHead(fate, {
          'content-type': 'application/json',
          ...(fate === 429 ? { 'retry-after': '0' } : {}),
        })
        .end(JSON.stringify({ error: { message: `The proxy answers ${fate}`, status: fate, code: 1 } }));
      return;
    }
    forwardedWriteCount += isWrite(proxied) ? 1 : 0;
    const { host: _host, connection: _connection, ...kept } = headers;
    const authorization =
      headers.authorization === `Bearer ${token}` ? { authorization: `Bearer ${instance.adminToken}` } : {};
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
      sendRequest(new URL(url, instance.url), { method, headers: { ...kept, ...authorization } }, resolve)
        .on('error', reject)
        .end(body);
    });
    const answerBody = await buffer(answered);
    if (fate === 'lose') {
      request.socket.destroy();
    } else if (fate === 'forward') {
      const { 'transfer-encoding': _encoding, ...answerHeaders } = answered.headers;
      response.writeHead(answered.statusCode ?? 0, answerHeaders).end(answerBody);
    } else {
      onHeld?.();
    }
  };
  const server = await startTestServer(
    createServer((request, response) => {
      // If the instance drops the connection, so does the proxy.
      answer(request, response).catch(() => request.socket.destroy());
    }),
  );
  return {
    url: server.url,
    token,
    setInstance: (other) => {
      instance = other;
    },
    intercept: (nextDecide = () => 'forward', nextOnHeld?: () => void) => {
      decide = nextDecide;
      onHeld = nextOnHeld;
    },
    get forwardedWriteCount() {
      return forwardedWriteCount;
    },
    takeRequests: () => requests.splice(0),
    close: () => server.close(),
  };
}
