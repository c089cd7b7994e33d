import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import {
  getBaseConnectionId,
  getTenantConnectionId,
  readTenantConnectionId,
} from '../../../src/catalog/tenantConnection.ts';
import { writableGuard } from '../../fakes/guards.ts';
import { PlatformClient } from '../../../src/client/platformClient.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { getDistinguishingName } from '../../../src/connections/distinguishingName.ts';
import { SelectedTenants } from '../../../src/connections/selectedTenants.ts';
import { Sessions } from '../../../src/connections/sessions.ts';
import { WriteLocks } from '../../../src/connections/writeLocks.ts';
import { createDocumentPath, readDocumentPath } from '../../../src/documents/documentAddress.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryTransport } from '../../fakes/memoryTransport.ts';

const production: Connection = {
  id: 'p',
  kind: 'remote',
  name: 'Prod',
  role: 'production',
  url: 'https://analytics.example.test',
  tenantId: 'own',
};
const acme = getTenantConnectionId('p', 'acme');

function createStore() {
  let stored: readonly unknown[] = [production];
  return new ConnectionStore({
    storage: {
      read: () => stored,
      write: async (connections) => {
        stored = connections;
      },
    },
    log: silentLog,
  });
}

describe('the ID of a connection for a tenant', () => {
  test('has both parts, and replaces another tenant', () => {
    expect(readTenantConnectionId(acme)).toEqual({ baseId: 'p', tenantId: 'acme' });
    expect(getTenantConnectionId(acme, 'other')).toBe(getTenantConnectionId('p', 'other'));
    expect([getBaseConnectionId(acme), getBaseConnectionId('p')]).toEqual(['p', 'p']);
  });

  test.each(['p', '', '@tenant:x', 'p@tenant:'])('is not recognized in %j', (id) => {
    expect(readTenantConnectionId(id)).toBeUndefined();
  });

  test('is part of the address of a document', () => {
    const document = {
      connectionId: getTenantConnectionId('p', 'a~b/ü'),
      resource: { kind: 'viewpoint', viewpointId: 'v1' },
    } as const;
    const path = createDocumentPath({ ...document, name: 'View', within: ['Prod (acme)'] });
    expect(readDocumentPath(path)).toEqual(document);
    expect(path).not.toBe(
      createDocumentPath({ ...document, connectionId: 'p', name: 'View', within: ['Prod (acme)'] }),
    );
  });
});

describe('a connection for a tenant', () => {
  test('is the saved one with the tenant, and not listed; it is changed and removed with the saved one', async () => {
    const connections = createStore();
    const found = connections.find(acme);
    expect(found).toEqual({ ...production, id: acme, name: 'Prod (acme)', tenantId: 'acme' });
    expect(connections.find(acme)).toBe(found);
    expect(connections.all.map(({ id }) => id)).toEqual(['p']);
    await connections.save({ ...production, role: 'read-only' });
    expect(connections.find(acme)?.role).toBe('read-only');
    await connections.remove('p');
    expect(connections.find(acme)).toBeUndefined();
  });

  test('is never saved', async () => {
    const connections = createStore();
    await expect(connections.save({ ...production, id: acme })).rejects.toThrow(/not saved/);
    expect(connections.all).toEqual([production]);
  });

  test('is locked and unlocked with the saved one', () => {
    const locks = new WriteLocks(new FakeClock());
    const changedIds: string[] = [];
    locks.onDidChange((id) => changedIds.push(id));
    const getRefusals = () => ['p', acme].map((id) => locks.getRefusal({ id, role: 'production' }));
    expect(getRefusals()).toEqual(['locked', 'locked']);
    locks.unlock(acme, 1000);
    expect(getRefusals()).toEqual([undefined, undefined]);
    locks.lock('p');
    expect(getRefusals()).toEqual(['locked', 'locked']);
    expect(changedIds).toEqual(['p', 'p']);
  });

  test('has a session of its own, which ends with that of the saved one', async () => {
    const opened: string[] = [];
    const sessions = new Sessions({
      connections: createStore(),
      connect: async ({ id, tenantId = '' }) => {
        opened.push(`${id} ${tenantId}`);
        return new PlatformClient({
          baseUrl: 'http://127.0.0.1:1',
          tokenSource: async () => 'token',
          transport: new MemoryTransport(() => ({ body: '[]' })),
          log: silentLog,
          clock: new FakeClock(),
          guard: writableGuard,
        });
      },
      getPageSize: () => 100,
    });
    const endedIds: string[] = [];
    sessions.onDidEnd((id) => endedIds.push(id));
    await sessions.get('p');
    const session = await sessions.get(acme);
    expect(opened).toEqual(['p own', `${acme} acme`]);
    expect(session.connection.name).toBe('Prod (acme)');
    sessions.renew('p');
    expect(endedIds.toSorted()).toEqual(['p', acme].toSorted());
    expect([sessions.peek('p'), sessions.peek(acme)]).toEqual([undefined, undefined]);
    sessions.dispose();
  });
});

test('the selected tenant and the recent ones are kept by connection', () => {
  let stored: unknown;
  const storage = {
    read: () => stored,
    write: (value: unknown) => {
      stored = JSON.parse(JSON.stringify(value));
    },
  };
  const tenants = new SelectedTenants(storage);
  const changedIds: string[] = [];
  tenants.onDidChange((id) => changedIds.push(id));
  tenants.select('p', 'acme');
  tenants.select(acme, 'other');
  expect([tenants.get('p'), tenants.getConnectionId('p')]).toEqual([
    'other',
    getTenantConnectionId('p', 'other'),
  ]);
  tenants.select('p', undefined);
  const reopened = new SelectedTenants(storage);
  expect([reopened.get('p'), reopened.getConnectionId('p')]).toEqual([undefined, 'p']);
  expect(reopened.getRecent('p')).toEqual(['other', 'acme']);
  expect(reopened.getRecent('q')).toEqual([]);
  expect(changedIds).toEqual(['p', 'p', 'p']);
  reopened.forget('p');
  expect(reopened.getRecent('p')).toEqual([]);
});

test.each([
  undefined,
  'acme',
  [],
  { p: 'acme' },
  { p: {} },
  { p: { selected: 'acme' } },
  { p: { recent: 'acme' } },
  { p: { recent: ['a b'] } },
  { p: { recent: [7] } },
  { p: { recent: [], selected: 'a b' } },
])('unreadable stored tenants count as none, and others are kept: %#', (stored) => {
  const otherTenants = { selected: 'acme', recent: ['acme'] };
  const isByConnection = stored instanceof Object && 'p' in stored;
  let written: unknown;
  const tenants = new SelectedTenants({
    read: () => (isByConnection ? { ...stored, q: otherTenants } : stored),
    write: (value) => {
      written = value;
    },
  });
  expect([tenants.get('p'), tenants.getRecent('p')]).toEqual([undefined, []]);
  expect(tenants.get('q')).toBe(isByConnection ? 'acme' : undefined);
  tenants.select('p', 'other');
  expect(written).toEqual({
    ...(isByConnection ? { q: otherTenants } : {}),
    p: { selected: 'other', recent: ['other'] },
  });
});

test('a connection is named if there are several, or for a tenant', async () => {
  const connections = createStore();
  const getNames = (): readonly (string | undefined)[] =>
    ['p', acme, 'unknown'].map((id) => getDistinguishingName(connections, id));
  expect(getNames()).toEqual([undefined, 'Prod (acme)', undefined]);
  await connections.save({ ...production, id: 'q', name: 'Other' });
  expect(getNames()).toEqual(['Prod', 'Prod (acme)', undefined]);
});
