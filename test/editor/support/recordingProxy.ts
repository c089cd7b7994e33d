import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JourneySandbox } from './journeySandbox.ts';

const waitMs = 20_000;

/** What an instance was asked, and a switch that takes it away. */
export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** What makes the extension connect through it: for `openStudio({ env })`. */
  readonly env: Readonly<Record<string, string>>;
  /** The requests since the last call, as `GET /path`, the oldest first. */
  takeRequests(): readonly string[];
  /** Waits until so many were asked since the last call, and takes them. */
  waitForRequests(count: number): Promise<readonly string[]>;
  /** While true, connections are closed without an answer, as by a cable that is pulled. */
  isOffline: boolean;
  /** While it is set, requests wait for it, as with a server that is slow. */
  gate: Promise<unknown> | undefined;
  /** Answers in place of the instance where it answers something. */
  answer: ((method: string, path: string) => { status: number; body: string } | undefined) | undefined;
}

/** Stands between the extension and a sandbox and writes down what goes through. */
export async function startRecordingProxy(sandbox: JourneySandbox): Promise<RecordingProxy> {
  const asked: string[] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`);
    arrivals.emit('request');
    if (recorder.isOffline) {
      request.socket.destroy();
      return;
    }
    const own = recorder.answer?.(request.method ?? '', request.url ?? '');
    if (own === undefined) {
      void forward(sandbox.url, request, response, recorder.gate);
    } else {
      response.writeHead(own.status, { 'content-type': 'application/json' }).end(own.body);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const recorder: RecordingProxy = {
    url,
    env: { ...sandbox.env, DATAMODEL_STUDIO_SANDBOX_URL: url },
    takeRequests: () => asked.splice(0),
    async waitForRequests(count) {
      const signal = AbortSignal.timeout(waitMs);
      while (asked.length < count) {
        await once(arrivals, 'request', { signal });
      }
      return asked.splice(0);
    },
    isOffline: false,
    gate: undefined,
    answer: undefined,
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
  held: Promise<unknown> | undefined,
): Promise<void> {
  await held;
  const body: Buffer[] = [];
  for await (const chunk of request) {
    body.push(chunk as Buffer);
  }
  const answer = await fetch(new URL(request.url ?? '', base), {
    method: request.method ?? 'GET',
    headers: {
      authorization: request.headers.authorization ?? '',
      'content-type': request.headers['content-type'] ?? 'application/json',
    },
    ...(body.length === 0 ? {} : { body: Buffer.concat(body) }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
