import { existsSync } from 'node:fs';
import {
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InstanceDocuments } from '../../../../src/project/instance/convertInstance.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { readProject } from '../../../../src/project/files/readProject.ts';
import { readLock } from '../../../../src/project/pull/lock.ts';
import { planPull, type PullPlan } from '../../../../src/project/pull/planPull.ts';
import { createProjectFolder, writeProjectFiles } from '../../../../src/project/pull/writeProjectFiles.ts';
import { createRetailDocuments, paths, rule } from './pullSupport.ts';

const lockPath = 'environments/default.lock.json';

let parent = '';
let folder = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'project-'));
  folder = join(parent, 'instance');
  await mkdir(folder);
});
afterEach(() => rm(parent, { recursive: true }));

async function plan(instance: Partial<InstanceDocuments>, isPruned = false): Promise<PullPlan> {
  return planPull({
    project: await readProject(folder),
    lock: await readLock(folder, 'default'),
    pulled: convertInstance({
      datamodels: [],
      cubeSets: [],
      viewpoints: [],
      customData: [],
      users: [],
      groups: [],
      numberedReferences: [],
      ...instance,
    }),
    isUnknownOnInstance: () => false,
    prunedKinds: new Set(isPruned ? ['datamodel', 'rules'] : []),
  });
}

/** Returns the text of each file with its modification time and inode, which show whether it was written again. */
async function listFiles(): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (path): Promise<[string, string]> => {
        const { mtimeMs, ino } = await lstat(path);
        return [path.slice(folder.length + 1), `${mtimeMs} ${ino} ${await readFile(path, 'utf8')}`];
      }),
    ),
  );
}

test('a pull writes files and the lock, and a second pull of the same state writes nothing', async () => {
  await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
  expect(await readFile(join(folder, paths.topSql), 'utf8')).toBe('SELECT 1\n');
  const files = await listFiles();
  expect([...files.keys()].toSorted()).toEqual(
    [
      'datamodels/Retail/Retail.datamodel.json',
      'datamodels/Retail/datasets/Sales.dataset.json',
      'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json',
      paths.region,
      'datamodels/Retail/tables/Customers.table.json',
      'datamodels/Retail/tables/Customers/Full Name.datamodel.sql',
      'datamodels/Retail/tables/Top.datamodel.sql',
      'datamodels/Retail/tables/Top.table.json',
      lockPath,
    ].toSorted(),
  );
  await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
  expect(await listFiles()).toEqual(files);
});

test('line endings that version control has changed are kept', async () => {
  await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
  for (const path of (await listFiles()).keys()) {
    const text = await readFile(join(folder, path), 'utf8');
    await writeFile(join(folder, path), text.replaceAll('\n', '\r\n'));
  }
  const files = await listFiles();
  await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
  expect(await listFiles()).toEqual(files);
});

test('deleted files leave no empty folders', async () => {
  await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
  await writeProjectFiles(folder, 'default', await plan(createRetailDocuments([], []), true));
  await expect(stat(join(folder, dirname(paths.region)))).rejects.toThrow('ENOENT');
  await writeProjectFiles(folder, 'default', await plan({}, true));
  expect([...(await listFiles()).keys()]).toEqual([lockPath]);
});

test('a file that the user saves while the pull writes is not overwritten', async () => {
  await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
  const planned = await plan(
    createRetailDocuments([['People', 'Persons']], [{ ...rule, members: ['South'] }]),
  );
  const [last] = planned.writes.slice(-1);
  const path = join(folder, last?.path ?? '');
  const writing = writeProjectFiles(folder, 'default', planned, async (temporaryPath, text) => {
    await writeFile(temporaryPath, text);
    await writeFile(path, 'saved by a person');
  });
  await expect(writing).rejects.toMatchObject({ name: 'ProjectWriteError', fault: 'changed' });
  expect(await readFile(path, 'utf8')).toBe('saved by a person');
});

describe('nothing is changed', () => {
  const changedInstance = createRetailDocuments([['People', 'Persons']], [{ ...rule, members: ['South'] }]);

  test('if the disk becomes full', async () => {
    await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
    const files = await listFiles();
    let count = 0;
    const writeToFullDisk = async (path: string, text: string): Promise<void> => {
      count += 1;
      await writeFile(path, text.slice(0, 5));
      if (count === 2) {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
    };
    await expect(
      writeProjectFiles(folder, 'default', await plan(changedInstance), writeToFullDisk),
    ).rejects.toMatchObject({
      fault: 'full-disk',
      message: expect.stringMatching(/^The disk is full, so .* can't be written\. No files were changed\.$/),
    });
    expect(await listFiles()).toEqual(files);
  });

  test('if a file was saved in the meantime', async () => {
    await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
    const planned = await plan(changedInstance);
    await writeFile(join(folder, paths.customers), '{}');
    const files = await listFiles();
    await expect(writeProjectFiles(folder, 'default', planned)).rejects.toMatchObject({
      fault: 'changed',
      path: paths.customers,
      message: `${paths.customers} has changed in the meantime, so it wasn't written. No files were changed. Pull again.`,
    });
    expect(await listFiles()).toEqual(files);
  });

  test('if the disk is full while a new folder is written', async () => {
    let count = 0;
    const writeToFullDisk = async (path: string, text: string): Promise<void> => {
      await writeFile(path, text);
      count += 1;
      if (count === 3) {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
    };
    await expect(
      writeProjectFiles(folder, 'default', await plan(createRetailDocuments()), writeToFullDisk),
    ).rejects.toMatchObject({
      fault: 'full-disk',
      message: expect.stringMatching(/No files were changed\.$/),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('if a folder that did not exist was created in the meantime', async () => {
    let isFirst = true;
    const writeText = async (path: string, text: string): Promise<void> => {
      if (isFirst) {
        isFirst = false;
        await mkdir(join(folder, 'datamodels'));
        await writeFile(join(folder, 'datamodels', 'mine.txt'), 'mine');
      }
      await writeFile(path, text);
    };
    await expect(
      writeProjectFiles(folder, 'default', await plan(createRetailDocuments()), writeText),
    ).rejects.toMatchObject({
      fault: 'changed',
      path: 'datamodels',
      message:
        "datamodels was created in the meantime, so it wasn't written. No files were changed. Pull again.",
    });
    expect([...(await listFiles()).keys()]).toEqual(['datamodels/mine.txt']);
  });

  test.each(['datamodels', 'datamodels/Retail', 'environments'])(
    'if %s is a symbolic link out of the project',
    async (link) => {
      const planned = await plan(createRetailDocuments());
      const outsideFolder = join(parent, 'outside');
      await mkdir(outsideFolder);
      await mkdir(dirname(join(folder, link)), { recursive: true });
      await symlink(outsideFolder, join(folder, link));
      await expect(writeProjectFiles(folder, 'default', planned)).rejects.toMatchObject({
        fault: 'symbolic-link',
        path: link,
        message: `${link} is a symbolic link, which might point outside the project. Replace it with a file or folder. No files were changed.`,
      });
      expect(await readdir(outsideFolder)).toEqual([]);
    },
  );

  test('if a file or the lock is a symbolic link', async () => {
    await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
    const planned = await plan(changedInstance);
    const outsideFile = join(parent, 'outside.json');
    for (const path of [paths.customers, lockPath]) {
      const text = await readFile(join(folder, path), 'utf8');
      await writeFile(outsideFile, text);
      await rm(join(folder, path));
      await symlink(outsideFile, join(folder, path));
      await expect(writeProjectFiles(folder, 'default', planned)).rejects.toMatchObject({
        fault: 'symbolic-link',
        path,
      });
      expect(await readFile(outsideFile, 'utf8')).toBe(text);
      await rm(join(folder, path));
      await writeFile(join(folder, path), text);
    }
  });

  test('if the lock cannot be read', async () => {
    const planned = await plan(createRetailDocuments());
    await mkdir(join(folder, lockPath), { recursive: true });
    await expect(writeProjectFiles(folder, 'default', planned)).rejects.toMatchObject({
      fault: 'failed',
      path: lockPath,
    });
    expect([...(await listFiles()).keys()]).toEqual([]);
  });
});

describe('a project folder that is gone is not created again', () => {
  test('if it was deleted before the pull writes', async () => {
    const planned = await plan(createRetailDocuments());
    await rm(folder, { recursive: true });
    await expect(writeProjectFiles(folder, 'default', planned)).rejects.toMatchObject({
      name: 'ProjectWriteError',
      message: 'The project folder no longer exists, so nothing was written.',
    });
    expect(existsSync(folder)).toBe(false);
  });

  test('if it is moved before the lock is written', async () => {
    await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
    const planned = await plan(createRetailDocuments([['People', 'Persons']]));
    const moved = join(parent, 'moved');
    const writing = writeProjectFiles(folder, 'default', planned, async (path, text) => {
      await writeFile(path, text);
      await rename(folder, moved);
    });
    await expect(writing).rejects.toMatchObject({
      name: 'ProjectWriteError',
      path: lockPath,
      message: `Can't write ${lockPath}. The file or its folder doesn't exist (ENOENT). No files were changed.`,
    });
    expect(existsSync(folder)).toBe(false);
  });
});

test('a folder of the project that cannot be created is reported with the reason', async () => {
  await writeFile(join(parent, 'file'), '');
  await expect(createProjectFolder(join(parent, 'file', 'project'))).rejects.toThrow(
    "Can't create the project folder. Part of its path is a file, not a folder (ENOTDIR).",
  );
});

test.skipIf(process.platform === 'win32')(
  'a symbolic link that replaces a file during the pull is reported together with the fact that other files were changed',
  async () => {
    await writeProjectFiles(folder, 'default', await plan(createRetailDocuments()));
    const changes = await plan(
      createRetailDocuments([
        ['SELECT 1', 'SELECT 2'],
        ['People', 'Persons'],
      ]),
    );
    const path = join(folder, paths.customers);
    const writing = writeProjectFiles(folder, 'default', changes, async (temporaryPath, text) => {
      await writeFile(temporaryPath, text);
      await rm(path, { force: true });
      await symlink(join(folder, paths.topSql), path).catch(() => undefined);
    });
    await expect(writing).rejects.toMatchObject({
      fault: 'symbolic-link',
      message: expect.stringContaining('Other files have already been changed.'),
    });
    expect(await readFile(join(folder, paths.topSql), 'utf8')).toContain('SELECT 2');
  },
);

test('the folder of a project may itself be behind a symbolic link', async () => {
  const link = join(parent, 'link');
  await symlink(folder, link);
  await writeProjectFiles(link, 'default', await plan(createRetailDocuments()));
  expect((await readProject(link)).items).toHaveLength(8);
});
