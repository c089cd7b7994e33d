import { describe, expect, test } from 'vitest';
import { writableGuard } from '../../fakes/guards.ts';
import { PlatformClient } from '../../../src/client/platformClient.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createBuildApi } from '../../../src/connections/createBuildApi.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { Sessions, UnknownConnectionError } from '../../../src/connections/sessions.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryTransport } from '../../fakes/memoryTransport.ts';

const connection: Connection = { kind: 'sandbox', id: 's', name: 'Sandbox', role: 'development' };

const createClient = (transport: MemoryTransport): PlatformClient =>
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
  const connectInMemory = async (): Promise<PlatformClient> => {
    const transport = new MemoryTransport(() => ({ body: '[]' }));
    transports.push(transport);
    return createClient(transport);
  };
  const sessions = new Sessions({ connections, connect: connect ?? connectInMemory, getPageSize: () => 100 });
  const endedIds: string[] = [];
  sessions.onDidEnd((id) => endedIds.push(id));
  return { sessions, connections, transports, endedIds };
}

test('callers share one session, and opening it sends no request', async () => {
  const { sessions, transports } = createSessions();
  const [first, second] = await Promise.all([sessions.get('s'), sessions.get('s')]);
  expect(first).toBe(second);
  expect(transports.map(({ requests }) => requests.length)).toEqual([0]);
});

test('a session continues with the new name and the cube sets of its connection', async () => {
  const { sessions, connections, endedIds } = createSessions();
  const session = await sessions.get('s');
  const changed: Connection = { ...connection, name: 'Shop', cubeSets: [{ name: 'All', server: 'set' }] };
  await connections.save(changed);
  expect(endedIds).toEqual([]);
  expect(session.connection).toEqual(changed);
  await connections.remove('s');
  expect(endedIds).toEqual(['s']);
  expect(session.connection.id).toBe('s');
});

test('a missing connection has no session', async () => {
  const { sessions } = createSessions();
  await expect(sessions.get('gone')).rejects.toBeInstanceOf(UnknownConnectionError);
});

test('a changed role ends the session with its transport, and the next use opens another', async () => {
  const { sessions, connections, transports, endedIds } = createSessions();
  const before = await sessions.get('s');
  await connections.save({ ...connection, role: 'read-only' });
  expect(endedIds).toEqual(['s']);
  expect(transports[0]?.isDisposed).toBe(true);
  const after = await sessions.get('s');
  expect(after).not.toBe(before);
  expect(after.connection.role).toBe('read-only');
});

test('a new name of the connection does not end the session', async () => {
  const { sessions, connections, endedIds } = createSessions();
  const before = await sessions.get('s');
  await connections.save({ ...connection, name: 'Renamed' });
  expect(endedIds).toEqual([]);
  expect(await sessions.get('s')).toBe(before);
});

test('a session that failed to open is opened again by the next use', async () => {
  let attempts = 0;
  const { sessions } = createSessions(async () => {
    attempts += 1;
    throw new Error('no sandbox');
  });
  await expect(sessions.get('s')).rejects.toThrow('no sandbox');
  await expect(sessions.get('s')).rejects.toThrow('no sandbox');
  expect(attempts).toBe(2);
});

test('an edit while the session is opening applies: no session has the previous role', async () => {
  const waiting = Promise.withResolvers<void>();
  const roles: string[] = [];
  const { sessions, connections } = createSessions(async (opened) => {
    roles.push(opened.role);
    await waiting.promise;
    return createClient(new MemoryTransport(() => ({ body: '[]' })));
  });
  const opening = sessions.get('s');
  await connections.save({ ...connection, role: 'read-only' });
  waiting.resolve();
  expect((await opening).connection.role).toBe('read-only');
  expect(roles).toEqual(['development', 'read-only']);
});

test('background work starts no sandbox, and uses an open session', async () => {
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
  const source = createBuildApi(connections, sessions);
  expect(source.canPoll('s')).toBe(false);
  await expect(source.list('s')).rejects.toThrow("The sandbox isn't running");
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
    return createClient(transport);
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
  expect(transports.map(({ isDisposed: disposed }) => disposed)).toEqual([true, false]);
  expect(opened).toEqual(['s']);
});

describe('work that must not be interrupted', () => {
  /** Starts an operation that reads the datamodels once it is released. */
  async function startOperation() {
    const created = createSessions();
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = created.sessions.use('s', async ({ client }) => {
      await promise;
      return client.datamodels.list();
    });
    await created.sessions.get('s');
    return { ...created, running, release: resolve };
  }

  test('finishes when the session is renewed, and then its connections are closed', async () => {
    const { sessions, transports, endedIds, running, release } = await startOperation();
    sessions.renew('s');
    expect([endedIds, sessions.peek('s'), transports[0]?.isDisposed]).toEqual([['s'], undefined, false]);
    const renewed = await sessions.get('s');
    const changes: string[] = [];
    renewed.catalog.onDidChange(({ kind }) => changes.push(kind));
    release();
    expect((await running).value).toEqual([]);
    expect(transports.map(({ isDisposed: disposed }) => disposed)).toEqual([true, false]);
    // The new session may have read data from before the operation.
    expect(changes).toEqual(['all']);
  });

  test.each([
    ['is ended', async ({ sessions }: ReturnType<typeof createSessions>) => sessions.end('s')],
    [
      'is replaced after an edit of its connection',
      ({ connections }: ReturnType<typeof createSessions>) =>
        connections.save({ ...connection, role: 'read-only' }),
    ],
  ])('is interrupted when the session %s, even if it was renewed before', async (_how, endSession) => {
    for (const isRenewed of [false, true]) {
      const started = await startOperation();
      if (isRenewed) {
        started.sessions.renew('s');
      }
      await endSession(started);
      expect(started.transports[0]?.isDisposed).toBe(true);
      started.release();
      await expect(started.running).rejects.toMatchObject({ code: 'connection-closed' });
    }
  });

  test('does not delay the end of a session once it is done: renewing then closes the session at once', async () => {
    const { sessions, transports } = createSessions();
    await sessions.use('s', async () => undefined);
    sessions.renew('s');
    expect(transports[0]?.isDisposed).toBe(true);
  });
});

test('when the network changes, open sessions with remote instances are renewed', async () => {
  const { sessions, connections, transports, endedIds } = createSessions();
  const url = 'https://bi.example.com';
  await connections.save({ kind: 'remote', id: 'r', name: 'Remote', role: 'development', url });
  await sessions.get('s');
  sessions.renewRemoteSessions();
  expect(endedIds).toEqual([]);
  await sessions.get('r');
  sessions.renewRemoteSessions();
  expect([endedIds, transports.map(({ isDisposed: disposed }) => disposed)]).toEqual([['r'], [false, true]]);
});
