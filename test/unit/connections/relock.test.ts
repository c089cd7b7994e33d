import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { RemoteConnection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { relockOnChange } from '../../../src/connections/relockOnChange.ts';
import { WriteLocks } from '../../../src/connections/writeLocks.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const production: RemoteConnection = {
  id: 'p',
  kind: 'remote',
  name: 'Prod',
  role: 'production',
  url: 'https://one.example.com',
};

function unlocked() {
  let stored: unknown = [production, { ...production, id: 'other' }];
  const connections = new ConnectionStore({
    storage: {
      read: () => stored,
      write: async (entries) => {
        stored = entries;
      },
    },
    log: silentLog,
  });
  const locks = new WriteLocks(new FakeClock());
  relockOnChange(connections, locks);
  locks.unlock('p', 60_000);
  locks.unlock('other', 60_000);
  return { connections, locks };
}

test('a connection whose address changes is locked', async () => {
  const { connections, locks } = unlocked();
  const moved = { ...production, url: 'https://two.example.com' };
  await connections.save(moved);
  expect(locks.getRefusal(moved)).toBe('locked');
  expect(locks.getRefusal({ ...production, id: 'other' })).toBeUndefined();
});

test('so is one that changes its role and becomes production again, and one that was removed', async () => {
  const { connections, locks } = unlocked();
  await connections.save({ ...production, role: 'staging' });
  await connections.save(production);
  await connections.remove('other');
  expect(locks.getRefusal(production)).toBe('locked');
  expect(locks.getUnlockedUntil('other')).toBeUndefined();
});

test('a new name or a cube set does not matter', async () => {
  const { connections, locks } = unlocked();
  await connections.save({ ...production, name: 'Renamed', cubeSets: [{ name: 'All', server: 'set' }] });
  expect(locks.getRefusal(production)).toBeUndefined();
});
