import { describe, expect, test } from 'vitest';
import { ReadOnlyError } from '../../../src/client/errors.ts';
import { TransportFailure } from '../../../src/client/transport.ts';
import { silentLog } from '../../../src/base/log.ts';
import { getTenantConnectionId } from '../../../src/catalog/tenantConnection.ts';
import type { Connection, ConnectionRole } from '../../../src/connections/connection.ts';
import { Connector } from '../../../src/connections/connector.ts';
import type { TokenStore } from '../../../src/connections/tokenStore.ts';
import { WriteLocks } from '../../../src/connections/writeLocks.ts';
import { type EndpointId, endpoints, tenantHeader } from '../../../src/contract/endpoints.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { createClientCalls } from '../../support/clientCalls.ts';

/** Creates a connector whose instance responds to every request with an empty list, and records the requests. */
function createConnector() {
  const clock = new FakeClock();
  const locks = new WriteLocks(clock);
  const sentRequests: {
    readonly method: string;
    readonly authorization: string | undefined;
    readonly tenant?: string | undefined;
  }[] = [];
  /** The new names of connections. */
  const newNames = new Map<string, string>();
  const lostUrls: string[] = [];
  const connectionRefusal = { isOn: false };
  const storedTokens = new Map<string, string>([['c@https://bi.example.com', 'the-token']]);
  const tokens: TokenStore = {
    get: async (id, origin) => storedTokens.get(`${id}@${origin}`),
    set: async (id, origin, token) => void storedTokens.set(`${id}@${origin}`, token),
    forget: async (id, origin) => void storedTokens.delete(`${id}@${origin}`),
  };
  const connector = new Connector({
    tokens,
    locks,
    getConnectionName: ({ name }) => newNames.get(name) ?? name,
    clock,
    log: silentLog,
    getLimits: () => ({ timeoutMs: 1000, concurrency: 6 }),
    locateSandbox: async () => ({ url: 'http://127.0.0.1:4711', adminToken: 'sandbox-token' }),
    onSandboxLost: (url) => lostUrls.push(url),
    createTransport: async () => ({
      async send({ method, headers }) {
        if (connectionRefusal.isOn) {
          throw new TransportFailure('refused', { mayHaveBeenSent: false });
        }
        const tenant = headers[tenantHeader];
        sentRequests.push({
          method,
          authorization: headers['authorization'],
          ...(tenant === undefined ? {} : { tenant }),
        });
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
  return { connector, locks, clock, sentRequests, storedTokens, newNames, lostUrls, connectionRefusal };
}

const createConnection = (role: ConnectionRole): Connection => ({
  kind: 'remote',
  id: 'c',
  name: 'BI',
  role,
  url: 'https://bi.example.com/app',
});

const writeEndpointIds = (Object.keys(endpoints) as EndpointId[]).filter(
  (id) => endpoints[id].method !== 'GET',
);

describe('a connection that must not be written to', () => {
  test.each(['production', 'read-only'] as const)('%s: no write of the client is sent', async (role) => {
    const { connector, sentRequests } = createConnector();
    const calls = createClientCalls(await connector.connect(createConnection(role)));
    for (const id of writeEndpointIds) {
      await expect(calls[id](), id).rejects.toBeInstanceOf(ReadOnlyError);
    }
    expect(sentRequests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(writeEndpointIds.length).toBeGreaterThan(20);
  });

  test('production accepts writes only while it is unlocked', async () => {
    const { connector, locks, clock, sentRequests } = createConnector();
    const client = await connector.connect(createConnection('production'));
    locks.unlock('c', 60_000);
    await client.viewpoints.delete({ viewpointId: 'v' });
    expect(sentRequests.map(({ method }) => method)).toEqual(['DELETE']);
    await clock.advance(60_000);
    await expect(client.viewpoints.delete({ viewpointId: 'v' })).rejects.toBeInstanceOf(ReadOnlyError);
    expect(sentRequests).toHaveLength(1);
  });
});

test('an error names the connection by its current name', async () => {
  const { connector, newNames } = createConnector();
  const client = await connector.connect(createConnection('production'));
  newNames.set('BI', 'BI of Europe');
  await expect(client.viewpoints.delete({ viewpointId: 'v' })).rejects.toMatchObject({
    code: 'locked',
    connection: { id: 'c', name: 'BI of Europe' },
  });
});

test('the request has the token of this connection and origin only', async () => {
  const { connector, sentRequests } = createConnector();
  const client = await connector.connect(createConnection('development'));
  await client.datamodels.list();
  expect(sentRequests).toEqual([{ method: 'GET', authorization: 'Bearer the-token' }]);
  const otherClient = await connector.connect({
    ...createConnection('development'),
    url: 'https://evil.example.com',
  } as Connection);
  await expect(otherClient.datamodels.list()).rejects.toMatchObject({
    code: 'signed-out',
    connection: { id: 'c', name: 'BI' },
  });
  expect(sentRequests).toHaveLength(1);
});

test('connecting to the sandbox starts it and stores its token for its address', async () => {
  const { connector, sentRequests, storedTokens } = createConnector();
  const client = await connector.connect({ kind: 'sandbox', id: 's', name: 'Sandbox', role: 'development' });
  await client.datamodels.list();
  expect(storedTokens.get('s@http://127.0.0.1:4711')).toBe('sandbox-token');
  expect(sentRequests.at(-1)?.authorization).toBe('Bearer sandbox-token');
});

test('a sandbox that refuses connections is reported, a remote instance is not', async () => {
  const { connector, lostUrls, connectionRefusal } = createConnector();
  const sandbox = await connector.connect({ kind: 'sandbox', id: 's', name: 'S', role: 'development' });
  const remoteClient = await connector.connect(createConnection('development'));
  await sandbox.builds.list();
  expect(lostUrls).toEqual([]);
  connectionRefusal.isOn = true;
  await expect(remoteClient.builds.list()).rejects.toThrow('refused');
  await expect(sandbox.builds.list()).rejects.toThrow('refused');
  expect(lostUrls).toEqual(['http://127.0.0.1:4711']);
});

test('on behalf of a tenant, the token of the saved connection is sent, and the tenant with viewpoints only', async () => {
  const { connector, sentRequests, storedTokens } = createConnector();
  const client = await connector.connect({
    ...createConnection('development'),
    id: getTenantConnectionId('c', 'acme'),
    tenantId: 'acme',
  });
  await client.viewpoints.list();
  await client.datamodels.list();
  expect(sentRequests).toEqual([
    { method: 'GET', authorization: 'Bearer the-token', tenant: 'acme' },
    { method: 'GET', authorization: 'Bearer the-token' },
  ]);
  const sandbox = { kind: 'sandbox', name: 'Sandbox', role: 'development', tenantId: 'acme' } as const;
  await connector.connect({ ...sandbox, id: getTenantConnectionId('s', 'acme') });
  expect([...storedTokens.keys()]).toContain('s@http://127.0.0.1:4711');
});
