import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JourneySandbox } from './journeySandbox.ts';

const waitMs = 20_000;
/** The same time as in the sandbox: a write on a connection that was just closed would fail. */
const keepAliveMs = 60_000;

/** A proxy that records the requests to an instance, and can make it seem offline. */
export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** The environment that makes the extension connect through it: for `openStudio({ env })`. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns and clears the requests since the last call, as `GET /path`, oldest first. */
  takeRequests(): readonly string[];
  /** Waits until that many requests have arrived since the last call, then returns and clears them. */
  waitForRequests(count: number): Promise<readonly string[]>;
  /** While true, connections are closed without a response, as if the network were down. */
  isOffline: boolean;
  /** While set, requests are forwarded only when this promise resolves, as with a slow server. */
  gate: Promise<unknown> | undefined;
  /** Called with each request; if it returns a response, the proxy sends that response and doesn't forward the request. */
  getInterceptedResponse:
    | ((method: string, path: string) => { status: number; body: string } | undefined)
    | undefined;
}

/** Starts a proxy between the extension and a sandbox that records all requests. */
export async function startRecordingProxy(sandbox: JourneySandbox): Promise<RecordingProxy> {
  const recordedRequests: string[] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    recordedRequests.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`);
    arrivals.emit('request');
    if (recorder.isOffline) {
      request.socket.destroy();
      return;
    }
    const interceptedResponse = recorder.getInterceptedResponse?.(request.method ?? '', request.url ?? '');
    if (interceptedResponse === undefined) {
      // If the instance drops the connection, so does the proxy.
      forward(sandbox.url, request, response, recorder.gate).catch(() => request.socket.destroy());
    } else {
      response
        .writeHead(interceptedResponse.status, { 'content-type': 'application/json' })
        .end(interceptedResponse.body);
    }
  });
  server.keepAliveTimeout = keepAliveMs;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const recorder: RecordingProxy = {
    url,
    env: { ...sandbox.env, DATAMODEL_STUDIO_SANDBOX_URL: url },
    takeRequests: () => recordedRequests.splice(0),
    async waitForRequests(count) {
      const signal = AbortSignal.timeout(waitMs);
      while (recordedRequests.length < count) {
        await once(arrivals, 'request', { signal });
      }
      return recordedRequests.splice(0);
    },
    isOffline: false,
    gate: undefined,
    getInterceptedResponse: undefined,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
  return recorder;
}

async function forward(
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
  gate: Promise<unknown> | undefined,
): Promise<void> {
  await gate;
  const body: Buffer[] = [];
  for await (const chunk of request) {
    body.push(chunk as Buffer);
  }
  const forwardedResponse = await fetch(new URL(request.url ?? '', base), {
    method: request.method ?? 'GET',
    headers: {
      authorization: request.headers.authorization ?? '',
      'content-type': request.headers['content-type'] ?? 'application/json',
    },
    ...(body.length === 0 ? {} : { body: Buffer.concat(body) }),
  });
  response.writeHead(forwardedResponse.status, {
    'content-type': forwardedResponse.headers.get('content-type') ?? '',
  });
  response.end(Buffer.from(await forwardedResponse.arrayBuffer()));
}
