import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MembershipStore } from '../../../src/connections/membershipStore.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-memberships-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a list is stored for its connection, replaced and cleared', async () => {
  const log = new MemoryLog();
  const store = new MembershipStore({ folder: join(folder, 'lists'), log });
  const changedIds: string[] = [];
  store.onDidChange((connectionId) => changedIds.push(connectionId));
  expect(await store.read('a')).toEqual([]);
  await store.write('a', [{ user: 'anna', groupIds: ['g1'] }]);
  await store.write('../b', [{ user: 'ben', groupIds: [] }]);
  await store.write('a', [{ user: 'anna', groupIds: [] }]);
  expect(await store.read('a')).toEqual([{ user: 'anna', groupIds: [] }]);
  expect(await store.read('../b')).toEqual([{ user: 'ben', groupIds: [] }]);
  expect(await readdir(folder)).toEqual(['lists']);
  await store.clear('a');
  await store.clear('nobody');
  expect(await store.read('a')).toEqual([]);
  expect(changedIds).toEqual(['a', '../b', 'a', 'a', 'nobody']);
  expect(log.entries).toEqual([]);
});

test.runIf(process.platform !== 'win32')(
  'other users on the machine cannot read the group memberships',
  async () => {
    const lists = join(folder, 'private');
    await new MembershipStore({ folder: lists, log: new MemoryLog() }).write('a', []);
    const modes = [lists, join(lists, 'a.json')].map(async (path) => (await stat(path)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
  },
);

test.each(['{', '[{"user": 1}]', 'null'])('an unreadable file counts as no list: %s', async (text) => {
  const log = new MemoryLog();
  await writeFile(join(folder, 'c.json'), text);
  expect(await new MembershipStore({ folder, log }).read('c')).toEqual([]);
  expect(log.text).toContain('A membership list could not be read');
});
