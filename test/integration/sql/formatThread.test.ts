import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { formatInWorker } from '../../../src/features/sqlLanguage/formatThread.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const script = new URL('../../../src/features/sqlLanguage/formatWorker.ts', import.meta.url);
const { signal } = new AbortController();

test('a text that is laid out aside comes back, and nobody waits for it', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const text = await formatInWorker(script, 'SELECT 1, 2', { clock: new FakeClock(), signal });
  clearInterval(timer);
  expect(text).toBe('SELECT\n  1,\n  2');
  expect(turns).toBeGreaterThan(0);
});

test('one that takes too long is given up', async () => {
  const text = `SELECT ${'f('.repeat(20_000)}1${')'.repeat(20_000)}`;
  expect(await formatInWorker(script, text, { clock: systemClock, signal })).toBeUndefined();
});

test('one that nobody wants any more ends with the reason', async () => {
  const control = new AbortController();
  const text = formatInWorker(script, 'SELECT 1', { clock: new FakeClock(), signal: control.signal });
  control.abort(new Error('no longer wanted'));
  await expect(text).rejects.toThrow('no longer wanted');
});

test('a thread that cannot begin says so', async () => {
  const missing = new URL('missing.ts', import.meta.url);
  await expect(formatInWorker(missing, 'SELECT 1', { clock: new FakeClock(), signal })).rejects.toThrow(
    /missing/,
  );
});
