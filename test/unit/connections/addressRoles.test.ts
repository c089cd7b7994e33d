import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { getStrictestRole, withOneRolePerAddress } from '../../../src/connections/addressRoles.ts';
import type { Connection, ConnectionRole } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';

const createRemote = (
  id: string,
  role: ConnectionRole,
  url = 'https://bi.example.com',
  tenantId?: string,
): Connection => ({
  id,
  kind: 'remote',
  name: id,
  role,
  url,
  ...(tenantId === undefined ? {} : { tenantId }),
});

const createStore = (stored: readonly unknown[], transient: readonly Connection[] = []) => {
  let entries: readonly unknown[] = stored;
  const storage = {
    read: () => entries,
    write: async (next: readonly unknown[]) => {
      entries = next;
    },
  };
  return {
    store: new ConnectionStore({ storage, log: silentLog, transient }),
    readEntries: () => entries,
  };
};

const getRoles = ({ all }: ConnectionStore): readonly string[] => all.map(({ id, role }) => `${id} ${role}`);

test('the strictest of several roles is found', () => {
  expect(getStrictestRole(['production', 'development'])).toBe('production');
  expect(getStrictestRole(['staging', 'read-only', 'production'])).toBe('read-only');
  expect(getStrictestRole([])).toBeUndefined();
});

test('all connections to one address have its strictest role, whatever their tenants; other connections keep their role', () => {
  const sandbox: Connection = { id: 's', kind: 'sandbox', name: 'Sandbox', role: 'development' };
  const connectionToOtherAddress = createRemote('elsewhere', 'development', 'https://bi.example.com/other');
  const connections = [
    createRemote('loose', 'development', 'http://BI.example.com./'),
    createRemote('strict', 'production'),
    createRemote('tenant', 'staging', 'https://bi.example.com', 'acme'),
    connectionToOtherAddress,
    sandbox,
  ];
  const result = withOneRolePerAddress(connections);
  expect(result.map(({ role }) => role)).toEqual([
    'production',
    'production',
    'production',
    'development',
    'development',
  ]);
  expect([result[1], result[3], result[4]]).toEqual([connections[1], connectionToOtherAddress, sandbox]);
  expect(result[3]).toBe(connectionToOtherAddress);
});

test('two stored connections to one address cannot bypass the lock of production', () => {
  const { store } = createStore(
    [createRemote('first', 'development'), createRemote('second', 'production')],
    [createRemote('transient', 'development')],
  );
  expect(getRoles(store)).toEqual(['transient production', 'first production', 'second production']);
  expect(store.saved.map(({ id, role }) => `${id} ${role}`)).toEqual([
    'first production',
    'second production',
  ]);
});

test('a connection with an inherited role stays the same object until something changes', async () => {
  const { store } = createStore([createRemote('first', 'development'), createRemote('second', 'production')]);
  const first = store.find('first');
  let changes = 0;
  store.onDidChange(() => {
    changes += 1;
  });
  store.refresh();
  expect(changes).toBe(0);
  await store.save(createRemote('third', 'staging', 'https://third.example.com'));
  expect(store.find('first')).toBe(first);
});

test('a new role of one connection applies to all connections to its address; unknown fields are kept', async () => {
  const first = createRemote('first', 'production');
  const { store, readEntries } = createStore(
    [
      first,
      { ...createRemote('tenant', 'production', 'https://bi.example.com', 'acme'), newer: true },
      createRemote('other', 'production', 'https://x.test'),
    ],
    [createRemote('transient', 'development', 'http://bi.example.com')],
  );
  await store.save({ ...first, role: 'staging' });
  expect(getRoles(store)).toEqual([
    'transient staging',
    'first staging',
    'tenant staging',
    'other production',
  ]);
  expect(readEntries()[1]).toMatchObject({ id: 'tenant', role: 'staging', newer: true });
});

test('neither a new connection nor a new name makes an address less strict', async () => {
  const first = createRemote('first', 'production');
  const { store, readEntries } = createStore([first]);
  await store.save(createRemote('second', 'development', 'https://bi.example.com', 'acme'));
  await store.save({ ...first, name: 'Renamed' });
  expect(getRoles(store)).toEqual(['first production', 'second production']);
  expect(readEntries()[0]).toEqual({ ...first, name: 'Renamed' });
});
