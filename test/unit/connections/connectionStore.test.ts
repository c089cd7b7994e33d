import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { type ConnectionStorage, ConnectionStore } from '../../../src/connections/connectionStore.ts';

const remote: Connection = {
  id: 'r',
  kind: 'remote',
  name: 'Production',
  role: 'production',
  url: 'https://analytics.example.test',
};
const sandbox: Connection = { id: 's', kind: 'sandbox', name: 'Sandbox', role: 'development' };

function createStore(stored: unknown, transient: readonly Connection[] = []) {
  const written: (readonly unknown[])[] = [];
  const storage: ConnectionStorage = {
    read: () => written.at(-1) ?? stored,
    write: async (connections) => {
      written.push(connections);
    },
  };
  const open = (): ConnectionStore => new ConnectionStore({ storage, log: silentLog, transient });
  return { store: open(), written, open };
}

test('a connection is stored, replaces one with the same ID, and fires an event', async () => {
  const { store, written } = createStore(undefined);
  let changes = 0;
  store.onDidChange(() => {
    changes += 1;
  });
  await store.save(remote);
  await store.save(sandbox);
  await store.save({ ...remote, name: 'Prod' });
  expect(store.all.map(({ name }) => name)).toEqual(['Prod', 'Sandbox']);
  await store.remove('s');
  expect(written.at(-1)).toEqual([{ ...remote, name: 'Prod' }]);
  expect(changes).toBe(4);
});

test('an unreadable stored connection is left out, the others stay', () => {
  const { store } = createStore([{ id: 'broken' }, sandbox, { ...remote, url: 'javascript:alert(1)' }]);
  expect(store.all).toEqual([sandbox]);
});

test('storage with entirely different content counts as empty', () => {
  expect(createStore('nonsense').store.all).toEqual([]);
});

test('a transient connection is listed and never written', async () => {
  const { store, written } = createStore([], [remote]);
  expect(store.find('r')).toBe(remote);
  await store.save(sandbox);
  expect(written).toEqual([[sandbox]]);
});

test('when writing fails, nothing is changed', async () => {
  const storage = { read: () => [], write: () => Promise.reject(new Error('disk full')) };
  const store = new ConnectionStore({ storage, log: silentLog });
  await expect(store.save(sandbox)).rejects.toThrow('disk full');
  expect(store.all).toEqual([]);
});

test('transient connections are not among the saved ones', () => {
  const { store } = createStore([remote], [{ ...remote, id: 'transient' }]);
  expect(store.all.map(({ id }) => id)).toEqual(['transient', 'r']);
  expect(store.saved.map(({ id }) => id)).toEqual(['r']);
});

test('a window that saves keeps what another window has added, changed and removed since', async () => {
  const { store: first, open } = createStore([remote, sandbox]);
  const second = open();
  await first.save({ ...remote, id: 'added', url: 'https://added.example.test' });
  await first.save({ ...remote, role: 'read-only' });
  await first.remove('s');
  await second.save({ ...remote, id: 'other', name: 'Other', url: 'https://other.example.test' });
  expect(second.all.map(({ id, role }) => `${id} ${role}`)).toEqual([
    'r read-only',
    'added production',
    'other production',
  ]);
  expect(open().all).toEqual(second.all);
});

test('a less strict role is saved for connections with the same address, but not for those that only may be the same instance', async () => {
  const { store, written } = createStore([
    { ...remote, url: 'https://localhost' },
    { ...remote, id: 'same', url: 'https://localhost/' },
    { ...remote, id: 'local', url: 'http://localhost' },
  ]);
  await store.save({ ...remote, url: 'https://localhost', role: 'development' });
  expect(written.at(-1)).toMatchObject([
    { role: 'development' },
    { role: 'development' },
    { role: 'production' },
  ]);
  // The strictest role applies.
  expect(store.all.map(({ role }) => role)).toEqual(['production', 'production', 'production']);
});

test('two saves at the same time both succeed', async () => {
  const { store, open } = createStore([]);
  await Promise.all([store.save(remote), store.save(sandbox)]);
  expect(store.all.map(({ id }) => id)).toEqual(['r', 's']);
  expect(open().all).toEqual(store.all);
});

test('unreadable entries stay stored: they may be from a newer version', async () => {
  const connectionOfNewerVersion = { ...remote, id: 'newer', role: 'disaster-recovery' };
  const { store, written } = createStore([connectionOfNewerVersion, remote]);
  await store.save(sandbox);
  expect(written).toEqual([[connectionOfNewerVersion, remote, sandbox]]);
  expect(store.all.map(({ id }) => id)).toEqual(['r', 's']);
});

test('a refresh loads what another window wrote, and fires only for a change', async () => {
  const { store: first, open } = createStore([remote, sandbox]);
  const second = open();
  const [, unchangedSandbox] = second.all;
  let changes = 0;
  second.onDidChange(() => {
    changes += 1;
  });
  second.refresh();
  expect(changes).toBe(0);
  await first.save({ ...remote, role: 'read-only' });
  second.refresh();
  expect([changes, second.find('r')?.role]).toEqual([1, 'read-only']);
  expect(second.find('s')).toBe(unchangedSandbox);
});

test('a transient connection can be removed, and nothing is written', async () => {
  const { store, written } = createStore([sandbox], [remote]);
  let changes = 0;
  store.onDidChange(() => {
    changes += 1;
  });
  await store.remove('r');
  expect(store.all).toEqual([sandbox]);
  expect([changes, written]).toEqual([1, []]);
});
