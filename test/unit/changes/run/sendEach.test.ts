import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { defaultWaitPolicy, type WaitPolicy } from '../../../../src/changes/run/waitPolicy.ts';
import { HttpError } from '../../../../src/client/errors.ts';
import { sendEach } from '../../../../src/changes/run/sendEach.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { getFailure } from './support.ts';

const operation = { endpoint: 'liveRules.delete', method: 'DELETE', path: '/rule' } as const;
const createHttpError = (status: number): HttpError => new HttpError(operation, { status });

interface Attempt {
  readonly item: number;
  readonly end: (error?: Error) => void;
}

/** Sends items to a server that responds when the test decides. */
async function startSending(count: number, waitPolicy: WaitPolicy = defaultWaitPolicy) {
  const clock = new FakeClock();
  const cancel = new AbortController();
  const waits: number[] = [];
  const [sentItems, done]: [number[], number[]] = [[], []];
  const pendingRequests: Attempt[] = [];
  const send = (item: number) =>
    new Promise<void>((resolve, reject) => {
      pendingRequests.push({ item, end: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  const completion = sendEach(
    Array.from({ length: count }, (_none, index) => index),
    send,
    {
      clock,
      waitPolicy: { ...waitPolicy, onWait: (ms) => waits.push(ms) },
      signal: cancel.signal,
      observer: { begin: (index) => sentItems.push(index), done: (index) => done.push(index) },
    },
  );
  completion.catch(() => undefined);
  /** Responds to all requests in progress: with an error for some items. */
  const answer = async (errors: ReadonlyMap<number, Error> = new Map()) => {
    pendingRequests.splice(0).forEach(({ item, end }) => end(errors.get(item)));
    await setImmediate();
  };
  await setImmediate();
  return {
    requests: { whole: completion },
    clock,
    cancel,
    waits,
    begun: sentItems,
    done,
    open: pendingRequests,
    answer,
  };
}

describe('requests for many items', () => {
  test('are sent a few at a time, each once', async () => {
    const { requests, begun, done, open, answer } = await startSending(6);
    expect(open).toHaveLength(4);
    await answer();
    expect(open.map(({ item }) => item)).toEqual([4, 5]);
    await answer();
    await requests.whole;
    expect([begun, done]).toEqual([
      [0, 1, 2, 3, 4, 5],
      [0, 1, 2, 3, 4, 5],
    ]);
  });

  test('wait for a busy server, all of them, and continue where they were', async () => {
    const { requests, clock, waits, done, open, answer } = await startSending(6);
    await answer(new Map([[1, createHttpError(503)]]));
    expect(waits).toHaveLength(1);
    expect(open).toEqual([]);
    await clock.advance(waits[0] ?? 0);
    await setImmediate();
    expect(new Set(open.map(({ item }) => item))).toEqual(new Set([1, 4, 5]));
    await answer();
    await requests.whole;
    expect(new Set(done)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });

  test('do not wait forever', async () => {
    const { requests, clock, waits, answer } = await startSending(1, { attempts: 2, maxMs: 60_000 });
    const busy = createHttpError(503);
    for (let time = 0; time < 3; time += 1) {
      await answer(new Map([[0, busy]]));
      await clock.advance(60_000);
      await setImmediate();
    }
    expect(await getFailure(requests.whole)).toBe(busy);
    expect(waits).toHaveLength(2);
  });

  test('stop at a failure: those in progress finish, and none starts', async () => {
    const { requests, begun, done, open, answer } = await startSending(9);
    const refused = createHttpError(403);
    const [first, ...others] = open.splice(0);
    first?.end(refused);
    await setImmediate();
    expect(open).toEqual([]);
    others.forEach(({ end }) => end());
    await answer();
    expect(await getFailure(requests.whole)).toBe(refused);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(new Set(done)).toEqual(new Set([1, 2, 3]));
  });

  test('stop on cancellation, between two requests and during a wait', async () => {
    const running = await startSending(9);
    running.cancel.abort(new Error('Enough'));
    await running.answer();
    expect(await getFailure(running.requests.whole)).toMatchObject({ message: 'Enough' });
    expect(running.done).toHaveLength(4);

    const waiting = await startSending(1);
    await waiting.answer(new Map([[0, createHttpError(503)]]));
    waiting.cancel.abort(new Error('Enough'));
    expect(await getFailure(waiting.requests.whole)).toMatchObject({ message: 'Enough' });
    expect(waiting.begun).toEqual([0]);
  });

  test('an error that does not come from the platform is rethrown as it is', async () => {
    const { requests, answer } = await startSending(2);
    const fault = new TypeError('Ours');
    await answer(new Map([[0, fault]]));
    expect(await getFailure(requests.whole)).toBe(fault);
  });
});
