import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  defaultWriteRetryPolicy,
  type WriteRetryPolicy,
} from '../../../../src/changes/run/writeRetryPolicy.ts';
import { HttpError } from '../../../../src/client/errors.ts';
import { sendEach } from '../../../../src/changes/run/sendEach.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { getFailure } from './support.ts';

const operation = { endpoint: 'liveRules.delete', method: 'DELETE', path: '/rule' } as const;
const createHttpError = (status: number): HttpError => new HttpError(operation, { status });

interface PendingRequest {
  readonly item: number;
  readonly end: (error?: Error) => void;
}

/** Sends items to a server that responds when the test decides. */
async function startSending(count: number, retryPolicy: WriteRetryPolicy = defaultWriteRetryPolicy) {
  const clock = new FakeClock();
  const cancel = new AbortController();
  const waits: number[] = [];
  const [sentItems, answeredItems]: [number[], number[]] = [[], []];
  const pendingRequests: PendingRequest[] = [];
  const send = (item: number) =>
    new Promise<void>((resolve, reject) => {
      pendingRequests.push({ item, end: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  const completion = sendEach(
    Array.from({ length: count }, (_none, index) => index),
    send,
    {
      clock,
      retryPolicy: { ...retryPolicy, onWait: (ms) => waits.push(ms) },
      signal: cancel.signal,
      observer: {
        onSent: (index) => sentItems.push(index),
        onAnswered: (index) => answeredItems.push(index),
      },
    },
  );
  completion.catch(() => undefined);
  /** Responds to all requests in progress: with an error for some items. */
  const respond = async (errors: ReadonlyMap<number, Error> = new Map()) => {
    pendingRequests.splice(0).forEach(({ item, end }) => end(errors.get(item)));
    await setImmediate();
  };
  await setImmediate();
  return {
    // In an object, because the caller would wait for a bare promise.
    requests: { completion },
    clock,
    cancel,
    waits,
    sentItems,
    answeredItems,
    pendingRequests,
    respond,
  };
}

describe('requests for many items', () => {
  test('are sent a few at a time, each once', async () => {
    const { requests, sentItems, answeredItems, pendingRequests, respond } = await startSending(6);
    expect(pendingRequests).toHaveLength(4);
    await respond();
    expect(pendingRequests.map(({ item }) => item)).toEqual([4, 5]);
    await respond();
    await requests.completion;
    expect([sentItems, answeredItems]).toEqual([
      [0, 1, 2, 3, 4, 5],
      [0, 1, 2, 3, 4, 5],
    ]);
  });

  test('all wait for a busy server, and continue where they stopped', async () => {
    const { requests, clock, waits, answeredItems, pendingRequests, respond } = await startSending(6);
    await respond(new Map([[1, createHttpError(503)]]));
    expect(waits).toHaveLength(1);
    expect(pendingRequests).toEqual([]);
    await clock.advance(waits[0] ?? 0);
    await setImmediate();
    expect(new Set(pendingRequests.map(({ item }) => item))).toEqual(new Set([1, 4, 5]));
    await respond();
    await requests.completion;
    expect(new Set(answeredItems)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });

  test('do not wait forever', async () => {
    const { requests, clock, waits, respond } = await startSending(1, { maxRetries: 2, maxWaitMs: 60_000 });
    const busyError = createHttpError(503);
    for (let time = 0; time < 3; time += 1) {
      await respond(new Map([[0, busyError]]));
      await clock.advance(60_000);
      await setImmediate();
    }
    expect(await getFailure(requests.completion)).toBe(busyError);
    expect(waits).toHaveLength(2);
  });

  test('stop at a failure: those in progress finish, and none starts', async () => {
    const { requests, sentItems, answeredItems, pendingRequests, respond } = await startSending(9);
    const refused = createHttpError(403);
    const [first, ...others] = pendingRequests.splice(0);
    first?.end(refused);
    await setImmediate();
    expect(pendingRequests).toEqual([]);
    others.forEach(({ end }) => end());
    await respond();
    expect(await getFailure(requests.completion)).toBe(refused);
    expect(sentItems).toEqual([0, 1, 2, 3]);
    expect(new Set(answeredItems)).toEqual(new Set([1, 2, 3]));
  });

  test('stop on cancellation, between two requests and during a wait', async () => {
    const running = await startSending(9);
    running.cancel.abort(new Error('Enough'));
    await running.respond();
    expect(await getFailure(running.requests.completion)).toMatchObject({ message: 'Enough' });
    expect(running.answeredItems).toHaveLength(4);

    const waiting = await startSending(1);
    await waiting.respond(new Map([[0, createHttpError(503)]]));
    waiting.cancel.abort(new Error('Enough'));
    expect(await getFailure(waiting.requests.completion)).toMatchObject({ message: 'Enough' });
    expect(waiting.sentItems).toEqual([0]);
  });

  test('end successfully if they were canceled only when the last ones were in progress', async () => {
    const { requests, cancel, answeredItems, respond } = await startSending(3);
    cancel.abort(new Error('Enough'));
    await respond();
    await requests.completion;
    expect(answeredItems).toEqual([0, 1, 2]);
  });

  test('rethrow an error that does not come from the platform', async () => {
    const { requests, respond } = await startSending(2);
    const fault = new TypeError('Ours');
    await respond(new Map([[0, fault]]));
    expect(await getFailure(requests.completion)).toBe(fault);
  });
});
