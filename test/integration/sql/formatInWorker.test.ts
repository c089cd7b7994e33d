import { expect, test } from 'vitest';
import { toDisposable } from '../../../src/base/disposable.ts';
import { formatInWorker } from '../../../src/features/sqlLanguage/formatInWorker.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const script = new URL('../../../src/features/sqlLanguage/formatWorker.ts', import.meta.url);
const { signal } = new AbortController();

test('a text is formatted in a worker without blocking', async () => {
  let timerTicks = 0;
  const timer = setInterval(() => (timerTicks += 1), 1);
  const text = await formatInWorker(script, 'SELECT 1, 2', { clock: new FakeClock(), signal });
  clearInterval(timer);
  expect(text).toBe('SELECT\n  1,\n  2');
  expect(timerTicks).toBeGreaterThan(0);
});

test('the result is undefined if formatting takes too long', async () => {
  const endless = new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready'); for (;;);`,
  );
  const delays: number[] = [];
  const clock = {
    now: () => 0,
    schedule: (delayMs: number, callback: () => void) => {
      delays.push(delayMs);
      queueMicrotask(callback);
      return toDisposable(() => undefined);
    },
  };
  expect(await formatInWorker(endless, 'SELECT 1', { clock, signal })).toBeUndefined();
  expect(delays).toEqual([1000]);
});

test('a canceled call rejects with the reason', async () => {
  const controller = new AbortController();
  const text = formatInWorker(script, 'SELECT 1', { clock: new FakeClock(), signal: controller.signal });
  controller.abort(new Error('no longer wanted'));
  await expect(text).rejects.toThrow('no longer wanted');
});

test('the call rejects if the worker cannot start', async () => {
  const missing = new URL('missing.ts', import.meta.url);
  await expect(formatInWorker(missing, 'SELECT 1', { clock: new FakeClock(), signal })).rejects.toThrow(
    /missing/,
  );
});
