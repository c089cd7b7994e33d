import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FolderWatcher } from '../../../src/base/folderWatcher.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'watched-'));
  await write('datamodels/A/tables/T.table.json');
});
afterEach(() => rm(base, { recursive: true }));

const getPath = (path: string): string => join(base, 'project', path);

async function write(path: string): Promise<void> {
  await mkdir(dirname(getPath(path)), { recursive: true });
  await writeFile(getPath(path), 'x');
}

/** Watches the project of the test. */
async function watchProject() {
  const reported = new Set<string>();
  const watcher = new FolderWatcher(
    {
      root: getPath(''),
      includes: (path) =>
        /^(?:datamodels|viewpoints|project\.json)(?:\/|$)/.test(path) && !/(?:^|\/)\./.test(path),
    },
    (path) => reported.add(path),
  );
  await watcher.ready;
  return {
    reported,
    /** Waits until these paths, and possibly others, have been reported since the last call. */
    waitFor: async (...paths: readonly string[]): Promise<void> => {
      await expect.poll(() => [...reported]).toEqual(expect.arrayContaining([...paths]));
      reported.clear();
    },
    [Symbol.dispose]: () => watcher.dispose(),
  };
}

describe('a folder', () => {
  test('is watched with all folders in it, even if they are created together with their files', async () => {
    using project = await watchProject();
    await write('datamodels/A/tables/T.table.json');
    await project.waitFor('datamodels/A/tables/T.table.json');
    await write('viewpoints/V.viewpoint.json');
    await write('datamodels/B/tables/X/Y.datamodel.sql');
    await project.waitFor('viewpoints/V.viewpoint.json', 'datamodels/B/tables/X/Y.datamodel.sql');
    await write('datamodels/B/tables/X/Y.datamodel.sql');
    await project.waitFor('datamodels/B/tables/X/Y.datamodel.sql');
    await rm(getPath('datamodels/B/tables/X/Y.datamodel.sql'));
    await project.waitFor('datamodels/B/tables/X/Y.datamodel.sql');
    await write('project.json');
    await project.waitFor('project.json');
  });

  test('that is moved is watched in its new place', async () => {
    using project = await watchProject();
    await rename(getPath('datamodels/A'), getPath('datamodels/B'));
    await project.waitFor('datamodels/A', 'datamodels/B', 'datamodels/B/tables/T.table.json');
    await write('datamodels/B/tables/T.table.json');
    await project.waitFor('datamodels/B/tables/T.table.json');
    await rename(getPath('datamodels'), getPath('elsewhere'));
    await project.waitFor('datamodels');
    await write('elsewhere/B/tables/T.table.json');
    await rename(getPath('elsewhere'), getPath('datamodels'));
    await project.waitFor('datamodels/B/tables/T.table.json');
    await write('datamodels/B/tables/T.table.json');
    await project.waitFor('datamodels/B/tables/T.table.json');
  });

  test('that is deleted is watched again once it is recreated', async () => {
    using project = await watchProject();
    await rm(getPath('datamodels/A'), { recursive: true });
    await project.waitFor('datamodels/A');
    await write('datamodels/A/tables/T.table.json');
    await project.waitFor('datamodels/A/tables/T.table.json');
    await rename(getPath(''), join(base, 'moved'));
    await write('datamodels/A/tables/U.table.json');
    await project.waitFor('datamodels/A/tables/U.table.json');
    await write('datamodels/A/tables/U.table.json');
    await project.waitFor('datamodels/A/tables/U.table.json');
  });

  test('reports no hidden or excluded files, no files behind links, and nothing after its watcher is disposed', async () => {
    const disposedProject = await watchProject();
    using project = await watchProject();
    disposedProject[Symbol.dispose]();
    await symlink(getPath('other'), getPath('datamodels/Link'));
    await project.waitFor('datamodels/Link');
    await write('other/T.table.json');
    await write('datamodels/.git/index');
    await write('datamodels/A/.T.swp');
    await write('datamodels/A/tables/Z.table.json');
    await expect.poll(() => [...project.reported]).toEqual(['datamodels/A/tables/Z.table.json']);
    expect([...disposedProject.reported]).toEqual([]);
  });

  test('that does not exist yet is watched once it is created', async () => {
    await rm(getPath(''), { recursive: true });
    using project = await watchProject();
    await write('viewpoints/V.viewpoint.json');
    await project.waitFor('viewpoints/V.viewpoint.json');
  });
});
