import { type IncomingMessage, type ServerResponse, createServer, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startTestServer } from './testServer.ts';

export interface ProxiedRequest {
  readonly method: string;
  /** The path with the query, decoded. */
  readonly path: string;
  readonly body: string;
}

/**
 * What the proxy does with a request:
 * - `forward`: forwards it, and returns the response of the instance
 * - `empty`: forwards it, and returns only the status of the response
 * - `lose`: forwards it, and closes the connection instead of returning the response
 * - `hold`: never forwards it, and never responds
 * - `hold-response`: forwards it, and never responds
 * - an HTTP status: responds with this status, and never forwards it
 */
export type ProxyAction = 'forward' | 'empty' | 'lose' | 'hold' | 'hold-response' | number;

/** A proxy in front of an instance. Its address stays the same when the instance is replaced. */
export interface InterceptingProxy {
  readonly url: string;
  /** The token to send to the proxy, which replaces it by the token of the instance. */
  readonly token: string;
  /** Sets the instance behind the proxy. */
  setInstance(instance: { readonly url: string; readonly adminToken: string }): void;
  /**
   * Sets the function that decides what happens to requests, until the next call. Without one, all are forwarded.
   * @param onHeld called when a request or its response is held
   */
  intercept(
    decide?: (request: ProxiedRequest) => ProxyAction | Promise<ProxyAction>,
    onHeld?: () => void,
  ): void;
  /** The number of writes that have been forwarded so far. */
  readonly forwardedWriteCount: number;
  /** Returns the requests since the last call, oldest first. */
  takeRequests(): readonly ProxiedRequest[];
  close(): Promise<void>;
}

/** Returns whether a request may write: every request other than a GET counts. */
export const isWrite = ({ method }: ProxiedRequest): boolean => method !== 'GET';

/** Starts a proxy on a free port. */
export async function startInterceptingProxy(): Promise<InterceptingProxy> {
  const token = 'token-of-the-proxy-5f0c1e';
  const requests: ProxiedRequest[] = [];
  let forwardedWriteCount = 0;
  let instance = { url: '', adminToken: '' };
  let decide: (request: ProxiedRequest) => ProxyAction | Promise<ProxyAction> = () => 'forward';
  let onHeld: (() => void) | undefined;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { method = '', url = '', headers } = request;
    const proxiedRequest = { method, path: decodeURIComponent(url), body: body.toString() };
    requests.push(proxiedRequest);
    const action = await decide(proxiedRequest);
    if (action === 'hold') {
      onHeld?.();
      return;
    }
    if (typeof action === 'number') {
      response
        .writeHead(action, {
          'content-type': 'application/json',
          ...(action === 429 ? { 'retry-after': '0' } : {}),
        })
        .end(
          JSON.stringify({
            error: { message: `The proxy responds with ${action}`, status: action, code: 1 },
          }),
        );
      return;
    }
    forwardedWriteCount += isWrite(proxiedRequest) ? 1 : 0;
    const { host: _host, connection: _connection, ...forwardedHeaders } = headers;
    const authorization =
      headers.authorization === `Bearer ${token}` ? { authorization: `Bearer ${instance.adminToken}` } : {};
    const instanceResponse = await new Promise<IncomingMessage>((resolve, reject) => {
      sendRequest(
        new URL(url, instance.url),
        { method, headers: { ...forwardedHeaders, ...authorization } },
        resolve,
      )
        .on('error', reject)
        .end(body);
    });
    const responseBody = await buffer(instanceResponse);
    if (action === 'lose') {
      request.socket.destroy();
    } else if (action === 'empty') {
      response.writeHead(instanceResponse.statusCode ?? 0).end();
    } else if (action === 'forward') {
      const { 'transfer-encoding': _encoding, ...responseHeaders } = instanceResponse.headers;
      response.writeHead(instanceResponse.statusCode ?? 0, responseHeaders).end(responseBody);
    } else {
      onHeld?.();
    }
  };
  const server = await startTestServer(
    createServer((request, response) => {
      // If the instance drops the connection, so does the proxy.
      respond(request, response).catch(() => request.socket.destroy());
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
