import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { DiskSharedFolder } from '../../../src/builds/diskSharedFolder.ts';
import { hasUnfinishedBuilds } from '../../../src/builds/unfinishedBuilds.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'shared-folder-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

test('other windows are notified of a write and can read it', async () => {
  const path = join(root, 'not', 'there', 'yet');
  using first = toDisposableFolder(await DiskSharedFolder.open(path, 'w1', silentLog));
  using second = toDisposableFolder(await DiskSharedFolder.open(path, 'w2', silentLog));
  const notified = new Promise<void>((resolve) => second.folder.onDidChange(resolve));
  await first.folder.write('builds-1.json', '{"a":1}');
  await notified;
  expect(await second.folder.readAll()).toEqual(new Map([['builds-1.json', '{"a":1}']]));
  second.folder.remove('builds-1.json');
  second.folder.remove('builds-1.json');
  expect(await first.folder.readAll()).toEqual(new Map());
});

describe('a window is notified only of the changes of others', () => {
  type Change = (own: DiskSharedFolder, other: DiskSharedFolder) => Promise<void>;

  async function isNotified(change: Change): Promise<boolean> {
    using own = toDisposableFolder(await DiskSharedFolder.open(root, 'own', silentLog));
    using other = toDisposableFolder(await DiskSharedFolder.open(root, 'other', silentLog));
    await own.folder.write('builds-1.json', 'before');
    let wasNotified = false;
    own.folder.onDidChange(() => {
      wasNotified = true;
    });
    // Events arrive in order, so all events of the change have arrived when that of the last write does.
    const { promise: hasLastEvent, resolve } = Promise.withResolvers<void>();
    const watcher = watch(root, (_event, name) => (name === 'builds-last.json' ? resolve() : undefined));
    try {
      await change(own.folder, other.folder);
      await own.folder.write('builds-last.json', '{}');
      await hasLastEvent;
    } finally {
      watcher.close();
    }
    return wasNotified;
  }

  test.each<[string, boolean, Change]>([
    ['its own write', false, (own) => own.write('builds-1.json', 'own')],
    ['its own removal', false, async (own) => own.remove('builds-1.json')],
    ['the removal of a file that is missing', false, async (own) => own.remove('builds-2.json')],
    ["another's write", true, (_own, other) => other.write('builds-1.json', 'other')],
    ["another's removal", true, async (_own, other) => other.remove('builds-1.json')],
    [
      'a write that another one follows at once',
      true,
      async (own, other) => {
        await own.write('builds-1.json', 'own');
        await other.write('builds-1.json', 'other');
      },
    ],
    [
      'a change of the file in place',
      true,
      async (own) => {
        await own.write('builds-1.json', 'own');
        await writeFile(join(root, 'builds-1.json'), 'other');
      },
    ],
    [
      "another's write after a removal that had nothing to remove",
      true,
      async (own, other) => {
        own.remove('builds-2.json');
        await other.write('builds-2.json', 'other');
      },
    ],
    [
      "another's write after a write that failed",
      true,
      async (own, other) => {
        await mkdir(join(root, 'builds-3.json'));
        await expect(own.write('builds-3.json', 'own')).rejects.toThrow();
        await rm(join(root, 'builds-3.json'), { recursive: true });
        await other.write('builds-3.json', 'other');
      },
    ],
  ])('%s', async (_name, expected, change) => {
    expect(await isNotified(change)).toBe(expected);
  });
});

test.runIf(process.platform !== 'win32')('other users on the machine cannot read the files', async () => {
  const path = join(root, 'shared');
  using window = toDisposableFolder(await DiskSharedFolder.open(path, 'w1', silentLog));
  await window.folder.write('builds-1.json', '{}');
  const modes = [path, join(path, 'builds-1.json')].map(async (file) => (await stat(file)).mode & 0o777);
  expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
});

test('writing leaves no temporary file behind, and temporary files of other windows are not read', async () => {
  using window = toDisposableFolder(await DiskSharedFolder.open(root, 'w1', silentLog));
  await writeFile(join(root, 'builds-1.json.w9.draft'), '{"half":');
  await Promise.all([window.folder.write('a.json', '1'), window.folder.write('b.json', '2')]);
  expect([...(await window.folder.readAll()).keys()].sort()).toEqual(['a.json', 'b.json']);
  expect((await readdir(root)).filter((name) => name.includes('w1'))).toEqual([]);
});

test('a file that cannot be read is left out, and the others are read', async () => {
  using window = toDisposableFolder(await DiskSharedFolder.open(root, 'w1', silentLog));
  await window.folder.write('a.json', '1');
  await mkdir(join(root, 'b.json'));
  expect([...(await window.folder.readAll())]).toEqual([['a.json', '1']]);
});

test('many concurrent writes all succeed, and the last one determines the content', async () => {
  using window = toDisposableFolder(await DiskSharedFolder.open(root, 'w1', silentLog));
  await Promise.all(Array.from({ length: 50 }, (_, n) => window.folder.write('builds-1.json', `${n}`)));
  expect([...(await window.folder.readAll())]).toEqual([['builds-1.json', '49']]);
});

test('a shared file that cannot be read hides no unfinished builds', async () => {
  const shared = join(root, 'shared');
  await mkdir(join(shared, 'builds-1.json'), { recursive: true });
  await writeFile(join(shared, 'builds-2.json'), JSON.stringify({ builds: [{ phase: 'running' }] }));
  expect(await hasUnfinishedBuilds(root)).toBe(true);
});

test('unfinished builds are detected without a request', async () => {
  const shared = join(root, 'shared');
  expect(await hasUnfinishedBuilds(root)).toBe(false);
  using window = toDisposableFolder(await DiskSharedFolder.open(shared, 'w1', silentLog));
  await window.folder.write('builds-1.json', JSON.stringify({ builds: [{ phase: 'done' }] }));
  expect(await hasUnfinishedBuilds(root)).toBe(false);
  const running = JSON.stringify({ builds: [{ phase: 'running' }] });
  // The status of a window and a file that is still being written don't show what runs on the server.
  await window.folder.write('window-1.json', running);
  await writeFile(join(shared, 'builds-2.json.w9.draft'), running);
  expect(await hasUnfinishedBuilds(root)).toBe(false);
  await window.folder.write('builds-2.json', running);
  expect(await hasUnfinishedBuilds(root)).toBe(true);
});

const toDisposableFolder = (folder: DiskSharedFolder) => ({
  folder,
  [Symbol.dispose]: () => folder.dispose(),
});
