import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';

const remote: Connection = {
  id: 'r',
  kind: 'remote',
  name: 'Production',
  role: 'production',
  url: 'https://analytics.example.test',
};
const sandbox: Connection = { id: 's', kind: 'sandbox', name: 'Sandbox', role: 'development' };

function storeWith(stored: unknown, transient: readonly Connection[] = []) {
  const written: (readonly Connection[])[] = [];
  const storage = {
    read: () => stored,
    write: async (connections: readonly Connection[]) => {
      written.push(connections);
    },
  };
  return { store: new ConnectionStore({ storage, log: silentLog, transient }), written };
}

test('keeps what it is given, tells so, and replaces by id', async () => {
  const { store, written } = storeWith(undefined);
  let changes = 0;
  store.onDidChange(() => {
    changes += 1;
  });
  await store.save(remote);
  await store.save(sandbox);
  await store.save({ ...remote, name: 'Prod' });
  expect(store.all.map(({ name }) => name)).toEqual(['Prod', 'Sandbox']);
  await store.remove('s');
  expect(written.at(-1)?.map(({ id }) => id)).toEqual(['r']);
  expect(changes).toBe(4);
});

test('a stored connection that cannot be read is left out, the others stay', () => {
  const { store } = storeWith([{ id: 'broken' }, sandbox, { ...remote, url: 'javascript:alert(1)' }]);
  expect(store.all).toEqual([sandbox]);
});

test('storage that holds something else altogether is an empty store', () => {
  expect(storeWith('nonsense').store.all).toEqual([]);
});

test('a connection of this session only is listed and never written', async () => {
  const { store, written } = storeWith([], [remote]);
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

test('those of this session only are not among what stays, as for a file to share', () => {
  const { store } = storeWith([remote], [{ ...remote, id: 'handed-over' }]);
  expect(store.all.map(({ id }) => id)).toEqual(['handed-over', 'r']);
  expect(store.saved.map(({ id }) => id)).toEqual(['r']);
});
