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

function createUnlocked() {
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
  const { connections, locks } = createUnlocked();
  const changed = { ...production, url: 'https://two.example.com' };
  await connections.save(changed);
  expect(locks.getRefusal(changed)).toBe('locked');
  expect(locks.getRefusal({ ...production, id: 'other' })).toBeUndefined();
});

test('a connection is locked if its role changes and becomes production again, or if it is removed', async () => {
  const { connections, locks } = createUnlocked();
  await connections.save({ ...production, role: 'staging' });
  await connections.save(production);
  await connections.remove('other');
  expect(locks.getRefusal(production)).toBe('locked');
  expect(locks.getUnlockedUntil('other')).toBeUndefined();
});

test('a new name or cube set does not lock a connection', async () => {
  const { connections, locks } = createUnlocked();
  await connections.save({ ...production, name: 'Renamed', cubeSets: [{ name: 'All', server: 'set' }] });
  expect(locks.getRefusal(production)).toBeUndefined();
});
