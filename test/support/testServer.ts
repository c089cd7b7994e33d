import { type RequestListener, createServer } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const tlsFolder = join(import.meta.dirname, '../fixtures/tls');

/**
 * The same as in the sandbox. If it were shorter, a write might be sent on a connection that was just closed, and
 * fail.
 */
const keepAliveMs = 60_000;

/** The certificate of {@link startTlsServer}, which is not issued by a trusted authority. */
export const testCertificate = readFileSync(join(tlsFolder, 'server.cert.pem'), 'utf8');

export interface TestServer {
  readonly port: number;
  /** The address of the server on 127.0.0.1. */
  readonly url: string;
  /** Returns the number of connections that were opened so far. */
  readonly countConnections: () => number;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. `close` also closes its connections. */
export async function startTestServer(server: Server, scheme = 'http'): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  if ('keepAliveTimeout' in server) {
    server.keepAliveTimeout = keepAliveMs;
  }
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    countConnections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}

export const startHttpServer = (handler: RequestListener): Promise<TestServer> =>
  startTestServer(createServer(handler));

export const startTlsServer = (handler: RequestListener): Promise<TestServer> =>
  startTestServer(createTlsServer(readTlsFiles(), handler), 'https');

const readTlsFiles = () => ({
  cert: testCertificate,
  key: readFileSync(join(tlsFolder, 'server.key.pem'), 'utf8'),
});

/** Starts a server that prefers HTTP/2, like most load balancers, and also speaks HTTP/1.1. */
export const startHttp2Server = (
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<TestServer> =>
  startTestServer(createSecureServer({ ...readTlsFiles(), allowHTTP1: true }, handler), 'https');

/**
 * A port on which nothing listens. Systems assign only higher ports automatically, so no other test can get it, unlike
 * a port that was just released.
 */
export const closedPort = 1;
