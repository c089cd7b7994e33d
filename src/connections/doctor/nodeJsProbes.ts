import { lookup } from 'node:dns/promises';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { createSecureContext } from '../../client/network.ts';
import type { Handshake, Probes, ProbeSocket } from './probes.ts';

/** Number of bytes of a proxy's response that are searched for the end of its head. */
const maxHeadBytes = 16 * 1024;
/** Maximum length of a certificate chain: a certificate may reference itself. */
const maxChainLength = 8;

/** The doctor's probes with Node's own network modules; the only file of the doctor that opens a socket. */
export const nodeJsProbes: Probes = {
  async lookup(host) {
    return (await lookup(stripBrackets(host), { all: true })).map(({ address }) => address);
  },
  async connect(host, port, signal) {
    signal.throwIfAborted();
    const socket = net.connect({ host: stripBrackets(host), port });
    await waitForOpen(socket, 'connect', signal);
    return new NodeProbeSocket(socket);
  },
};

/** An IPv6 address has brackets in a URL and none anywhere else. */
const stripBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

class NodeProbeSocket implements ProbeSocket {
  #socket: net.Socket;
  readonly address: string;

  constructor(socket: net.Socket) {
    this.#socket = socket;
    this.address = socket.remoteAddress ?? '';
  }

  async openTunnel(target: string, authorization: string | undefined, signal: AbortSignal) {
    const header = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    this.#socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${header}\r\n`);
    const head = await readHead(this.#socket, signal);
    const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1];
    return { status: status === undefined ? undefined : Number(status) };
  }

  async startTls(host: string, caCertificates: readonly string[], signal: AbortSignal): Promise<Handshake> {
    const hostName = stripBrackets(host);
    const tlsSocket = tls.connect({
      socket: this.#socket,
      host: hostName,
      // A server name is never an address (RFC 6066, section 3).
      ...(net.isIP(hostName) === 0 ? { servername: hostName } : {}),
      secureContext: createSecureContext(caCertificates),
      ALPNProtocols: ['http/1.1'],
      // The certificate is only recorded here; the doctor decides whether to continue.
      rejectUnauthorized: false,
    });
    await waitForOpen(tlsSocket, 'secureConnect', signal);
    this.#socket = tlsSocket;
    return getHandshake(tlsSocket);
  }

  dispose(): void {
    // Without a listener, a late error of the socket would end the process.
    this.#socket.on('error', () => undefined);
    this.#socket.destroy();
  }
}

/** Waits for the event; destroys the socket if the signal aborts. */
function waitForOpen(
  socket: net.Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  return waitOnSocket(socket, signal, (resolve) => {
    socket.once(event, resolve);
    return () => socket.off(event, resolve);
  });
}

/**
 * The head of an HTTP response, with anything that arrived in the same chunk; later chunks stay in the socket. If the
 * response isn't HTTP, or its head is too long, the result is what has arrived so far.
 */
function readHead(socket: net.Socket, signal: AbortSignal): Promise<string> {
  return waitOnSocket(socket, signal, (resolve) => {
    let head = '';
    const readChunks = (): void => {
      for (let chunk = socket.read(); chunk instanceof Uint8Array; chunk = socket.read()) {
        head += new TextDecoder('latin1').decode(chunk);
        const end = head.indexOf('\r\n\r\n');
        if (end >= 0 || head.length > maxHeadBytes || !'HTTP/1.'.startsWith(head.slice(0, 7))) {
          resolve(head);
          return;
        }
      }
    };
    socket.on('readable', readChunks);
    return () => socket.off('readable', readChunks);
  });
}

/** Waits for the event that `listen` subscribes to; rejects if the socket fails or ends, and if the signal aborts. */
function waitOnSocket<T>(
  socket: net.Socket,
  signal: AbortSignal,
  listen: (resolve: (value: T) => void) => () => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onError = (error: Error): void => reject(error);
  const onClose = (): void =>
    reject(Object.assign(new Error('The connection ended'), { code: 'ECONNRESET' }));
  const onAbort = (): void => {
    reject(signal.reason);
    socket.destroy();
  };
  socket.once('error', onError);
  socket.once('end', onClose);
  socket.once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  const stopListening = listen(resolve);
  return promise.finally(() => {
    stopListening();
    socket.off('error', onError);
    socket.off('end', onClose);
    socket.off('close', onClose);
    signal.removeEventListener('abort', onAbort);
    // From now on, the next use of the socket reports its error; without one, the error is ignored.
    socket.on('error', () => undefined);
  });
}

function getHandshake(socket: tls.TLSSocket): Handshake {
  const certificate = socket.getPeerCertificate(true);
  return {
    protocol: socket.getProtocol() ?? undefined,
    problem: socket.authorized ? undefined : getProblemCode(socket.authorizationError),
    chain: getCertificateChain(certificate),
    names: (certificate.subjectaltname ?? '')
      .split(/,\s*/)
      .flatMap((entry) => entry.replace(/^[^:]*:/, '') || []),
    validFrom: parseDate(certificate.valid_from),
    validTo: parseDate(certificate.valid_to),
  };
}

/** OpenSSL's code. It is typed as an error, but Node passes only the code if there is one. */
function getProblemCode(error: unknown): string {
  if (typeof error === 'string') {
    return error;
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'unknown';
}

/**
 * The names from the server's certificate to the authority at the end. If the certificate of an issuer is missing, its
 * name is the last.
 */
function getCertificateChain(certificate: tls.DetailedPeerCertificate): readonly string[] {
  const names: string[] = [];
  let current: tls.DetailedPeerCertificate | undefined = certificate;
  while (current?.subject !== undefined && names.length < maxChainLength) {
    names.push(getCertificateName(current.subject));
    const issuer: tls.DetailedPeerCertificate | undefined = current.issuerCertificate;
    if (issuer?.fingerprint256 === current.fingerprint256) {
      return names;
    }
    if (issuer === undefined) {
      names.push(getCertificateName(current.issuer));
    }
    current = issuer;
  }
  return names;
}

const getCertificateName = ({ CN, O }: tls.Certificate): string => [CN ?? O ?? '?'].flat().join(', ');

function parseDate(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
