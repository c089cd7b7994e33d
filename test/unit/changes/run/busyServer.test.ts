import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../../src/base/clock.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { HttpError } from '../../../../src/client/errors.ts';
import { createRetryingRead } from '../../../../src/changes/run/busyServer.ts';

/** A clock whose timers fire at once. During each wait, the computer is suspended for some time. */
function createClock(suspendedMs = 0): Clock & { pass(ms: number): void } {
  let now = 0;
  return {
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
    schedule: (delayMs, callback) => {
      now += delayMs + suspendedMs;
      queueMicrotask(callback);
      return toDisposable(() => undefined);
    },
  };
}

const createBusyError = (retryAfterMs: number | undefined): HttpError =>
  new HttpError({ endpoint: 'tables.get', method: 'GET', path: '/tables' }, { status: 429, retryAfterMs });

/** Reads from a server that is busy for `busyCount` attempts. Returns the waits, and how the last attempt ended. */
async function readBusy(
  clock: ReturnType<typeof createClock>,
  {
    busyCount,
    retryAfterMs,
    attemptMs = 0,
  }: { busyCount: number; retryAfterMs?: number; attemptMs?: number },
) {
  const waits: number[] = [];
  let count = 0;
  const retryRead = createRetryingRead({ clock, onWait: (ms) => waits.push(ms) });
  const reading = retryRead(() => {
    count += 1;
    clock.pass(attemptMs);
    return count > busyCount ? Promise.resolve('read') : Promise.reject(createBusyError(retryAfterMs));
  });
  return { waits, outcome: await reading.catch((error: unknown) => error) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('the waits of a request for a busy server', () => {
  test('do not count the time that the computer was suspended', async () => {
    const hour = 3_600_000;
    expect(await readBusy(createClock(hour), { busyCount: 5, retryAfterMs: 1000 })).toEqual({
      waits: Array.from({ length: 5 }, () => 1000),
      outcome: 'read',
    });
    // During an attempt, at most the longest waits of the client count.
    const suspended = await readBusy(createClock(), { busyCount: 5, retryAfterMs: 1000, attemptMs: hour });
    expect(suspended.outcome).toBe('read');
  });

  test.each([0, undefined])(
    'end after ten minutes even if the server asks for no pause: Retry-After %s',
    async (retryAfterMs) => {
      const { waits, outcome } = await readBusy(createClock(), {
        busyCount: Infinity,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
      expect(outcome).toBeInstanceOf(HttpError);
      expect(waits.slice(0, 3)).toEqual([500, 1000, 2000]);
      expect(sum(waits)).toBeLessThanOrEqual(600_000);
      expect(sum(waits)).toBeGreaterThan(570_000);
    },
  );

  test('end after ten minutes in all, with the waits of the client', async () => {
    const { waits, outcome } = await readBusy(createClock(), {
      busyCount: Infinity,
      retryAfterMs: 20_000,
      attemptMs: 40_000,
    });
    expect(outcome).toBeInstanceOf(HttpError);
    expect(waits).toHaveLength(10);
  });
});
