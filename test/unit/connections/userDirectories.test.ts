import { describe, expect, test } from 'vitest';
import { Emitter } from '../../../src/base/event.ts';
import { InstanceCatalog } from '../../../src/catalog/instanceCatalog.ts';
import { getTenantConnectionId } from '../../../src/catalog/tenantConnection.ts';
import { UserDirectories } from '../../../src/connections/userDirectories.ts';
import { peekUserDirectory } from '../../../src/connections/createUserDirectory.ts';
import type { CatalogChangeEvent } from '../../../src/connections/sessions.ts';
import type { UserDirectory, ImportedMember } from '../../../src/catalog/people/userDirectory.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';
import type { MemoryResponse } from '../../fakes/memoryTransport.ts';
import { json, createTestClient } from '../client/support.ts';
import { createFakeCatalogSource } from '../../fakes/fakeCatalogSource.ts';
import { createSession } from '../../fakes/fakeSessions.ts';

type Answer = (skip: number, limit: number) => MemoryResponse;

function createDirectories(
  { users, groups }: { users: Answer; groups: Answer },
  imported: readonly ImportedMember[] = [],
) {
  const { client, transport } = createTestClient(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const answer = pathname.endsWith('/users') ? users : groups;
    return answer(Number(searchParams.get('skip')), Number(searchParams.get('limit')));
  });
  const session = createSession({ client, catalog: new InstanceCatalog(createFakeCatalogSource({})) });
  const onDidEnd = new Emitter<string>();
  const onDidChangeCatalog = new Emitter<CatalogChangeEvent>();
  const onDidImport = new Emitter<string>();
  const importedMembers = [...imported];
  const userDirectories = new UserDirectories({
    sessions: {
      get: async () => session,
      onDidEnd: onDidEnd.event,
      onDidChangeCatalog: onDidChangeCatalog.event,
    },
    memberships: { read: async () => [...importedMembers], onDidChange: onDidImport.event },
    log: new MemoryLog(),
  });
  const peek = (): UserDirectory =>
    peekUserDirectory({ userDirectories, sessions: { peek: () => session } }, 'c');
  return { userDirectories, peek, transport, onDidEnd, onDidChangeCatalog, onDidImport, importedMembers };
}

const anna = { _id: 'u1', userName: 'anna', groups: ['g1'] };
const sales = { _id: 'g1', name: 'Sales' };
const fewPeople = { users: () => json([anna]), groups: () => json([sales]) };

const manyUsers = Array.from({ length: 1234 }, (_value, index) => ({
  _id: `u${index}`,
  userName: `user ${index}`,
  groups: [],
}));

test('people that are read while a list is imported are returned, but not cached', async () => {
  const users = (): MemoryResponse => {
    created.onDidImport.fire('c');
    return json([anna]);
  };
  const created = createDirectories({ ...fewPeople, users });
  expect((await created.userDirectories.get('c')).getName('user', 'u1')).toBe('anna');
  expect(created.userDirectories.peek('c')).toBeUndefined();
});

describe("the instance's people", () => {
  test('are requested once, and known without a request afterwards', async () => {
    const { userDirectories, peek, transport } = createDirectories(fewPeople);
    expect(peek().getParties('user')).toEqual([]);
    await Promise.all([userDirectories.get('c'), userDirectories.get('c')]);
    const directory = await userDirectories.get('c');
    expect(directory.getMembership('u1')).toEqual({ groupIds: ['g1'], source: 'instance' });
    expect(directory.resolve('group', 'Sales')).toMatchObject({ kind: 'known', id: 'g1' });
    expect(peek().getName('user', 'u1')).toBe('anna');
    const paths = transport.requestLines.map((line) => line.split('?')[0]);
    expect(paths.filter((path) => path === 'GET /api/v1/users')).toHaveLength(2);
    expect(transport.requestLines[0]).toContain(
      'fields=_id%2CuserName%2Cemail%2CfirstName%2ClastName%2Cgroups%2Cadgroups',
    );
  });

  test.each<[string, Answer, boolean]>([
    ['the requested pages', (skip, limit) => json(manyUsers.slice(skip, skip + limit)), true],
    ['pages smaller than requested', (skip) => json(manyUsers.slice(skip, skip + 100)), true],
    ['all users, whatever is requested', () => json(manyUsers), true],
    ['the first page again and again', (_skip, limit) => json(manyUsers.slice(0, limit)), false],
  ])('are read as far as possible if the server sends %s', async (_name, users, isComplete) => {
    const directory = await createDirectories({ ...fewPeople, users }).userDirectories.get('c');
    expect(directory.getParties('user')).toHaveLength(isComplete ? manyUsers.length : 500);
    expect(directory.listsAll('user')).toBe(isComplete);
  });

  test('are truncated if the list never ends, and no one is reported as missing', async () => {
    let count = 0;
    const users = (_skip: number, limit: number): MemoryResponse =>
      json(Array.from({ length: limit }, () => ({ _id: `u${(count += 1)}` })));
    const directory = await createDirectories({ ...fewPeople, users }).userDirectories.get('c');
    expect(directory.getParties('user')).toHaveLength(100_000);
    expect(directory.resolve('user', 'nobody')).toMatchObject({ isAbsent: false });
  });
});

describe('an instance that does not offer its people', () => {
  test.each([403, 404, 405])(
    'is asked once per session if it responds with the status %d',
    async (status) => {
      const refuse = () => json({ error: { message: 'no' } }, status);
      const { userDirectories, transport, onDidEnd } = createDirectories({ users: refuse, groups: refuse });
      expect((await userDirectories.get('c')).getMembership('u1')).toBeUndefined();
      await userDirectories.get('c');
      expect(transport.requests).toHaveLength(2);
      expect(userDirectories.getProblem('c')).toBeUndefined();
      onDidEnd.fire('c');
      await userDirectories.get('c');
      expect(transport.requests).toHaveLength(4);
    },
  );

  test.each<[string, MemoryResponse]>([
    ['a web page', { body: '<html><body>Sign in</body></html>', headers: { 'content-type': 'text/html' } }],
    ['an error', json({ error: 'broken' }, 400)],
    ['a text', json('users')],
    ['a body that breaks off', { body: '[{"_id": "u1"' }],
  ])('%s leaves groups unknown, with the reason', async (_name, answer) => {
    const { userDirectories } = createDirectories({ ...fewPeople, users: () => answer });
    const directory = await userDirectories.get('c');
    expect(directory.getMembership('u1')).toBeUndefined();
    expect(directory.listsAll('user')).toBe(false);
    expect(directory.getName('group', 'g1')).toBe('Sales');
    expect(userDirectories.getProblem('c')).toBeInstanceOf(Error);
  });

  test('null and an empty list do not count as the list of all users', async () => {
    for (const answer of [json(null), json([])]) {
      const directory = await createDirectories({ ...fewPeople, users: () => answer }).userDirectories.get(
        'c',
      );
      expect(directory.listsAll('user')).toBe(false);
      expect(directory.getMembership('u1')).toBeUndefined();
    }
  });

  test('with records without an ID, a name or readable groups, a list does not count as complete', async () => {
    const users = () =>
      json([
        anna,
        { userName: 'nobody' },
        null,
        { _id: 'u2', userName: 7, groups: [null] },
        { _id: 'u3', groups: [{ _id: 'g1' }] },
      ]);
    const groups = () => json([sales, { name: 'Nameless' }]);
    const directory = await createDirectories({ users, groups }).userDirectories.get('c');
    expect(directory.getParties('user').map(({ id }) => id)).toEqual(['u1', 'u2', 'u3']);
    expect(directory.getMembership('u2')).toBeUndefined();
    expect(directory.getMembership('u3')).toEqual({ groupIds: ['g1'], source: 'instance' });
    expect([directory.listsAll('user'), directory.listsAll('group')]).toEqual([false, false]);
    expect(directory.resolve('group', 'Nameless')).toMatchObject({ kind: 'unknown', isAbsent: false });
  });
});

test('an imported list is used, and a newer one as soon as it exists', async () => {
  const refused = () => json({}, 404);
  const { userDirectories, onDidImport, importedMembers } = createDirectories(
    { users: refused, groups: refused },
    [{ user: 'ben', groupIds: ['g1'] }],
  );
  expect((await userDirectories.get('c')).getMembership('ben')).toEqual({
    groupIds: ['g1'],
    source: 'imported',
  });
  const changedIds: string[] = [];
  userDirectories.onDidChange((connectionId) => changedIds.push(connectionId));
  importedMembers.length = 0;
  onDidImport.fire('c');
  expect(changedIds).toEqual(['c']);
  expect((await userDirectories.get('c')).getMembership('ben')).toBeUndefined();
});

test('a list that is imported for one tenant of a connection is used for all of them', async () => {
  const { userDirectories, onDidImport, importedMembers } = createDirectories(fewPeople);
  const tenantIds = ['x', 'y'].map((tenant) => getTenantConnectionId('c', tenant));
  const ids = ['c', ...tenantIds];
  await Promise.all([...ids, 'other'].map((id) => userDirectories.get(id)));
  const changedIds: string[] = [];
  userDirectories.onDidChange((connectionId) => changedIds.push(connectionId));
  for (const importedFor of ids) {
    importedMembers.splice(0, 1, { user: 'ben', groupIds: [importedFor] });
    onDidImport.fire(importedFor);
    expect(changedIds.splice(0).toSorted()).toEqual(ids);
    const directories = await Promise.all(ids.map((id) => userDirectories.get(id)));
    expect(directories.map((directory) => directory.getMembership('ben')?.groupIds)).toEqual(
      ids.map(() => [importedFor]),
    );
  }
  expect(userDirectories.peek('other')?.importedMembers).toEqual([]);
});

test('users that are read for a tenant while a list is imported for its connection are not cached', async () => {
  const tenantId = getTenantConnectionId('c', 'x');
  const users = (): MemoryResponse => {
    created.onDidImport.fire('c');
    return json([anna]);
  };
  const created = createDirectories({ ...fewPeople, users });
  await created.userDirectories.get(tenantId);
  expect(created.userDirectories.peek(tenantId)).toBeUndefined();
});
