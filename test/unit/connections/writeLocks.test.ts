import { expect, test } from 'vitest';
import { WriteLocks } from '../../../src/connections/writeLocks.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const production = { id: 'p', role: 'production' } as const;

function createLocks() {
  const clock = new FakeClock();
  const locks = new WriteLocks(clock);
  const changes: string[] = [];
  locks.onDidChange((id) => changes.push(id));
  return { clock, locks, changes };
}

test('development and staging are unlocked, read-only is always locked', () => {
  const { locks } = createLocks();
  locks.unlock('r', 60_000);
  expect(locks.getRefusal({ id: 'd', role: 'development' })).toBeUndefined();
  expect(locks.getRefusal({ id: 's', role: 'staging' })).toBeUndefined();
  expect(locks.getRefusal({ id: 'r', role: 'read-only' })).toBe('read-only');
});

test('production is locked until it is unlocked, and locks itself again', async () => {
  const { clock, locks, changes } = createLocks();
  expect(locks.getRefusal(production)).toBe('locked');
  locks.unlock('p', 600_000);
  expect(locks.getRefusal(production)).toBeUndefined();
  await clock.advance(599_999);
  expect(locks.getRefusal(production)).toBeUndefined();
  await clock.advance(1);
  expect(locks.getRefusal(production)).toBe('locked');
  expect(changes).toEqual(['p', 'p']);
});

test('unlocking again restarts the time, locking ends it at once', async () => {
  const { clock, locks } = createLocks();
  locks.unlock('p', 1_000);
  await clock.advance(900);
  locks.unlock('p', 1_000);
  await clock.advance(900);
  expect(locks.getRefusal(production)).toBeUndefined();
  locks.lock('p');
  expect(locks.getRefusal(production)).toBe('locked');
  expect(clock.timerCount).toBe(0);
});
