import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { UnlockCountdown } from '../../../src/connections/unlockCountdown.ts';
import { WriteLocks } from '../../../src/connections/writeLocks.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const minuteMs = 60_000;

const createProduction = (id: string): Connection => ({
  id,
  kind: 'remote',
  name: id,
  role: 'production',
  url: `https://${id}.example.com`,
});

function createCountdown() {
  const clock = new FakeClock();
  const locks = new WriteLocks(clock);
  const stored = ['shop', 'store'].map(createProduction);
  const storage = { read: () => stored, write: async () => undefined };
  const connections = new ConnectionStore({ storage, log: silentLog });
  const countdown = new UnlockCountdown({ connections, locks, clock });
  const firedTexts: string[] = [];
  const formatUnlocked = (): string =>
    countdown.unlockedConnections
      .map(({ connection, minutesLeft }) => `${connection.name} ${minutesLeft}`)
      .join(', ');
  countdown.onDidChange(() => firedTexts.push(formatUnlocked()));
  return { clock, locks, countdown, firedTexts, formatUnlocked };
}

test('the minutes of each unlocked connection count down until it locks itself', async () => {
  const { clock, locks, firedTexts, formatUnlocked } = createCountdown();
  expect(formatUnlocked()).toBe('');
  locks.unlock('shop', 3 * minuteMs);
  await clock.advance(minuteMs / 2);
  locks.unlock('store', minuteMs);
  expect(firedTexts).toEqual(['shop 3', 'shop 3, store 1']);
  firedTexts.length = 0;
  await clock.advance(minuteMs / 2);
  expect(firedTexts).toEqual(['shop 2, store 1']);
  await clock.advance(minuteMs / 2);
  expect(formatUnlocked()).toBe('shop 2');
  await clock.advance(minuteMs / 2);
  expect(formatUnlocked()).toBe('shop 1');
  await clock.advance(minuteMs);
  expect(formatUnlocked()).toBe('');
  expect(firedTexts.at(-1)).toBe('');
});

test('nothing is scheduled once all are locked, or the countdown is disposed', async () => {
  const { clock, locks, countdown, firedTexts } = createCountdown();
  locks.unlock('shop', 5 * minuteMs);
  locks.lock('shop');
  firedTexts.length = 0;
  await clock.advance(10 * minuteMs);
  expect(firedTexts).toEqual([]);
  locks.unlock('shop', 5 * minuteMs);
  countdown.dispose();
  firedTexts.length = 0;
  await clock.advance(2 * minuteMs);
  expect(firedTexts).toEqual([]);
});
