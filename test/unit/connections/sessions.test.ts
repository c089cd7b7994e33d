import { describe, expect, test } from 'vitest';
import { writableGuard } from '../../../src/client/guard.ts';
import { PlatformClient } from '../../../src/client/platformClient.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createBuildSource } from '../../../src/connections/createBuildSource.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { Sessions, UnknownConnectionError } from '../../../src/connections/sessions.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryTransport } from '../../fakes/memoryTransport.ts';

const connection: Connection = { kind: 'sandbox', id: 's', name: 'Sandbox', role: 'development' };

const clientOn = (transport: MemoryTransport): PlatformClient =>
  new PlatformClient({
    baseUrl: 'http://127.0.0.1:1',
    tokenSource: async () => 'token',
    transport,
    log: silentLog,
    clock: new FakeClock(),
    guard: writableGuard,
  });

function createSessions(connect?: (connection: Connection) => Promise<PlatformClient>) {
  const connections = new ConnectionStore({
    storage: { read: () => [connection], write: async () => {} },
    log: silentLog,
  });
  const transports: MemoryTransport[] = [];
  const makeClient = async (): Promise<PlatformClient> => {
    const transport = new MemoryTransport(() => ({ body: '[]' }));
    transports.push(transport);
    return clientOn(transport);
  };
  const sessions = new Sessions({ connections, connect: connect ?? makeClient, getPageSize: () => 100 });
  const ended: string[] = [];
  sessions.onDidEnd((id) => ended.push(id));
  return { sessions, connections, transports, ended };
}

test('callers share one session, and opening it sends no request', async () => {
  const { sessions, transports } = createSessions();
  const [first, second] = await Promise.all([sessions.get('s'), sessions.get('s')]);
  expect(first).toBe(second);
  expect(transports.map(({ requests }) => requests.length)).toEqual([0]);
});

test('a missing connection has no session', async () => {
  const { sessions } = createSessions();
  await expect(sessions.get('gone')).rejects.toBeInstanceOf(UnknownConnectionError);
});

test('a changed role ends the session with its transport, and the next use opens another', async () => {
  const { sessions, connections, transports, ended } = createSessions();
  const before = await sessions.get('s');
  await connections.save({ ...connection, role: 'read-only' });
  expect(ended).toEqual(['s']);
  expect(transports[0]?.disposed).toBe(true);
  const after = await sessions.get('s');
  expect(after).not.toBe(before);
  expect(after.connection.role).toBe('read-only');
});

test('a new name leaves the session as it is', async () => {
  const { sessions, connections, ended } = createSessions();
  const before = await sessions.get('s');
  await connections.save({ ...connection, name: 'Renamed' });
  expect(ended).toEqual([]);
  expect(await sessions.get('s')).toBe(before);
});

test('a failed session is retried', async () => {
  let attempts = 0;
  const { sessions } = createSessions(async () => {
    attempts += 1;
    throw new Error('no sandbox');
  });
  await expect(sessions.get('s')).rejects.toThrow('no sandbox');
  await expect(sessions.get('s')).rejects.toThrow('no sandbox');
  expect(attempts).toBe(2);
});

test('an edit while the session is opening applies: the former role is never used', async () => {
  const waiting = Promise.withResolvers<void>();
  const roles: string[] = [];
  const { sessions, connections } = createSessions(async (opened) => {
    roles.push(opened.role);
    await waiting.promise;
    return clientOn(new MemoryTransport(() => ({ body: '[]' })));
  });
  const opening = sessions.get('s');
  await connections.save({ ...connection, role: 'read-only' });
  waiting.resolve();
  expect((await opening).connection.role).toBe('read-only');
  expect(roles).toEqual(['development', 'read-only']);
});

test('background work starts no sandbox, and uses one that is in use', async () => {
  const { sessions, connections, transports } = createSessions();
  const opened: string[] = [];
  sessions.onDidOpen((id) => opened.push(id));
  expect(await sessions.getWithoutStartingSandbox('s')).toBeUndefined();
  expect(transports).toEqual([]);
  const session = await sessions.get('s');
  expect(await sessions.getWithoutStartingSandbox('s')).toBe(session);
  sessions.end('s');
  expect(await sessions.getWithoutStartingSandbox('s')).toBeUndefined();
  const url = 'https://bi.example.com';
  await connections.save({ kind: 'remote', id: 'r', name: 'Remote', role: 'development', url });
  expect((await sessions.getWithoutStartingSandbox('r'))?.connection.id).toBe('r');
  expect(opened).toEqual(['s', 'r']);
});

test('polling builds of an unused sandbox sends no request and starts nothing', async () => {
  const { sessions, connections, transports } = createSessions();
  const source = createBuildSource(connections, sessions);
  expect(source.canPoll('s')).toBe(false);
  await expect(source.list('s')).rejects.toThrow('The sandbox does not run');
  expect(transports).toEqual([]);
  await sessions.get('s');
  expect([source.canPoll('s'), source.getConnectionsInUse()]).toEqual([true, ['s']]);
  expect(await source.list('s')).toEqual([]);
  expect(transports.map(({ requests }) => requests.length)).toEqual([1]);
});

test('a session that is ended while it opens is not used, and leaves nothing open', async () => {
  const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transports: MemoryTransport[] = [];
  const { sessions } = createSessions(async () => {
    const transport = new MemoryTransport(() => ({ body: '[]' }));
    transports.push(transport);
    await waiting[transports.length - 1]?.promise;
    return clientOn(transport);
  });
  const opened: string[] = [];
  sessions.onDidOpen((id) => opened.push(id));
  const before = sessions.get('s');
  sessions.end('s');
  const after = sessions.get('s');
  waiting[1]?.resolve();
  const session = await after;
  waiting[0]?.resolve();
  expect(await before).toBe(session);
  expect(sessions.peek('s')).toBe(session);
  expect(transports.map(({ disposed }) => disposed)).toEqual([true, false]);
  expect(opened).toEqual(['s']);
});

describe('work that must not be interrupted', () => {
  /** Runs until it is released, and records the requests that it sends. */
  async function carriedOut() {
    const all = createSessions();
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = all.sessions.use('s', async ({ client }) => {
      await promise;
      return client.datamodels.list();
    });
    await all.sessions.get('s');
    return { ...all, running, letGo: resolve };
  }

  test('finishes when the session is renewed, and then its connections are closed', async () => {
    const { sessions, transports, ended, running, letGo } = await carriedOut();
    sessions.renew('s');
    expect([ended, sessions.peek('s'), transports[0]?.disposed]).toEqual([['s'], undefined, false]);
    const renewed = await sessions.get('s');
    const changes: string[] = [];
    renewed.catalog.onDidChange(({ kind }) => changes.push(kind));
    letGo();
    expect((await running).value).toEqual([]);
    expect(transports.map(({ disposed }) => disposed)).toEqual([true, false]);
    // It may have read outdated data.
    expect(changes).toEqual(['all']);
  });

  test.each([
    ['ended', async ({ sessions }: ReturnType<typeof createSessions>) => sessions.end('s')],
    [
      'another one by an edit',
      ({ connections }: ReturnType<typeof createSessions>) =>
        connections.save({ ...connection, role: 'read-only' }),
    ],
  ])('is still interrupted when the session is %s, renewed or not', async (_how, end) => {
    for (const isRenewed of [false, true]) {
      const all = await carriedOut();
      if (isRenewed) {
        all.sessions.renew('s');
      }
      await end(all);
      expect(all.transports[0]?.disposed).toBe(true);
      all.letGo();
      await expect(all.running).rejects.toMatchObject({ code: 'connection-closed' });
    }
  });

  test('does not delay closing when none is running: a renewed session is closed at once', async () => {
    const { sessions, transports } = createSessions();
    await sessions.use('s', async () => undefined);
    sessions.renew('s');
    expect(transports[0]?.disposed).toBe(true);
  });
});

test('when the network changes, open sessions with remote instances are renewed', async () => {
  const { sessions, connections, transports, ended } = createSessions();
  const url = 'https://bi.example.com';
  await connections.save({ kind: 'remote', id: 'r', name: 'Remote', role: 'development', url });
  await sessions.get('s');
  sessions.renewRemote();
  expect(ended).toEqual([]);
  await sessions.get('r');
  sessions.renewRemote();
  expect([ended, transports.map(({ disposed }) => disposed)]).toEqual([['r'], [false, true]]);
});
