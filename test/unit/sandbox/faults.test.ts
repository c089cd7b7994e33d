import { describe, expect, test } from 'vitest';
import { createSandbox } from './support.ts';

const faultsPath = '/sandbox/faults';
const dataPath = '/api/v1/custom_data';

test('only administrators change the faults, and an invalid list changes nothing', async () => {
  const { send } = createSandbox();
  expect((await send('GET', faultsPath)).body).toEqual({ faults: [] });
  const faults = [{ kind: 'latency', ms: 5, pathPrefix: '/api/v2' }];
  expect((await send('PUT', faultsPath, { faults })).body).toEqual({ faults });
  expect((await send('GET', faultsPath)).body).toEqual({ faults });
  expect((await send('PUT', faultsPath, { faults: [] }, { as: 'user' })).status).toBe(403);
  expect((await send('GET', faultsPath, undefined, { as: 'nobody' })).status).toBe(401);
  for (const body of [
    {},
    { faults: [{ kind: 'fire' }] },
    { faults: [{ kind: 'latency' }] },
    { faults: [{ kind: 'drop', ms: 1 }] },
    [],
  ]) {
    expect((await send('PUT', faultsPath, body)).status).toBe(400);
  }
  expect((await send('GET', faultsPath)).body).toEqual({ faults });
});

test.each([
  [{}, 'faults: required'],
  [[], 'The body: expected an object'],
  [{ faults: 7 }, 'faults: expected an array'],
  [{ faults: [{ kind: 'latency' }] }, 'faults/0/ms: required'],
  [{ faults: [{ kind: 'latency', ms: 'x' }] }, 'faults/0/ms: expected a number'],
  [{ faults: [{ kind: 'latency', ms: 1.5 }] }, 'faults/0/ms: expected a whole number'],
  [{ faults: [{ kind: 'latency', ms: -1 }] }, 'faults/0/ms: expected at least 0'],
  [{ faults: [{ kind: 'status', status: 600 }] }, 'faults/0/status: expected at most 599'],
  [{ faults: [{ kind: 'drop', ms: 1 }] }, 'faults/0: unknown property ms'],
  [{ faults: [{ kind: 'drop', when: 'now' }] }, 'faults/0/when: expected one of before, after'],
] as const)('the problem of invalid faults is named: %j', async (body, detail) => {
  const { send } = createSandbox();
  expect((await send('PUT', faultsPath, body)).body.detail).toBe(detail);
});

test('the error about an unknown kind of fault names the valid kinds', async () => {
  const { send } = createSandbox();
  const reply = await send('PUT', faultsPath, { faults: [{ kind: 'fire' }] });
  expect(reply.body.detail).toMatch(/^faults\/0\/kind: expected one of latency, status, tooManyRequests, /);
});

test('the sandbox’s own paths are exempt, so that faults can be switched off', async () => {
  const { send, faults } = createSandbox();
  faults.set([{ kind: 'status', status: 500 }]);
  expect((await send('GET', dataPath)).status).toBe(500);
  expect((await send('PUT', faultsPath, { faults: [] })).status).toBe(200);
  expect((await send('GET', dataPath)).status).toBe(200);
});

describe('requests affected by a fault', () => {
  test('are those with its path prefix and method', async () => {
    const { send, faults } = createSandbox();
    faults.set([{ kind: 'status', status: 503, pathPrefix: '/api/v1/custom', methods: ['POST'] }]);
    expect((await send('GET', dataPath)).status).toBe(200);
    expect((await send('POST', dataPath, {})).status).toBe(503);
    expect((await send('POST', '/api/v2/datamodels', { title: 'x' })).status).toBe(201);
  });

  test('are every nth one, a fraction of all, or the first few', async () => {
    const { send, faults } = createSandbox();
    const getStatuses = async (count: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) {
        statuses.push((await send('GET', dataPath)).status);
      }
      return statuses;
    };
    faults.set([{ kind: 'status', status: 500, every: 3 }]);
    expect(await getStatuses(7)).toEqual([200, 200, 500, 200, 200, 500, 200]);
    faults.set([{ kind: 'status', status: 500, rate: 0.25 }]);
    expect((await getStatuses(40)).filter((status) => status === 500)).toHaveLength(10);
    faults.set([{ kind: 'status', status: 500, count: 2 }]);
    expect(await getStatuses(4)).toEqual([500, 500, 200, 200]);
    faults.set([{ kind: 'status', status: 500, rate: 0 }]);
    expect(await getStatuses(3)).toEqual([200, 200, 200]);
  });
});

describe('kinds of faults', () => {
  test('latency delays the real response', async () => {
    const { send, faults, clock } = createSandbox();
    faults.set([
      { kind: 'latency', ms: 300 },
      { kind: 'latency', ms: 200 },
    ]);
    const reply = send('GET', dataPath);
    await clock.advance(0);
    expect(clock.nextDelay).toBe(500);
    await clock.advance(500);
    expect((await reply).body).toEqual([]);
  });

  test('an error has the body format of its part of the API', async () => {
    const { send, faults } = createSandbox();
    faults.set([{ kind: 'status', status: 500 }]);
    expect((await send('GET', dataPath)).body.error.status).toBe(500);
    expect((await send('GET', '/api/v2/builds')).body.status).toBe(500);
  });

  test('429 carries Retry-After in seconds', async () => {
    const { send, faults } = createSandbox();
    faults.set([{ kind: 'tooManyRequests', retryAfter: 7 }]);
    const reply = await send('GET', dataPath);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '7']);
  });

  test('HTML or an empty body replaces JSON', async () => {
    const { send, faults } = createSandbox();
    faults.set([{ kind: 'html' }]);
    const html = await send('GET', dataPath);
    expect([html.status, html.headers.get('content-type'), html.text.slice(0, 9)]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<!doctype',
    ]);
    faults.set([{ kind: 'emptyBody', status: 201 }]);
    expect(await send('GET', dataPath)).toMatchObject({ status: 201, text: '' });
    faults.set([{ kind: 'emptyBody', status: 204 }]);
    expect((await send('GET', dataPath)).status).toBe(204);
  });

  test('a redirect affects only writes by default', async () => {
    const { send, faults } = createSandbox();
    faults.set([{ kind: 'redirect', status: 307, location: 'http://other.invalid/' }]);
    expect((await send('GET', dataPath)).status).toBe(200);
    const reply = await send('POST', dataPath, {});
    expect([reply.status, reply.headers.get('location')]).toEqual([307, 'http://other.invalid/']);
  });

  test('a body above the limit returns 413', async () => {
    const { send, faults } = createSandbox();
    faults.set([{ kind: 'bodyLimit', bytes: 20 }]);
    const post = async (length: string) =>
      (await send('POST', dataPath, {}, { headers: { 'content-length': length } })).status;
    expect([await post('20'), await post('21')]).toEqual([201, 413]);
  });

  test.each(['drop', 'hang', 'truncate', 'endless'] as const)(
    'the fault %s is passed on to the listener, which breaks the connection',
    async (kind) => {
      const { send, faults } = createSandbox();
      faults.set([{ kind, count: 1 }]);
      expect((await send('GET', dataPath)).connectionFault).toEqual({ kind, count: 1 });
      expect((await send('GET', dataPath)).connectionFault).toBeUndefined();
    },
  );
});

test('a fault occurs before the request has had its effect, or after it', async () => {
  const { send, faults } = createSandbox();
  faults.set([{ kind: 'status', status: 500, methods: ['POST'] }]);
  await send('POST', dataPath, { a: 1 });
  expect((await send('GET', dataPath)).body).toHaveLength(0);
  faults.set([{ kind: 'html', methods: ['POST'], when: 'after' }]);
  expect((await send('POST', dataPath, { a: 1 })).text).toContain('<html>');
  expect((await send('GET', dataPath)).body).toHaveLength(1);
});
