import { describe, expect, test } from 'vitest';
import { ReadOnlyError } from '../../../src/client/errors.ts';
import { TransportFailure } from '../../../src/client/transport.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Connection, ConnectionRole } from '../../../src/connections/connection.ts';
import { Connector } from '../../../src/connections/connector.ts';
import type { TokenStore } from '../../../src/connections/tokenStore.ts';
import { WriteLocks } from '../../../src/connections/writeLocks.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { createEveryCall } from '../../support/clientCalls.ts';

/** A connector whose instance responds to everything with an empty list and records the requests. */
function connectorTo() {
  const clock = new FakeClock();
  const locks = new WriteLocks(clock);
  const sent: { readonly method: string; readonly authorization: string | undefined }[] = [];
  /** The new names of connections. */
  const names = new Map<string, string>();
  const lost: string[] = [];
  const refusal = { isOn: false };
  const stored = new Map<string, string>([['c@https://bi.example.com', 'the-token']]);
  const tokens: TokenStore = {
    get: async (id, origin) => stored.get(`${id}@${origin}`),
    set: async (id, origin, token) => void stored.set(`${id}@${origin}`, token),
    forget: async (id, origin) => void stored.delete(`${id}@${origin}`),
  };
  const connector = new Connector({
    tokens,
    locks,
    getConnectionName: ({ name }) => names.get(name) ?? name,
    clock,
    log: silentLog,
    getLimits: () => ({ timeoutMs: 1000, concurrency: 6 }),
    locateSandbox: async () => ({ url: 'http://127.0.0.1:4711', adminToken: 'sandbox-token' }),
    onSandboxLost: (url) => lost.push(url),
    createTransport: async () => ({
      async send({ method, headers }) {
        if (refusal.isOn) {
          throw new TransportFailure('refused', { sent: false });
        }
        sent.push({ method, authorization: headers['authorization'] });
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          text: '[]',
          isUtf8: true,
          bytes: 2,
        };
      },
      dispose() {},
    }),
  });
  return { connector, locks, clock, sent, stored, names, lost, refusal };
}

const createConnection = (role: ConnectionRole): Connection => ({
  kind: 'remote',
  id: 'c',
  name: 'BI',
  role,
  url: 'https://bi.example.com/app',
});

const writes = (Object.keys(endpoints) as EndpointId[]).filter((id) => endpoints[id].method !== 'GET');

describe('a connection that must not be written to', () => {
  test.each(['production', 'read-only'] as const)('%s: no write of the client is sent', async (role) => {
    const { connector, sent } = connectorTo();
    const calls = createEveryCall(await connector.connect(createConnection(role)));
    for (const id of writes) {
      await expect(calls[id](), id).rejects.toBeInstanceOf(ReadOnlyError);
    }
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(writes.length).toBeGreaterThan(20);
  });

  test('production accepts writes only while it is unlocked', async () => {
    const { connector, locks, clock, sent } = connectorTo();
    const client = await connector.connect(createConnection('production'));
    locks.unlock('c', 60_000);
    await client.viewpoints.delete({ viewpointId: 'v' });
    expect(sent.map(({ method }) => method)).toEqual(['DELETE']);
    await clock.advance(60_000);
    await expect(client.viewpoints.delete({ viewpointId: 'v' })).rejects.toBeInstanceOf(ReadOnlyError);
    expect(sent).toHaveLength(1);
  });
});

test('an error names the connection by its current name', async () => {
  const { connector, names } = connectorTo();
  const client = await connector.connect(createConnection('production'));
  names.set('BI', 'BI of Europe');
  await expect(client.viewpoints.delete({ viewpointId: 'v' })).rejects.toMatchObject({
    code: 'locked',
    connection: { id: 'c', name: 'BI of Europe' },
  });
});

test('the request has the token of this connection and origin only', async () => {
  const { connector, sent } = connectorTo();
  const client = await connector.connect(createConnection('development'));
  await client.datamodels.list();
  expect(sent).toEqual([{ method: 'GET', authorization: 'Bearer the-token' }]);
  const elsewhere = await connector.connect({
    ...createConnection('development'),
    url: 'https://evil.example.com',
  } as Connection);
  await expect(elsewhere.datamodels.list()).rejects.toMatchObject({ code: 'signed-out' });
  expect(sent).toHaveLength(1);
});

test('the sandbox is started on use, and its token stored like any other', async () => {
  const { connector, sent, stored } = connectorTo();
  const client = await connector.connect({ kind: 'sandbox', id: 's', name: 'Sandbox', role: 'development' });
  await client.datamodels.list();
  expect(stored.get('s@http://127.0.0.1:4711')).toBe('sandbox-token');
  expect(sent.at(-1)?.authorization).toBe('Bearer sandbox-token');
});

test('a sandbox that has stopped listening is reported; a remote instance is handled differently', async () => {
  const { connector, lost, refusal } = connectorTo();
  const sandbox = await connector.connect({ kind: 'sandbox', id: 's', name: 'S', role: 'development' });
  const remote = await connector.connect(createConnection('development'));
  await sandbox.builds.list();
  expect(lost).toEqual([]);
  refusal.isOn = true;
  await expect(remote.builds.list()).rejects.toThrow('refused');
  await expect(sandbox.builds.list()).rejects.toThrow('refused');
  expect(lost).toEqual(['http://127.0.0.1:4711']);
});
