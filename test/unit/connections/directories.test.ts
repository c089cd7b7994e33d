import { describe, expect, test } from 'vitest';
import { Emitter } from '../../../src/base/event.ts';
import { InstanceCatalog, type CatalogSource } from '../../../src/catalog/instanceCatalog.ts';
import { Directories } from '../../../src/connections/directories.ts';
import { peekDirectory } from '../../../src/connections/createDirectory.ts';
import type { Session, CatalogChangeEvent } from '../../../src/connections/sessions.ts';
import type { Directory, ImportedMember } from '../../../src/catalog/people/directory.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';
import type { MemoryResponse } from '../../fakes/memoryTransport.ts';
import { json, makeClient } from '../client/support.ts';

type Answer = (skip: number, limit: number) => MemoryResponse;

function instance(
  { users, groups }: { users: Answer; groups: Answer },
  imported: readonly ImportedMember[] = [],
) {
  const { client, transport } = makeClient(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const answer = pathname.endsWith('/users') ? users : groups;
    return answer(Number(searchParams.get('skip')), Number(searchParams.get('limit')));
  });
  const session = { client, catalog: new InstanceCatalog({} as CatalogSource) } as unknown as Session;
  const onDidEnd = new Emitter<string>();
  const onDidChangeCatalog = new Emitter<CatalogChangeEvent>();
  const onDidImport = new Emitter<string>();
  const list = [...imported];
  const directories = new Directories({
    sessions: {
      get: async () => session,
      onDidEnd: onDidEnd.event,
      onDidChangeCatalog: onDidChangeCatalog.event,
    },
    memberships: { read: async () => [...list], onDidChange: onDidImport.event },
    log: new MemoryLog(),
  });
  const peek = (): Directory => peekDirectory({ directories, sessions: { peek: () => session } }, 'c');
  return { directories, peek, transport, onDidEnd, onDidChangeCatalog, onDidImport, list };
}

const anna = { _id: 'u1', userName: 'anna', groups: ['g1'] };
const sales = { _id: 'g1', name: 'Sales' };
const few = { users: () => json([anna]), groups: () => json([sales]) };

const many = Array.from({ length: 1234 }, (_value, index) => ({
  _id: `u${index}`,
  userName: `user ${index}`,
  groups: [],
}));

test('a read during an import answers those who waited, and is not cached', async () => {
  const users = (): MemoryResponse => {
    world.onDidImport.fire('c');
    return json([anna]);
  };
  const world = instance({ ...few, users });
  expect((await world.directories.get('c')).getName('user', 'u1')).toBe('anna');
  expect(world.directories.peek('c')).toBeUndefined();
});

describe("the instance's people", () => {
  test('are requested once, and known without a request afterwards', async () => {
    const { directories, peek, transport } = instance(few);
    expect(peek().getParties('user')).toEqual([]);
    await Promise.all([directories.get('c'), directories.get('c')]);
    const directory = await directories.get('c');
    expect(directory.getMembership('u1')).toEqual({ groupIds: ['g1'], source: 'instance' });
    expect(directory.resolve('group', 'Sales')).toMatchObject({ kind: 'known', id: 'g1' });
    expect(peek().getName('user', 'u1')).toBe('anna');
    const paths = transport.lines.map((line) => line.split('?')[0]);
    expect(paths.filter((path) => path === 'GET /api/v1/users')).toHaveLength(2);
    expect(transport.lines[0]).toContain(
      'fields=_id%2CuserName%2Cemail%2CfirstName%2ClastName%2Cgroups%2Cadgroups',
    );
  });

  test.each<[string, Answer, boolean]>([
    ['in pages', (skip, limit) => json(many.slice(skip, skip + limit)), true],
    ['in pages smaller than asked for', (skip) => json(many.slice(skip, skip + 100)), true],
    ['whole, whatever is asked', () => json(many), true],
    ['the first page again and again', (_skip, limit) => json(many.slice(0, limit)), false],
  ])('%s', async (_name, users, isWhole) => {
    const directory = await instance({ ...few, users }).directories.get('c');
    expect(directory.getParties('user')).toHaveLength(isWhole ? many.length : 500);
    expect(directory.listsAll('user')).toBe(isWhole);
  });

  test('without end are truncated, and no one is reported as missing', async () => {
    let count = 0;
    const users = (_skip: number, limit: number): MemoryResponse =>
      json(Array.from({ length: limit }, () => ({ _id: `u${(count += 1)}` })));
    const directory = await instance({ ...few, users }).directories.get('c');
    expect(directory.getParties('user')).toHaveLength(100_000);
    expect(directory.resolve('user', 'nobody')).toMatchObject({ isAbsent: false });
  });
});

describe('an instance that does not offer its people', () => {
  test.each([403, 404, 405])('%d is requested once per session', async (status) => {
    const refused = () => json({ error: { message: 'no' } }, status);
    const { directories, transport, onDidEnd } = instance({ users: refused, groups: refused });
    expect((await directories.get('c')).getMembership('u1')).toBeUndefined();
    await directories.get('c');
    expect(transport.requests).toHaveLength(2);
    expect(directories.getProblem('c')).toBeUndefined();
    onDidEnd.fire('c');
    await directories.get('c');
    expect(transport.requests).toHaveLength(4);
  });

  test.each<[string, MemoryResponse]>([
    ['a web page', { body: '<html><body>Sign in</body></html>', headers: { 'content-type': 'text/html' } }],
    ['an error', json({ error: 'broken' }, 400)],
    ['a text', json('users')],
    ['a body that breaks off', { body: '[{"_id": "u1"' }],
  ])('%s leaves groups unknown, with the reason', async (_name, answer) => {
    const { directories } = instance({ ...few, users: () => answer });
    const directory = await directories.get('c');
    expect(directory.getMembership('u1')).toBeUndefined();
    expect(directory.listsAll('user')).toBe(false);
    expect(directory.getName('group', 'g1')).toBe('Sales');
    expect(directories.getProblem('c')).toBeInstanceOf(Error);
  });

  test('null and an empty list prove nothing', async () => {
    for (const answer of [json(null), json([])]) {
      const directory = await instance({ ...few, users: () => answer }).directories.get('c');
      expect(directory.listsAll('user')).toBe(false);
      expect(directory.getMembership('u1')).toBeUndefined();
    }
  });

  test('records without an ID, a name or readable groups prove nothing', async () => {
    const users = () =>
      json([
        anna,
        { userName: 'nobody' },
        null,
        { _id: 'u2', userName: 7, groups: [null] },
        { _id: 'u3', groups: [{ _id: 'g1' }] },
      ]);
    const groups = () => json([sales, { name: 'Nameless' }]);
    const directory = await instance({ users, groups }).directories.get('c');
    expect(directory.getParties('user').map(({ id }) => id)).toEqual(['u1', 'u2', 'u3']);
    expect(directory.getMembership('u2')).toBeUndefined();
    expect(directory.getMembership('u3')).toEqual({ groupIds: ['g1'], source: 'instance' });
    expect([directory.listsAll('user'), directory.listsAll('group')]).toEqual([false, false]);
    expect(directory.resolve('group', 'Nameless')).toMatchObject({ kind: 'unknown', isAbsent: false });
  });
});

test('an imported list is used, and a newer one as soon as it exists', async () => {
  const refused = () => json({}, 404);
  const { directories, onDidImport, list } = instance({ users: refused, groups: refused }, [
    { user: 'ben', groupIds: ['g1'] },
  ]);
  expect((await directories.get('c')).getMembership('ben')).toEqual({ groupIds: ['g1'], source: 'imported' });
  const changed: string[] = [];
  directories.onDidChange((connectionId) => changed.push(connectionId));
  list.length = 0;
  onDidImport.fire('c');
  expect(changed).toEqual(['c']);
  expect((await directories.get('c')).getMembership('ben')).toBeUndefined();
});
