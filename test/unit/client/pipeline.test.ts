import { describe, expect, test } from 'vitest';
import { TransportFailure, type TransportFailureKind } from '../../../src/client/transport.ts';
import { createHangingTransport } from '../../fakes/memoryTransport.ts';
import { getFailure, json, createTestClient, token } from './support.ts';

const model = { oid: 'm', title: 'Retail' };
const createProblem = (title: string, detail: string) => ({ type: 'x', title, status: 0, sub: 1, detail });

describe('the meaning of a status', () => {
  test.each([
    [400, 'rejected', 'fix-input'],
    [401, 'unauthorized', 'sign-in'],
    [403, 'forbidden', 'ask-administrator'],
    [404, 'not-found', 'reload'],
    [409, 'conflict', 'reload'],
    [413, 'request-too-large', 'make-smaller'],
    [429, 'too-many-requests', 'wait'],
    [500, 'server-error', 'wait'],
  ] as const)('the status %i has a code and a remedy', async (status, code, remedy) => {
    const { client } = createTestClient(json(createProblem('Title', 'Some detail'), status), {
      retry: { maxAttempts: 1, maxFirstPauseMs: 1, maxPauseMs: 1, maxRetryAfterMs: 1 },
    });
    const error = await getFailure(client.datamodels.get({ datamodelId: 'm' }));
    expect(error).toMatchObject({ name: 'HttpError', code, remedy, status, serverMessage: 'Some detail' });
    expect(error.message).toBe(`GET /api/v2/datamodels/m (datamodels.get) answered ${status} [sub 1]`);
  });

  test('each status sets exactly the matching properties of the error', async () => {
    const getTrueFlags = async (status: number) => {
      const { client } = createTestClient(json({}, status));
      const error = await getFailure(client.datamodels.create({ title: 'X' }));
      return [
        'isUnauthorized',
        'isForbidden',
        'isNotFound',
        'isConflict',
        'isTooLarge',
        'isTooManyRequests',
      ].filter((name) => Reflect.get(error, name) === true);
    };
    expect(await Promise.all([401, 403, 404, 409, 413, 429, 500].map(getTrueFlags))).toEqual([
      ['isUnauthorized'],
      ['isForbidden'],
      ['isNotFound'],
      ['isConflict'],
      ['isTooLarge'],
      ['isTooManyRequests'],
      [],
    ]);
  });

  test('a 403 for rules means that only administrators may change them [spec: auth.rules-administrator]', async () => {
    const { client } = createTestClient(json({}, 403));
    expect((await getFailure(client.extractRules.delete({ ruleId: 'r' }))).code).toBe(
      'administrator-required',
    );
    expect((await getFailure(client.viewpoints.delete({ viewpointId: 'v' }))).code).toBe('forbidden');
  });

  test.each([
    ['{"error":{"code":5001,"message":"Invalid domain."}}', 'Invalid domain.'],
    ['{"message":"Plain message"}', 'Plain message'],
    ['{"title":"ValidationError"}', 'ValidationError'],
    ['Elasticube has not been found', 'Elasticube has not been found'],
    ['<html><style>p{}</style><body><h1>Bad</h1> Gateway</body></html>', 'Bad Gateway'],
    // Only whole tags are removed, which also takes linear time for a text of opening angle brackets.
    ['<p>Expected rows < 5, <b>got</b> 7</p>', 'Expected rows < 5, got 7'],
    [`long ${'x'.repeat(500)}`, `long ${'x'.repeat(295)}`],
    ['', undefined],
  ])('the message is found in the body %.40s', async (body, serverMessage) => {
    const { client } = createTestClient({ status: 400, body });
    expect(await getFailure(client.session.check())).toMatchObject({ serverMessage });
  });

  test("the token is masked in the server's message", async () => {
    const { client } = createTestClient(json({ detail: `bad token ${token}` }, 401));
    const error = await getFailure(client.session.check());
    expect(error).toMatchObject({ serverMessage: 'bad token •••' });
    expect(error.message).not.toContain(token);
  });

  test("the token is masked where the server's message is cut off, too", async () => {
    const { client } = createTestClient(json({ detail: `${'x'.repeat(290)} ${token}` }, 401));
    const error = await getFailure(client.session.check());
    expect(error).toMatchObject({ serverMessage: `${'x'.repeat(290)} •••` });
  });

  test('the text of an unstructured body is not part of the error message', async () => {
    const { client } = createTestClient({ status: 400, body: 'customer 4711 is unknown' });
    const error = await getFailure(client.session.check());
    expect(error.message).not.toContain('4711');
    expect(error).toMatchObject({
      serverMessage: 'customer 4711 is unknown',
      status: 400,
    });
  });
});

describe('a version that explains a 404 [spec: version.viewpoints] [spec: version.schema-origin] [spec: version.api-v2]', () => {
  const expressResponse = {
    status: 404,
    body: '<pre>Cannot GET</pre>',
    headers: { 'content-type': 'text/html' },
  };

  test('is L2023.11 with the license for viewpoints', async () => {
    const { client } = createTestClient(expressResponse);
    const error = await getFailure(client.viewpoints.list());
    expect(error).toMatchObject({
      code: 'needs-version',
      remedy: 'check-version',
      versionHint: { feature: 'viewpoints', since: 'L2023.11', license: 'assistant-apps' },
      status: 404,
    });
    expect((await getFailure(client.viewpoints.get({ viewpointId: 'v' }))).code).toBe('not-found');
  });

  test('is L2021.3 for schemaOrigin, and L8.1 for API v2', async () => {
    const { client } = createTestClient(expressResponse);
    const build = { datamodelId: 'm', buildType: 'full' } as const;
    expect(await getFailure(client.builds.start({ ...build, schemaOrigin: 'running' }))).toMatchObject({
      versionHint: { feature: 'schemaOrigin', since: 'L2021.3' },
    });
    expect(await getFailure(client.builds.start(build))).toMatchObject({ versionHint: { since: 'L8.1' } });
    expect(await getFailure(client.datamodels.list())).toMatchObject({ versionHint: { feature: 'apiV2' } });
  });

  test('is not named if a problem body proves that the endpoint exists', async () => {
    const { client } = createTestClient(json(createProblem('NotFound', 'No such datamodel'), 404));
    expect(await getFailure(client.builds.start({ datamodelId: 'm', buildType: 'full' }))).toMatchObject({
      code: 'not-found',
      versionHint: undefined,
    });
  });
});

describe('failures of the transport', () => {
  test.each([
    ['dns', 'NetworkError', 'network-dns', 'check-address'],
    ['refused', 'NetworkError', 'network-refused', 'check-address'],
    ['reset', 'NetworkError', 'network-reset', 'repeat'],
    ['tls', 'NetworkError', 'network-tls', 'check-certificate'],
    ['proxy', 'NetworkError', 'network-proxy', 'check-proxy'],
    ['unknown', 'NetworkError', 'network-unknown', 'check-network'],
    ['timeout', 'TimeoutError', 'timeout', 'repeat'],
    ['too-large', 'TooLargeError', 'answer-too-large', 'none'],
    ['aborted', 'CanceledError', 'canceled', 'none'],
  ] as const)(
    'of kind %s are errors with a code and a remedy',
    async (kind: TransportFailureKind, name, code, remedy) => {
      const { client, clock } = createTestClient(
        () => new TransportFailure(kind, { mayHaveBeenSent: true, limitBytes: 7 }),
      );
      const read = getFailure(client.session.check());
      await clock.advance(60_000);
      expect(await read).toMatchObject({ name, code, remedy, mayHaveTakenEffect: false });
      const write = await getFailure(client.datamodels.create({ title: 'X' }));
      expect(write).toMatchObject({ name, mayHaveTakenEffect: true, remedy: 'look-before-repeating' });
    },
  );

  test('a write that was never sent cannot have happened', async () => {
    const { client } = createTestClient(() => new TransportFailure('refused', { mayHaveBeenSent: false }));
    const error = await getFailure(client.datamodels.create({ title: 'X' }));
    expect(error).toMatchObject({ mayHaveTakenEffect: false, remedy: 'check-address' });
  });

  test('any other error of a transport becomes a NetworkError with its cause', async () => {
    const cause = new RangeError('odd');
    const { client } = createTestClient(() => cause);
    expect(await getFailure(client.session.check())).toMatchObject({ code: 'network-unknown', cause });
  });
});

describe('timeouts and cancellation', () => {
  test('a call to a server that hangs ends in a TimeoutError after the given time', async () => {
    const { client, clock } = createTestClient(json({}), {
      transport: createHangingTransport(),
      timeoutMs: 5000,
    });
    const call = getFailure(client.session.check());
    await clock.advance(4999);
    expect(clock.timerCount).toBe(1);
    await clock.advance(1);
    expect(await call).toMatchObject({ name: 'TimeoutError', phase: 'total', timeoutMs: 5000 });
    expect(clock.timerCount).toBe(0);
  });

  test('a call whose token source hangs ends in a TimeoutError, and nothing is sent', async () => {
    const { client, clock, transport } = createTestClient(json({}), {
      tokenSource: () => new Promise(() => {}),
    });
    const call = getFailure(client.datamodels.create({ title: 'X' }));
    await clock.advance(60_000);
    expect(await call).toMatchObject({ name: 'TimeoutError', mayHaveTakenEffect: false });
    expect(transport.requests).toEqual([]);
  });

  test('the caller can cancel a call in progress, even if the transport ignores the signal', async () => {
    const transport = createHangingTransport();
    const { client } = createTestClient(json({}), { transport });
    const controller = new AbortController();
    const call = getFailure(client.datamodels.create({ title: 'X' }, controller.signal));
    await transport.waitForRequests(1);
    controller.abort();
    expect(await call).toMatchObject({ name: 'CanceledError' });
  });

  test('dispose cancels everything and closes the transport', async () => {
    const { client, transport } = createTestClient(() => new Promise<never>(() => {}));
    const calls = [getFailure(client.session.check()), getFailure(client.builds.list())];
    await transport.waitForRequests(2);
    client.dispose();
    // The callers have canceled nothing, so they get an error.
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual([
      'connection-closed',
      'connection-closed',
    ]);
    expect(transport.isDisposed).toBe(true);
  });
});

describe('tokens', () => {
  test.each(['two words', 'line\nbreak', 'ümlaut'])(
    'a token that no header can contain is rejected: %j',
    async (invalidToken) => {
      const { client, transport, log } = createTestClient(json({}), {
        tokenSource: () => Promise.resolve(invalidToken),
      });
      const error = await getFailure(client.session.check());
      expect(error).toMatchObject({ name: 'SignedOutError', code: 'bad-token', remedy: 'sign-in' });
      expect(`${error.message}${log.text}`).not.toContain(invalidToken);
      expect(transport.requests).toEqual([]);
    },
  );

  test('a token source that fails counts as signed out, with the cause', async () => {
    const cause = new Error('locked');
    const { client } = createTestClient(json({}), { tokenSource: () => Promise.reject(cause) });
    expect(await getFailure(client.session.check())).toMatchObject({ code: 'signed-out', cause });
  });
});

describe('redirects', () => {
  const redirectTo = (location: string | undefined, status = 302) =>
    ({ status, headers: location === undefined ? {} : { location } }) as const;

  test('a GET follows a redirect within its origin', async () => {
    const { client, transport } = createTestClient((_request, index) =>
      index === 0 ? redirectTo('/elsewhere?x=1', 307) : json({ isauthenticated: true }),
    );
    expect((await client.session.check()).value.isauthenticated).toBe(true);
    expect(transport.requestLines).toEqual(['GET /api/auth/isauth', 'GET /elsewhere?x=1']);
  });

  test.each([
    ['https://other.example.com/api', 'other-origin', 'https://other.example.com'],
    ['http://bi.example.com/api/auth/isauth', 'other-origin', 'http://bi.example.com'],
    ['https://bi.example.com.evil.example/', 'other-origin', 'https://bi.example.com.evil.example'],
    ['https://user:pw@bi.example.com/', 'other-origin', 'https://bi.example.com'],
    ['//evil.example/x', 'other-origin', 'https://evil.example'],
    ['http://[', 'unreadable', undefined],
    [undefined, 'unreadable', undefined],
    ['/api/auth/isauth', 'too-many', 'https://bi.example.com'],
  ])('a GET does not follow a redirect to %s', async (location, reason, origin) => {
    const { client, transport } = createTestClient(redirectTo(location));
    const error = await getFailure(client.session.check());
    expect(error).toMatchObject({
      name: 'RedirectError',
      status: 302,
      reason,
      targetOrigin: origin,
      remedy: 'check-address',
    });
    expect(transport.requests.every(({ url }) => url.startsWith('https://bi.example.com/'))).toBe(true);
    expect(error.message).not.toContain('pw');
  });

  test.each([301, 302, 303, 307, 308])(
    'a write never follows a redirect with the status %i',
    async (status) => {
      const { client, transport } = createTestClient(redirectTo('/api/v2/datamodels/', status));
      const error = await getFailure(client.datamodels.create({ title: 'X' }));
      expect(error).toMatchObject({ name: 'RedirectError', reason: 'write', status });
      expect(transport.requests).toHaveLength(1);
    },
  );

  test('a 304 is neither a redirect nor a success', async () => {
    const { client } = createTestClient({ status: 304 });
    const failure = await getFailure(client.session.check());
    expect(failure).toMatchObject({
      name: 'HttpError',
      status: 304,
      code: 'server-error',
      isNotFound: false,
    });
  });
});

describe('the guard', () => {
  test('is asked again when a waiting write gets its turn', async () => {
    let isLocked = false;
    const guardAsked = Promise.withResolvers<void>();
    const firstReleased = Promise.withResolvers<void>();
    const { client, transport } = createTestClient(
      async () => {
        await firstReleased.promise;
        return json([]);
      },
      {
        concurrency: 1,
        guard: {
          getRefusal: () => {
            guardAsked.resolve();
            return isLocked ? 'locked' : undefined;
          },
        },
      },
    );
    const first = client.builds.list();
    const second = getFailure(client.datamodels.create({ title: 'X' }));
    // The guard is asked only about writes.
    await guardAsked.promise;
    isLocked = true;
    firstReleased.resolve();
    await first;
    expect(await second).toMatchObject({ name: 'ReadOnlyError', code: 'locked', remedy: 'unlock' });
    expect(transport.requestLines).toEqual(['GET /api/v2/builds']);
  });
});

describe('the limit on requests in progress', () => {
  test('is not exceeded, and the requests are sent in order', async () => {
    let running = 0;
    let maxRunning = 0;
    const { client, transport } = createTestClient(
      async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await new Promise<void>((resolve) => setImmediate(resolve));
        running -= 1;
        return json(model);
      },
      { concurrency: 3 },
    );
    const ids = Array.from({ length: 12 }, (_each, index) => `m${index}`);
    await Promise.all(ids.map((datamodelId) => client.datamodels.get({ datamodelId })));
    expect(maxRunning).toBe(3);
    expect(transport.requestLines).toEqual(ids.map((id) => `GET /api/v2/datamodels/${id}`));
  });

  test('a request that is canceled while it waits sends nothing and does not block the others', async () => {
    const gate = Promise.withResolvers<void>();
    const { client, transport } = createTestClient(
      async () => {
        await gate.promise;
        return json(model);
      },
      { concurrency: 1 },
    );
    const controller = new AbortController();
    const first = client.datamodels.get({ datamodelId: 'a' });
    const second = getFailure(client.datamodels.get({ datamodelId: 'b' }, controller.signal));
    const third = client.datamodels.get({ datamodelId: 'c' });
    controller.abort();
    expect((await second).code).toBe('canceled');
    gate.resolve();
    await Promise.all([first, third]);
    expect(transport.requestLines).toEqual(['GET /api/v2/datamodels/a', 'GET /api/v2/datamodels/c']);
  });
});

test('the log contains method, operation, template, status, time, size and attempt, and nothing more', async () => {
  const { client, log } = createTestClient(json([]));
  await client.groups.find('Secret Group');
  expect(log.entries).toEqual([
    {
      level: 'debug',
      tag: 'http',
      message: 'answered',
      fields: {
        endpoint: 'groups.find',
        method: 'GET',
        path: '/api/v1/groups',
        attempt: 1,
        status: 200,
        bytes: 2,
        ms: 0,
      },
    },
  ]);
});
