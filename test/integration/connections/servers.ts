import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { join } from 'node:path';

/** A server for one test, on this machine. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** The method and URL of each request that the server received. */
  readonly requests: readonly string[];
  /** The `Authorization` headers of these requests. */
  readonly authorizationHeaders: readonly string[];
}

const readFixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../fixtures/tls', name), 'utf8');

/** The certificate of the authority that issued the fixture `signed`, as PEM text. */
export const testAuthority = readFixture('authority.pem');

type RequestHandler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** Responds to the connection test as the platform does, for everyone with a token. */
export const respondLikePlatform: RequestHandler = ({ url, headers }, response) => {
  const isSignedIn = headers['authorization'] !== undefined;
  const isStatus = url?.includes('/infusion/status') === true;
  response
    .writeHead(isSignedIn || isStatus ? 200 : 401, { 'content-type': 'application/json' })
    .end(JSON.stringify(url?.includes('/isauth') === true ? { isauthenticated: isSignedIn } : []));
};

export const respondWithLoginPage: RequestHandler = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>Please log in</h1></html>');
};

/** @param certificate the name of a fixture; plain HTTP without one */
export async function startServer(
  answer: RequestHandler,
  certificate?: 'signed' | 'selfSigned',
): Promise<TestServer> {
  const requests: string[] = [];
  const authorizationHeaders: string[] = [];
  const listener: RequestHandler = (request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    authorizationHeaders.push(...[request.headers['authorization'] ?? []].flat());
    answer(request, response);
  };
  const pem = certificate === undefined ? undefined : readFixture(`${certificate}.pem`);
  const server =
    pem === undefined ? http.createServer(listener) : https.createServer({ key: pem, cert: pem }, listener);
  return { ...(await startListening(server)), requests, authorizationHeaders };
}

/** Starts a proxy that tunnels every CONNECT, whatever its target, to one port of this machine. */
export async function startProxy(targetPort: number, requiredAuthorization?: string): Promise<TestServer> {
  const requests: string[] = [];
  const authorizationHeaders: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    requests.push(`CONNECT ${request.url ?? ''}`);
    authorizationHeaders.push(...[request.headers['authorization'] ?? []].flat());
    client.on('error', () => undefined);
    if (request.headers['proxy-authorization'] !== requiredAuthorization) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const upstream = net.connect(targetPort, '127.0.0.1');
    upstream.on('error', () => client.destroy());
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
  });
  return { ...(await startListening(server)), requests, authorizationHeaders };
}

/** Starts a server that accepts connections and never responds. */
export async function startSilentServer(): Promise<TestServer> {
  return { ...(await startListening(net.createServer())), requests: [], authorizationHeaders: [] };
}

async function startListening(server: net.Server): Promise<AsyncDisposable & { readonly port: number }> {
  const open = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) {
        socket.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
