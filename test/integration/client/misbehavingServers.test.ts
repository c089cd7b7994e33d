import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { closedPort, startTestServer } from '../../support/testServer.ts';
import { respond, expectFailure, session, useServers } from './servers.ts';

const { closeAfterTest, startServer, connect } = useServers();

describe('unreachable servers', () => {
  test('without a listener, the connection is refused, and a write has had no effect', async () => {
    const realClient = connect(`http://127.0.0.1:${closedPort}`);
    const error = await expectFailure(realClient.client.datamodels.create({ title: 'X' }), realClient);
    expect(error).toMatchObject({ name: 'NetworkError', kind: 'refused', mayHaveTakenEffect: false });
  });

  test('an unknown host name is a DNS error', async () => {
    const realClient = connect('http://no-such-host.invalid');
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      kind: 'dns',
      remedy: 'check-address',
    });
  });

  test('a server that does not speak HTTP causes a network error without a second attempt', async () => {
    const server = closeAfterTest(
      await startTestServer(createNetServer((socket) => void socket.end('SSH-2.0-Other\r\n'))),
    );
    const realClient = connect(server.url);
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      name: 'NetworkError',
      kind: 'unknown',
    });
    expect(server.countConnections()).toBe(1);
  });

  test('if a server closes each connection at once, a GET is sent three times and a POST once', async () => {
    const server = closeAfterTest(
      await startTestServer(createNetServer((socket) => void socket.on('data', () => socket.destroy()))),
    );
    const realClient = connect(server.url);
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      kind: 'reset',
      mayHaveTakenEffect: false,
    });
    expect(server.countConnections()).toBe(3);
    const error = await expectFailure(realClient.client.datamodels.create({ title: 'X' }), realClient);
    expect(error).toMatchObject({ kind: 'reset', mayHaveTakenEffect: true, remedy: 'look-before-repeating' });
    expect(server.countConnections()).toBe(4);
  });
});

test('a wrong token is an unauthorized error, and masked in the message of the server', async () => {
  const server = await startServer((request, response) => {
    const isTokenRight = request.headers.authorization === 'Bearer right';
    respond(
      response,
      isTokenRight ? session : `{"error":{"message":"Bad token ${request.headers.authorization}"}}`,
      isTokenRight ? 200 : 401,
    );
  });
  const realClient = connect(server.url);
  const error = await expectFailure(realClient.client.session.check(), realClient);
  expect(error).toMatchObject({
    code: 'unauthorized',
    remedy: 'sign-in',
    serverMessage: 'Bad token Bearer •••',
  });
});

describe('invalid responses', () => {
  const cases: readonly [string, RequestListener, object][] = [
    [
      'a web page',
      (_request, response) =>
        respond(response, '<html><h1>Sign in</h1></html>', 200, { 'content-type': 'text/html' }),
      { problem: 'html', serverMessage: 'Sign in', remedy: 'check-address' },
    ],
    ['an empty body', (_request, response) => respond(response, ''), { problem: 'empty' }],
    [
      'a truncated document',
      (_request, response) => respond(response, '[{"oid":"m","ti'),
      { problem: 'truncated' },
    ],
    [
      'letters in another encoding',
      (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(Buffer.from('[{"oid":"m","title":"Umsätze"}]', 'latin1')),
      { problem: 'not-utf-8', code: 'answer-not-utf-8', remedy: 'check-address' },
    ],
    [
      'a list of something else',
      (_request, response) => respond(response, '[{"oid":7}]'),
      { name: 'PartialResponseError', problem: 'wrong-shape', path: [0, 'oid'] },
    ],
  ];

  test.each(cases)('%s is a schema error that names the problem', async (_name, handler, expected) => {
    const realClient = connect((await startServer(handler)).url);
    expect(await expectFailure(realClient.client.datamodels.list(), realClient)).toMatchObject({
      name: 'SchemaError',
      ...expected,
    });
  });

  test('a body that ends in the middle is a broken connection', async () => {
    let requestCount = 0;
    const server = await startServer((_request, response) => {
      requestCount += 1;
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"isauth', () => response.destroy());
    });
    const realClient = connect(server.url);
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      kind: 'reset',
    });
    expect(requestCount).toBe(3);
    expect(
      await expectFailure(realClient.client.datamodels.create({ title: 'X' }), realClient),
    ).toMatchObject({
      mayHaveTakenEffect: true,
    });
    expect(requestCount).toBe(4);
  });

  test('reads compressed bodies, and reports broken ones', async () => {
    const compressed = gzipSync(session);
    const server = await startServer((request, response) => {
      const gzip = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
      response
        .writeHead(200, gzip)
        .end(request.url === '/api/v2/builds' ? compressed.subarray(0, 12) : compressed);
    });
    const realClient = connect(server.url);
    expect((await realClient.client.session.check()).text).toBe(session);
    expect(await expectFailure(realClient.client.builds.list(), realClient)).toMatchObject({
      name: 'NetworkError',
    });
  });

  test('a byte order mark is accepted, but bytes that are not UTF-8 are an error', async () => {
    const bodies = [Buffer.from(`\ufeff${session}`), Buffer.from([0x7b, 0xff, 0xfe, 0x7d])];
    const server = await startServer((_request, response) => {
      response.end(bodies.shift());
    });
    const realClient = connect(server.url);
    expect((await realClient.client.session.check()).value.isauthenticated).toBe(true);
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      name: 'SchemaError',
    });
  });
});

describe('busy servers', () => {
  test('a request that got 429 with Retry-After is retried after that time', async () => {
    const events: string[] = [];
    const server = await startServer((_request, response) => {
      const isFirst = !events.includes('answered 429');
      events.push(isFirst ? 'answered 429' : 'answered 200');
      respond(response, isFirst ? '{}' : session, isFirst ? 429 : 200, { 'retry-after': '17' });
    });
    const clock: Clock = {
      now: () => systemClock.now(),
      schedule: (delayMs, callback) => {
        const isPause = delayMs === 17_000;
        return systemClock.schedule(isPause ? 0 : delayMs, () => {
          events.push(`waited ${delayMs} ms`);
          callback();
        });
      },
    };
    const { client } = connect(server.url, { deps: { clock, random: () => 0 } });
    expect((await client.session.check()).value.isauthenticated).toBe(true);
    expect(events).toEqual(['answered 429', 'waited 17000 ms', 'answered 200']);
  });

  test('429 on a POST is reported with the requested delay, and the POST is not retried', async () => {
    let requestCount = 0;
    const server = await startServer((_request, response) => {
      requestCount += 1;
      respond(response, '{}', 429, { 'retry-after': '1' });
    });
    const realClient = connect(server.url);
    expect(
      await expectFailure(realClient.client.datamodels.create({ title: 'X' }), realClient),
    ).toMatchObject({
      retryAfterMs: 1000,
    });
    expect(requestCount).toBe(1);
  });

  test('500 on every third call fails only these calls', async () => {
    let requestCount = 0;
    const server = await startServer((_request, response) => {
      requestCount += 1;
      respond(
        response,
        requestCount % 3 === 0 ? '{"title":"Oops"}' : session,
        requestCount % 3 === 0 ? 500 : 200,
      );
    });
    const realClient = connect(server.url);
    const results: string[] = [];
    for (let call = 1; call <= 6; call += 1) {
      results.push(
        await realClient.client.session.check().then(
          () => 'ok',
          (error: unknown) => String(Reflect.get(Object(error), 'code')),
        ),
      );
    }
    expect(results).toEqual(['ok', 'ok', 'server-error', 'ok', 'ok', 'server-error']);
    expect(requestCount).toBe(6);
  });

  test('a server that hangs before its headers or in its body ends in a timeout', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/api/v2/builds') {
        response.writeHead(200).write('[');
      }
    });
    const realClient = connect(server.url, { deps: { timeoutMs: 150 } });
    const timeout = { name: 'TimeoutError', phase: 'total', timeoutMs: 150 };
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject(timeout);
    expect(await expectFailure(realClient.client.builds.list(), realClient)).toMatchObject(timeout);
  });

  test('a server that never answers the TLS handshake ends in a connect timeout', async () => {
    const server = closeAfterTest(await startTestServer(createNetServer({ pauseOnConnect: true })));
    const realClient = connect(server.url.replace('http:', 'https:'), {
      transport: { connectTimeoutMs: 300 },
    });
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      name: 'TimeoutError',
      phase: 'connect',
    });
  });
});

describe('responses that are too long', () => {
  test('are not read at all if they announce a body of 2 GB', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 31) });
      response.write('[');
    });
    const realClient = connect(server.url);
    expect(await expectFailure(realClient.client.datamodels.list(), realClient)).toMatchObject({
      name: 'TooLargeError',
      limitBytes: 64 * 1024 * 1024,
    });
  });

  test('are aborted at the limit if they are endless, and their connection is closed', async () => {
    let sentBytes = 0;
    const closed = Promise.withResolvers<void>();
    const server = await startServer((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, '0,');
      response.once('close', closed.resolve);
      response.writeHead(200);
      const pump = (): void => {
        while (!response.destroyed && response.write(chunk)) {
          sentBytes += chunk.length;
        }
      };
      response.on('drain', pump);
      pump();
    });
    const realClient = connect(server.url, { transport: { limitBytes: 1_000_000 } });
    expect(await expectFailure(realClient.client.datamodels.list(), realClient)).toMatchObject({
      name: 'TooLargeError',
      limitBytes: 1e6,
    });
    await closed.promise;
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  test('are refused if a small body decompresses to a large one', async () => {
    const compressedBody = gzipSync(Buffer.alloc(20_000_000, ' '));
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(compressedBody);
    });
    const realClient = connect(server.url, { transport: { limitBytes: 1_000_000 } });
    expect(await expectFailure(realClient.client.datamodels.list(), realClient)).toMatchObject({
      name: 'TooLargeError',
    });
  });
});

describe('redirects', () => {
  test('of a POST are not followed, and nothing is sent to the other address', async () => {
    let redirectedRequests = 0;
    const otherServer = await startServer((_request, response) => {
      redirectedRequests += 1;
      respond(response, session);
    });
    const server = await startServer((_request, response) =>
      respond(response, '', 307, { location: `${otherServer.url}/x` }),
    );
    const realClient = connect(server.url);
    const write = await expectFailure(realClient.client.datamodels.create({ title: 'X' }), realClient);
    expect(write).toMatchObject({
      name: 'RedirectError',
      reason: 'write',
      status: 307,
      targetOrigin: otherServer.url,
    });
    const read = await expectFailure(realClient.client.session.check(), realClient);
    expect(read).toMatchObject({
      reason: 'other-origin',
      targetOrigin: otherServer.url,
      remedy: 'check-address',
    });
    expect(redirectedRequests).toBe(0);
  });
});

describe('on the wire', () => {
  test('sends names and queries exactly, and the body as UTF-8 JSON', async () => {
    const receivedRequests: string[] = [];
    const server = await startServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) {
          chunks.push(chunk as Buffer);
        }
        receivedRequests.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
        respond(response, '[]');
      })();
    });
    const { client } = connect(server.url);
    await client.extractRules.listByColumn({
      server: 'set',
      elasticube: 'a/b',
      table: 'T %2e%2e',
      column: 'Größe?#',
    });
    await client.customData.deleteMatching({ name: 'Größe' });
    expect(receivedRequests).toEqual([
      'GET /api/elasticubes/set/a%2Fb/datasecurity/T%20%252e%252e/Gr%C3%B6%C3%9Fe%3F%23 ',
      'DELETE /api/v1/custom_data/query {"name":"Größe"}',
    ]);
  });

  test('repeats no POST on a connection that the server closed while idle', async () => {
    let posts = 0;
    const server = await startServer((request, response) => {
      posts += request.method === 'POST' ? 1 : 0;
      respond(response, '{}');
      response.once('finish', () => setImmediate(() => request.socket.destroy()));
    });
    const { client } = connect(server.url);
    for (let call = 0; call < 5; call += 1) {
      await client.datamodels.create({ title: 'X' }).catch(() => undefined);
    }
    expect(posts).toBeLessThanOrEqual(5);
  });

  test('closes the connection of an aborted call', async () => {
    const arrived = Promise.withResolvers<IncomingMessage>();
    const server = await startServer((request) => arrived.resolve(request));
    const realClient = connect(server.url);
    const controller = new AbortController();
    const call = expectFailure(
      realClient.client.datamodels.create({ title: 'X' }, controller.signal),
      realClient,
    );
    const request = await arrived.promise;
    const closed = once(request.socket, 'close');
    controller.abort();
    expect(await call).toMatchObject({ name: 'CanceledError', mayHaveTakenEffect: true });
    await closed;
  });

  test('sends nothing after dispose', async () => {
    const server = await startServer((_request, response) => respond(response, session));
    const realClient = connect(server.url);
    await realClient.client.session.check();
    realClient.client.dispose();
    expect(await expectFailure(realClient.client.session.check(), realClient)).toMatchObject({
      name: 'ConnectionClosedError',
    });
  });
});
