import type { IncomingMessage, RequestOptions, Server, ServerResponse } from 'node:http';
import { createServer, request, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { getErrorCode } from '../base/fileErrors.ts';
import type { AdmissionRules, AdmissionRequest } from './requestAdmission.ts';
import { getAdmissionRefusal, tokenCookie } from './requestAdmission.ts';
import type { AllowedHost } from './allowedAddresses.ts';
import { AllowedAddresses } from './allowedAddresses.ts';

/** The loopback address: only this machine can connect. */
const listenHost = '127.0.0.1';
/** Headers for a single connection, which are not forwarded. The length and encoding of a body don't change. */
const hopByHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

const upgradeHeaders: readonly string[] = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];

/** A response of the gate itself. */
interface GateResponse {
  readonly status: number;
  readonly message: string;
}

const unreachableResponse: GateResponse = {
  status: 502,
  message: "The editor isn't responding. Start it again.",
};

export interface GateOptions extends Omit<AdmissionRules, 'addresses'> {
  /** Any free port if 0. */
  readonly port: number;
  /** The socket or pipe of the server behind the gate. */
  readonly socketPath: string;
  /** Additional addresses besides those of this machine. */
  readonly allowedHosts: readonly AllowedHost[];
}

/** A reverse proxy that checks the Host, Origin and token of requests, in front of a server on a private socket. */
export interface GateServer {
  readonly port: number;
  /** Closes every connection; idempotent. */
  stop(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 and forwards requests that `getAdmissionRefusal` doesn't refuse, WebSockets included.
 * @throws Error when the port is not available
 */
export async function openGate(options: GateOptions): Promise<GateServer> {
  const server = createServer({
    // The server behind the gate supports no other upgrade (such as h2c).
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  const port = await listen(server, options.port);
  const admissionRules = { ...options, addresses: new AllowedAddresses(port, options.allowedHosts) };

  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = getAdmissionRefusal(toRequestInfo(incoming), admissionRules);
    if (refusal === undefined) {
      forwardRequest(incoming, outgoing, options);
    } else {
      refuse(outgoing, refusal);
    }
  });
  const tunnels = new Set<Duplex>();
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnels.add(socket);
    socket.once('close', () => tunnels.delete(socket));
    // A broken connection ends its tunnel and is not an error.
    socket.on('error', () => socket.destroy());
    const refusal = getAdmissionRefusal(toRequestInfo(incoming), admissionRules);
    if (refusal === undefined) {
      forwardUpgrade(incoming, socket, head, options.socketPath);
    } else {
      refuseUpgrade(socket, refusal);
    }
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      for (const tunnel of tunnels) {
        tunnel.destroy();
      }
    });
  let closing: Promise<void> | undefined;
  return { port, stop: () => (closing ??= close()) };
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onError = (error: Error): void => {
    const code = getErrorCode(error);
    const reason = code === 'EADDRINUSE' ? "it's already in use" : code;
    reject(
      new Error(`The editor can't use port ${port}: ${reason}. Use another port, or omit --port.`, {
        cause: error,
      }),
    );
  };
  server.once('error', onError);
  server.listen(port, listenHost, resolve);
  await promise;
  server.off('error', onError);
  return (server.address() as AddressInfo).port;
}

const toRequestInfo = ({ url = '', headersDistinct, headers }: IncomingMessage): AdmissionRequest => ({
  target: url,
  hosts: headersDistinct['host'] ?? [],
  origins: headersDistinct['origin'] ?? [],
  cookie: headers.cookie,
});

function forwardRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { socketPath, basePath }: GateOptions,
): void {
  const upstream = request(createUpstreamRequest(incoming, socketPath));
  upstream.on('error', () => {
    if (outgoing.headersSent) {
      outgoing.destroy();
    } else {
      refuse(outgoing, unreachableResponse);
    }
  });
  upstream.once('response', (response) => {
    const headers = limitCookiePath(removeHopByHopHeaders(response.rawHeaders), basePath);
    outgoing.writeHead(response.statusCode ?? unreachableResponse.status, response.statusMessage, headers);
    pipeline(response, outgoing, ignorePipelineError);
  });
  outgoing.once('close', () => upstream.destroy());
  pipeline(incoming, upstream, ignorePipelineError);
}

function forwardUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, targetSocket: string): void {
  const upstream = request(createUpstreamRequest(incoming, targetSocket, upgradeHeaders));
  upstream.on('error', () => refuseUpgrade(socket, unreachableResponse));
  upstream.once('response', (response) => {
    // Close the connection: anything that follows would be an unchecked request.
    response.resume();
    refuseUpgrade(socket, {
      status: response.statusCode ?? unreachableResponse.status,
      message: 'There is no WebSocket at this address.',
    });
  });
  upstream.once('upgrade', (response, upstreamSocket, upstreamHead) => {
    upstreamSocket.on('error', () => upstreamSocket.destroy());
    socket.write(
      formatRawHead(response.statusCode ?? 101, [
        ...removeHopByHopHeaders(response.rawHeaders),
        ...upgradeHeaders,
      ]),
    );
    socket.write(upstreamHead);
    upstreamSocket.write(head);
    pipeline(socket, upstreamSocket, ignorePipelineError);
    pipeline(upstreamSocket, socket, ignorePipelineError);
  });
  socket.once('close', () => upstream.destroy());
  upstream.end();
}

/** Does nothing: a failed pipeline has already closed both of its streams. */
const ignorePipelineError = (): void => undefined;

/**
 * Creates the same request to the server. It has a connection of its own, so that it does not wait for another request
 * or reuse a connection that is closing.
 */
const createUpstreamRequest = (
  { method, url, rawHeaders }: IncomingMessage,
  socketPath: string,
  extraHeaders: readonly string[] = [],
): RequestOptions => ({
  method: method ?? 'GET',
  path: url ?? '/',
  headers: [...removeHopByHopHeaders(rawHeaders), ...extraHeaders],
  socketPath,
  agent: false,
});

/** Removes headers that are not forwarded. In the array, names and values alternate, as in `rawHeaders`. */
function removeHopByHopHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !hopByHopHeaders.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()),
  );
}

/**
 * Limits the cookie with the connection token to a path in the headers of a response. Otherwise the browser would send
 * it to all ports of this machine, and two editors in one browser would overwrite each other's cookie.
 */
function limitCookiePath(rawHeaders: readonly string[], path: string): string[] {
  return rawHeaders.map((text, index) =>
    index % 2 === 1 &&
    rawHeaders[index - 1]?.toLowerCase() === 'set-cookie' &&
    text.startsWith(`${tokenCookie}=`)
      ? `${text}; Path=${path}`
      : text,
  );
}

const plainTextHeaders: readonly string[] = [
  'Content-Type',
  'text/plain; charset=utf-8',
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
  'Connection',
  'close',
];

function refuse(outgoing: ServerResponse, { status, message }: GateResponse): void {
  outgoing.writeHead(status, [...plainTextHeaders]).end(`${message}\n`);
}

function refuseUpgrade(socket: Duplex, { status, message }: GateResponse): void {
  // Unread data would keep the connection from closing.
  socket.resume();
  // Destroy the socket, as Node does: a client that keeps its side open must not hold any resources.
  socket.end(`${formatRawHead(status, plainTextHeaders)}${message}\n`, () => socket.destroy());
}

function formatRawHead(status: number, rawHeaders: readonly string[]): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : [],
  );
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines].join('\r\n')}\r\n\r\n`;
}
