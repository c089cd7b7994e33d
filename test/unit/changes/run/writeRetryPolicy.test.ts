import { describe, expect, test } from 'vitest';
import { type ApiError, HttpError, NetworkError, TimeoutError } from '../../../../src/client/errors.ts';
import {
  defaultWriteRetryPolicy,
  getWaitMs,
  waitUnlessCanceled,
} from '../../../../src/changes/run/writeRetryPolicy.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';

const operation = { endpoint: 'liveRules.delete', method: 'DELETE', path: '/rule' } as const;
const createHttpError = (code: number, retryAfterMs?: number) =>
  new HttpError(operation, { status: code, retryAfterMs });

describe('the wait before a request is sent again', () => {
  test.each<readonly [string, ApiError, number, number | undefined]>([
    ['is half a second at first', createHttpError(503), 0, 500],
    ['doubles with each failure', createHttpError(503), 3, 4000],
    ['is half a minute at most', createHttpError(503), 7, 30_000],
    ['is as long as the server asks for', createHttpError(503, 7000), 0, 7000],
    ['is shorter than usual if the server asks for a shorter one', createHttpError(503, 1000), 5, 1000],
    ['is as usual if the server asks for none', createHttpError(503, 0), 1, 1000],
    ['is ten minutes at most', createHttpError(503, 600_000), 0, 600_000],
    ['is none if the server asks for more than ten minutes', createHttpError(503, 600_001), 0, undefined],
    ['is none after eight failures', createHttpError(503), 8, undefined],
    ['follows a timeout', new TimeoutError(operation, { phase: 'headers', mayHaveBeenSent: true }), 0, 500],
    [
      'follows a connection that was reset',
      new NetworkError(operation, 'reset', { mayHaveBeenSent: true }),
      0,
      500,
    ],
    [
      'does not follow an unknown host',
      new NetworkError(operation, 'dns', { mayHaveBeenSent: false }),
      0,
      undefined,
    ],
    ['is up to the caller if the server is busy', createHttpError(429, 1000), 0, undefined],
    ['does not follow a refusal', createHttpError(403), 0, undefined],
  ])('%s', (_text, error, failureCount, expected) => {
    expect(getWaitMs(error, failureCount, defaultWriteRetryPolicy)).toBe(expected);
  });

  test.each([408, 500, 502, 503, 504])('follows status %i', (code) => {
    expect(getWaitMs(createHttpError(code), 0, defaultWriteRetryPolicy)).toBe(500);
  });

  test('is none without a retry policy', () => {
    expect(getWaitMs(createHttpError(503), 0, undefined)).toBeUndefined();
  });
});

describe('a wait', () => {
  const failure = createHttpError(503);

  test('is reported, and ends after its time', async () => {
    const clock = new FakeClock();
    const waits: unknown[] = [];
    const waiting = waitUnlessCanceled(700, failure, {
      clock,
      retryPolicy: { ...defaultWriteRetryPolicy, onWait: (...wait) => waits.push(wait) },
    });
    expect([waits, clock.nextDelay]).toEqual([[[700, failure]], 700]);
    await clock.advance(700);
    await waiting;
  });

  test('ends without an error when the task is canceled', async () => {
    const controller = new AbortController();
    const waiting = waitUnlessCanceled(700, failure, { clock: new FakeClock(), signal: controller.signal });
    controller.abort();
    await waiting;
  });
});
