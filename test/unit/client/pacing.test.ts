import { describe, expect, test } from 'vitest';
import { english } from '../../../src/base/localize.ts';
import { formatApiError } from '../../../src/client/messages/formatApiError.ts';
import { TransportFailure } from '../../../src/client/transport.ts';
import {
  defaultRetryPolicy,
  isRetryable,
  parseRetryAfter,
  getRetryPause,
} from '../../../src/client/pacing.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { createClientCalls } from '../../support/clientCalls.ts';
import { getFailure, json, createTestClient } from './support.ts';

const ids = Object.keys(endpoints) as EndpointId[];
const firstAttempt = { endpoint: 'datamodels.list', attempt: 1, random: 1 } as const;
const createOutcome = (code: number, retryAfterMs?: number) =>
  ({ kind: 'status', status: code, retryAfterMs }) as const;

test('Retry-After is read in seconds and as an HTTP date, and nothing else', () => {
  const now = Date.parse('Sat, 21 Nov 2026 08:00:00 GMT');
  expect(parseRetryAfter('2', now)).toBe(2000);
  expect(parseRetryAfter(' 0 ', now)).toBe(0);
  expect(parseRetryAfter('Sat, 21 Nov 2026 08:00:03 GMT', now)).toBe(3000);
  expect(parseRetryAfter('Fri, 20 Nov 2026 08:00:03 GMT', now)).toBe(0);
  expect(parseRetryAfter('soon', now)).toBeUndefined();
  expect(parseRetryAfter('-5', now)).toBeUndefined();
  expect(parseRetryAfter(undefined, now)).toBeUndefined();
});

test('the random pause starts at zero, its maximum doubles up to a limit, and Retry-After is its minimum', () => {
  const pauses = [1, 2, 3].map((attempt) =>
    getRetryPause(
      { ...firstAttempt, attempt, outcome: createOutcome(503) },
      { ...defaultRetryPolicy, maxAttempts: 9, maxPauseMs: 1500 },
    ),
  );
  expect(pauses).toEqual([500, 1000, 1500]);
  expect(getRetryPause({ ...firstAttempt, random: 0, outcome: createOutcome(503) }, defaultRetryPolicy)).toBe(
    0,
  );
  expect(getRetryPause({ ...firstAttempt, outcome: createOutcome(503, 4000) }, defaultRetryPolicy)).toBe(
    4500,
  );
  expect(
    getRetryPause({ ...firstAttempt, outcome: createOutcome(503, 31_000) }, defaultRetryPolicy),
  ).toBeUndefined();
  expect(
    getRetryPause({ ...firstAttempt, attempt: 3, outcome: createOutcome(503) }, defaultRetryPolicy),
  ).toBeUndefined();
});

test.each([
  ['builds.cancel', []],
  ['viewpoints.list', [429]],
] as const)('only resets and statuses of unavailable servers are retried: %s', (endpoint, busyStatuses) => {
  const retriedStatuses = [400, 401, 403, 404, 408, 409, 413, 429, 500, 501, 502, 503, 504].filter(
    (code) =>
      getRetryPause({ ...firstAttempt, endpoint, outcome: createOutcome(code) }, defaultRetryPolicy) !==
      undefined,
  );
  expect(retriedStatuses).toEqual([...busyStatuses, 502, 503, 504]);
  expect(getRetryPause({ ...firstAttempt, outcome: { kind: 'reset' } }, defaultRetryPolicy)).toBe(500);
});

test('GET and the cancellation of a build may be repeated; other writes never, not even a DELETE by ID', () => {
  expect(ids.filter((id) => endpoints[id].method !== 'GET' && isRetryable(id))).toEqual(['builds.cancel']);
  expect(ids.filter((id) => endpoints[id].method === 'GET').every(isRetryable)).toBe(true);
});

describe.each(ids)('%s', (id) => {
  test.each([
    ['503', () => json({}, 503)],
    ['a reset', () => new TransportFailure('reset', { mayHaveBeenSent: true })],
  ] as const)('is repeated after %s only if it is retryable', async (_name, answer) => {
    // The first response proves the dialect, so no further list is requested before a write.
    const { client, transport, clock } = createTestClient((_request, index) =>
      index === 0 ? json([]) : answer(),
    );
    await client.datamodels.list();
    const call = getFailure(createClientCalls(client)[id]());
    await clock.advance(60_000);
    const error = await call;
    expect(transport.requests).toHaveLength(isRetryable(id) ? 4 : 2);
    expect(error.mayHaveTakenEffect).toBe(endpoints[id].method !== 'GET');
  });
});

test('a GET succeeds after two busy responses, no sooner than Retry-After allows', async () => {
  const { client, transport, clock } = createTestClient((_request, index) =>
    index < 2 ? { status: 429, headers: { 'retry-after': '2' } } : json({ isauthenticated: true }),
  );
  const call = client.session.check();
  await clock.advance(3999);
  expect(transport.requests).toHaveLength(2);
  await clock.advance(1);
  expect((await call).value.isauthenticated).toBe(true);
  expect(transport.requests).toHaveLength(3);
});

test('no request is repeated if the server asks for a long pause, and the error contains its length', async () => {
  const { client, transport } = createTestClient({ status: 429, headers: { 'retry-after': '120' } });
  const error = await getFailure(client.builds.list());
  expect(error).toMatchObject({ code: 'too-many-requests', remedy: 'wait', retryAfterMs: 120_000 });
  expect(transport.requests).toHaveLength(1);
});

test('a DELETE whose first response was lost has succeeded when the second attempt finds nothing', async () => {
  const { client, transport, clock } = createTestClient((_request, index) =>
    index === 0 ? new TransportFailure('reset', { mayHaveBeenSent: true }) : json({ title: 'NotFound' }, 404),
  );
  const call = client.builds.cancel({ buildId: 'b' });
  await clock.advance(60_000);
  expect((await call).value).toBeUndefined();
  expect(transport.requests).toHaveLength(2);
});

describe('a DELETE that was repeated may have taken effect', () => {
  const createLostResponse = () => new TransportFailure('reset', { mayHaveBeenSent: true });
  const createBusyResponse = () => json({}, 429);
  const createRefusal = () => json({ detail: 'Not allowed' }, 403);

  test.each([
    ['a lost response', createLostResponse],
    ['502', () => json({}, 502)],
  ] as const)('if it was refused after %s, and the message says why', async (_name, getFirst) => {
    const { client, transport, clock } = createTestClient((_request, index) =>
      index === 0 ? getFirst() : createRefusal(),
    );
    const call = getFailure(client.builds.cancel({ buildId: 'b' }));
    await clock.advance(60_000);
    const error = await call;
    expect(error).toMatchObject({
      name: 'RepetitionError',
      mayHaveTakenEffect: true,
      code: 'forbidden',
      remedy: 'look-before-repeating',
      cause: { status: 403 },
    });
    expect(formatApiError(english, error)).toBe(
      "Canceling the build failed: this user doesn't have permission (403): Not allowed. It might have succeeded. Check before you try again.",
    );
    expect(transport.requests).toHaveLength(2);
  });

  test('if the server became busy after a lost response', async () => {
    const { client, clock } = createTestClient((_request, index) =>
      index === 0 ? createLostResponse() : createBusyResponse(),
    );
    const call = getFailure(client.builds.cancel({ buildId: 'b' }));
    await clock.advance(60_000);
    expect(await call).toMatchObject({ code: 'too-many-requests', mayHaveTakenEffect: true });
  });

  test('if it was canceled while its repetition waited for its turn', async () => {
    const controller = new AbortController();
    const gate = Promise.withResolvers<void>();
    const { client, transport, clock } = createTestClient(
      async ({ method }) => {
        if (method === 'DELETE') {
          return createLostResponse();
        }
        await gate.promise;
        return json([]);
      },
      { concurrency: 1, random: () => 1 },
    );
    const call = getFailure(client.builds.cancel({ buildId: 'b' }, controller.signal));
    await transport.waitForRequests(1);
    const list = client.builds.list();
    await transport.waitForRequests(2);
    await clock.advance(1000);
    controller.abort();
    expect(await call).toMatchObject({ name: 'CanceledError', mayHaveTakenEffect: true });
    gate.resolve();
    await list;
    expect(transport.requests).toHaveLength(2);
  });
});

test('a DELETE is not repeated while the server is busy: its caller decides how long to wait', async () => {
  const { client, transport } = createTestClient({ status: 429, headers: { 'retry-after': '2' } });
  const error = await getFailure(client.viewpoints.delete({ viewpointId: 'v' }));
  expect(error).toMatchObject({ name: 'HttpError', remedy: 'wait', retryAfterMs: 2000 });
  expect(transport.requests).toHaveLength(1);
});

test('a read that finds nothing after the server was busy is an error', async () => {
  const { client, clock } = createTestClient((_request, index) => json({}, index === 0 ? 429 : 404));
  const call = getFailure(client.datamodels.get({ datamodelId: 'm' }));
  await clock.advance(60_000);
  expect(await call).toMatchObject({ name: 'HttpError', status: 404 });
});

test('a DELETE that finds nothing at the first attempt is an error', async () => {
  const { client } = createTestClient(json({ title: 'NotFound' }, 404));
  expect((await getFailure(client.viewpoints.delete({ viewpointId: 'v' }))).code).toBe('not-found');
});

test('canceling during a pause ends the call at once', async () => {
  const controller = new AbortController();
  const { client, transport, clock } = createTestClient(json({}, 503), { random: () => 1 });
  const call = getFailure(client.session.check(controller.signal));
  await clock.advance(1);
  controller.abort();
  expect((await call).code).toBe('canceled');
  expect(transport.requests).toHaveLength(1);
  expect(clock.timerCount).toBe(0);
});
