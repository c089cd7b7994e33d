import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateServer } from '../../../src/launcher/gate.ts';
import { openGate } from '../../../src/launcher/gate.ts';
import { expectDefined } from '../../support/expectations.ts';

const token = 'secret';
const cookie = `vscode-tkn=${token}`;
const megabyte = Buffer.alloc(1_000_000, 'x');

let folder = '';
let backend: Server;
let gate: GateServer;
/** The requests that reached the server behind the gate. */
let receivedRequests: IncomingMessage[] = [];
let handleRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
let upgradedSockets: Duplex[] = [];

const respond = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
  outgoing.setHeader('Set-Cookie', [`${cookie}; SameSite=Lax`, 'other=1']).end(`you asked ${incoming.url}`);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gate-'));
  receivedRequests = [];
  upgradedSockets = [];
  handleRequest = respond;
  backend = createServer((incoming, outgoing) => {
    receivedRequests.push(incoming);
    handleRequest(incoming, outgoing);
  });
  backend.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    receivedRequests.push(incoming);
    upgradedSockets.push(socket);
    socket.on('error', () => socket.destroy());
    const accept = createHash('sha1')
      .update(`${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // Echo all bytes.
    socket.pipe(socket);
  });
  backend.listen(join(folder, 'behind.sock'));
  await once(backend, 'listening');
  gate = await openGate({
    port: 0,
    socketPath: join(folder, 'behind.sock'),
    token,
    basePath: '/base/',
    allowedHosts: [{ name: 'work.example' }],
  });
});
afterEach(async () => {
  await gate.stop();
  backend.closeAllConnections();
  for (const socket of upgradedSockets) {
    socket.destroy();
  }
  backend.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = '/base/x?y=1';
const getPageHeaders = (): OutgoingHttpHeaders => ({ host: `127.0.0.1:${gate.port}`, cookie });

async function sendRequest(
  headers: OutgoingHttpHeaders,
  body?: Buffer,
  target = path,
): Promise<IncomingMessage> {
  const outgoing = request({
    host: '127.0.0.1',
    port: gate.port,
    path: target,
    headers,
    method: body === undefined ? 'GET' : 'POST',
    agent: false,
  });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return response;
}

/** Sends the head of an upgrade and returns the socket, and the head of the response with any bytes that follow it. */
async function upgrade(
  headers: Record<string, string>,
  bytesAfterHead = '',
): Promise<{ socket: Socket; head: string }> {
  const all = {
    host: `localhost:${gate.port}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const socket = connect(gate.port, '127.0.0.1');
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n${bytesAfterHead}`);
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    const [chunk] = await once(socket, 'data');
    head += String(chunk);
  }
  return { socket, head };
}

describe('a request of the page', () => {
  test('is forwarded, and its response is returned', async () => {
    const response = await sendRequest({ ...getPageHeaders(), 'x-mine': 'a', te: 'trailers' });
    expect([response.statusCode, await text(response)]).toEqual([200, `you asked ${path}`]);
    expect(receivedRequests[0]?.headers).toMatchObject({
      host: `127.0.0.1:${gate.port}`,
      cookie,
      'x-mine': 'a',
    });
    expect(receivedRequests[0]?.headers.te).toBeUndefined();
  });

  test('sets the token as a cookie for its path only, so that servers on other ports of the machine do not get it', async () => {
    const response = await sendRequest(getPageHeaders());
    expect(response.headers['set-cookie']).toEqual([`${cookie}; SameSite=Lax; Path=/base/`, 'other=1']);
  });

  test('is forwarded under an allowed name, also from its own page', async () => {
    const response = await sendRequest({ host: 'work.example', cookie, origin: 'https://work.example' });
    expect(response.statusCode).toBe(200);
  });

  test('is forwarded with its body', async () => {
    handleRequest = (incoming, outgoing) => void incoming.pipe(outgoing);
    const response = await sendRequest({ ...getPageHeaders(), 'transfer-encoding': 'chunked' }, megabyte);
    expect(await text(response)).toHaveLength(megabyte.length);
  });
});

describe('the gate refuses, without reaching the server,', () => {
  test.each<[string, OutgoingHttpHeaders]>([
    ['a foreign Host', { host: 'evil.example' }],
    ['a foreign Origin', { origin: 'http://evil.example' }],
    ['the Origin "null"', { origin: 'null' }],
    ['no token', { cookie: '' }],
    ['a wrong token', { cookie: 'vscode-tkn=x' }],
  ])('a request and an upgrade with %s', async (_what, changedHeaders) => {
    const response = await sendRequest({ ...getPageHeaders(), ...changedHeaders });
    expect(response.statusCode).toBe(403);
    expect(response.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(await text(response)).toMatch(/^[A-Z].*[Oo]pen the .*\.\n$/);
    const { socket, head } = await upgrade({ cookie, ...(changedHeaders as Record<string, string>) });
    expect(head).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    socket.resume();
    await once(socket, 'close');
    expect(receivedRequests).toEqual([]);
  });

  test('a second request with a foreign Host on an admitted connection', async () => {
    const socket = connect(gate.port, '127.0.0.1');
    const admittedRequest = `GET ${path} HTTP/1.1\r\nHost: localhost:${gate.port}\r\nCookie: ${cookie}\r\n\r\n`;
    const foreignRequest = `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nCookie: ${cookie}\r\n\r\n`;
    socket.write(admittedRequest + foreignRequest);
    const responses = await text(socket);
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
    expect(receivedRequests).toHaveLength(1);
  });
});

describe('a WebSocket', () => {
  test('is forwarded, and transfers bytes in both directions, including bytes sent right after the headers', async () => {
    const { socket, head } = await upgrade({ cookie, origin: `http://localhost:${gate.port}` }, 'early ');
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head).toMatch(/sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/i);
    let echo = head.slice(head.indexOf('\r\n\r\n') + 4);
    socket.write('late');
    while (echo !== 'early late') {
      const [chunk] = await once(socket, 'data');
      echo += String(chunk);
    }
    socket.destroy();
  });

  test('is closed if the server declines it, so that nothing is forwarded after it', async () => {
    backend.removeAllListeners('upgrade');
    const { socket, head } = await upgrade(
      { cookie },
      `GET /base/smuggled HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    );
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    socket.resume();
    await once(socket, 'close');
    expect(receivedRequests.map(({ url }) => url)).toEqual([path]);
  });

  test('is closed on one side when the other side closes it', async () => {
    const { socket } = await upgrade({ cookie });
    socket.destroy();
    await once(expectDefined(upgradedSockets[0]), 'close');
    const { socket: otherSocket } = await upgrade({ cookie });
    upgradedSockets[1]?.destroy();
    otherSocket.resume();
    await once(otherSocket, 'close');
  });
});

test("the gate releases a refused connection even if the client doesn't close its side", async () => {
  const socket = connect({ port: gate.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  socket.resume();
  await once(socket, 'end');
  // Once no process holds the connection, the operating system resets it.
  const connectionReset = new Promise<void>((resolve) => {
    socket.on('error', () => resolve());
  });
  const write = (): void => {
    if (!socket.destroyed) {
      socket.write('x', () => setImmediate(write));
    }
  };
  write();
  await connectionReset;
});

describe('streams', () => {
  test('a server writes no faster than the page reads', async () => {
    const chunkCount = 100;
    let written = 0;
    handleRequest = (incoming, outgoing) => {
      if (incoming.url !== path) {
        outgoing.end();
        return;
      }
      const fill = (): void => {
        while (written < chunkCount) {
          written += 1;
          if (!outgoing.write(megabyte)) {
            outgoing.once('drain', fill);
            return;
          }
        }
        outgoing.end();
      };
      fill();
    };
    const response = await sendRequest(getPageHeaders());
    // The page doesn't read during many round trips, so the server can only fill the buffers between the two.
    for (let roundTrip = 0; roundTrip < 2 * chunkCount; roundTrip += 1) {
      (await sendRequest(getPageHeaders(), undefined, '/base/turn')).resume();
    }
    expect(written).toBeLessThan(chunkCount / 3);
    let received = 0;
    for await (const chunk of response) {
      received += (chunk as Buffer).length;
    }
    expect(received).toBe(chunkCount * megabyte.length);
  });

  test('a page that disconnects ends the request to the server', async () => {
    const disconnected = new Promise<void>((resolve) => {
      handleRequest = (_incoming, outgoing) => {
        outgoing.write('first');
        outgoing.once('close', resolve);
      };
    });
    const response = await sendRequest(getPageHeaders());
    response.on('error', () => undefined);
    response.destroy();
    await disconnected;
  });

  test("a server that aborts its response aborts the page's response", async () => {
    handleRequest = (_incoming, outgoing) => {
      outgoing.setHeader('content-length', 1000).write('first', () => outgoing.destroy());
    };
    await expect(text(await sendRequest(getPageHeaders()))).rejects.toThrow('aborted');
  });
});

test('the gate responds with 502 if there is no server', async () => {
  backend.close();
  const response = await sendRequest(getPageHeaders());
  expect(response.statusCode).toBe(502);
  const { head } = await upgrade({ cookie });
  expect(head).toMatch(/^HTTP\/1\.1 502 /);
});

test('an upgrade to something other than a WebSocket is an ordinary request', async () => {
  const response = await sendRequest({ ...getPageHeaders(), connection: 'Upgrade', upgrade: 'h2c' });
  expect(response.statusCode).toBe(200);
  expect(receivedRequests[0]?.headers.upgrade).toBeUndefined();
});

test('a port that is in use is an error', async () => {
  const options = { socketPath: join(folder, 'behind.sock'), token, basePath: '/base/', allowedHosts: [] };
  await expect(openGate({ ...options, port: gate.port })).rejects.toThrow(
    `The editor can't use port ${gate.port}: it's already in use. Use another port, or omit --port.`,
  );
});

test('stop ends requests and WebSockets in progress, and may be called twice', async () => {
  const requestReceived = new Promise<void>((resolve) => {
    handleRequest = () => resolve();
  });
  const reply = sendRequest(getPageHeaders());
  const refused = expect(reply).rejects.toThrow('socket hang up');
  await requestReceived;
  const { socket } = await upgrade({ cookie });
  socket.resume();
  const closed = once(socket, 'close');
  await Promise.all([gate.stop(), gate.stop()]);
  await Promise.all([refused, closed, once(expectDefined(upgradedSockets[0]), 'close')]);
});
