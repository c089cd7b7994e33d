import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { type PullOptions, ProjectPull, PullRefusedError } from '../../../../src/project/pull/pullProject.ts';
import { defaultProjectSettings } from '../../../../src/project/settings/projectSettings.ts';
import { readProject } from '../../../../src/project/files/readProject.ts';
import { readFolderTexts } from '../../../support/readFolderTexts.ts';
import { ChangeFixture } from '../../changes/run/support.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const customersPath = 'datamodels/Retail/tables/Customers.table.json';
const datasetPath = 'datamodels/Retail/datasets/Sales.dataset.json';
const lockPath = 'environments/default.lock.json';

const createPull = (options: Partial<PullOptions> = {}): ProjectPull =>
  new ProjectPull(
    {
      folder,
      settings: defaultProjectSettings,
      isNewProject: !existsSync(join(folder, 'datamodel-studio.json')),
      environmentName: 'default',
      address: { url: 'https://analytics.example.com' },
    },
    {
      limits: { datamodels: ['Retail'] },
      signal: new AbortController().signal,
      log: silentLog,
      ...options,
    },
  );
const run = (fixture: ChangeFixture, options: Partial<PullOptions> = {}) =>
  createPull(options).run(async () => fixture.client);
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const edit = (path: string, from: string | RegExp, to: string): string => {
  const text = read(path).replace(from, to);
  expect(text).not.toBe(read(path));
  writeFileSync(join(folder, path), text);
  return text;
};

/** Changes the descriptions of two tables on the instance. */
async function changeTableDescriptions({ client }: ChangeFixture, description: string): Promise<void> {
  const models = (await client.datamodels.list()).value;
  const datamodelId = models.find(({ title }) => title === 'Retail')?.oid ?? '';
  for (const { oid: datasetId } of (await client.datasets.list({ datamodelId })).value) {
    for (const table of (await client.tables.list({ datamodelId, datasetId })).value) {
      if (table.name === 'Orders' || table.name === 'Customers') {
        await client.tables.update({ datamodelId, datasetId, tableId: table.oid }, { description });
      }
    }
  }
}

const getPaths = ({ plan }: Awaited<ReturnType<typeof run>>) => ({
  writes: plan.writes.map(({ path }) => path),
  conflicts: plan.conflicts.map(({ path }) => path),
});

test('conflicts are found without writing anything, and resolved without pulling anything else', async () => {
  using fixture = new ChangeFixture();
  await run(fixture);
  edit(ordersPath, /"description": "[^"]*"/, '"description": "Mine"');
  await changeTableDescriptions(fixture, 'Changed there');
  const before = await readFolderTexts(folder);
  const pull = createPull();
  const conflicts = await pull.findConflicts(async () => fixture.client);
  expect(conflicts.map(({ path }) => path)).toEqual([ordersPath]);
  expect(await readFolderTexts(folder)).toEqual(before);
  const keys = conflicts.map(({ key }) => key);
  expect(getPaths(await pull.resolve(keys, 'theirs'))).toEqual({ writes: [ordersPath], conflicts: [] });
  expect(read(ordersPath)).toContain('"description": "Changed there"');
  expect(read(customersPath)).toBe(before.get(customersPath));
  expect(getPaths(await run(fixture))).toEqual({ writes: [customersPath], conflicts: [] });
});

test.each(['run', 'findConflicts'] as const)(
  'a pull is refused if the lock file changes while the instance is read: %s',
  async (name) => {
    using fixture = new ChangeFixture();
    await run(fixture);
    await changeTableDescriptions(fixture, 'Changed there');
    const before = new Map(await readFolderTexts(folder));
    const pull = createPull();
    const refused = pull[name](async () => {
      writeFileSync(join(folder, lockPath), `${before.get(lockPath)} `);
      return fixture.client;
    });
    await expect(refused).rejects.toMatchObject({ fault: { code: 'changed-meanwhile', path: lockPath } });
    before.set(lockPath, `${before.get(lockPath)} `);
    expect(await readFolderTexts(folder)).toEqual(before);
  },
);

test('a pull writes nothing if a change of the instance has begun while the instance was read, or before conflicts are resolved', async () => {
  using fixture = new ChangeFixture();
  await run(fixture);
  edit(ordersPath, /"description": "[^"]*"/, '"description": "Mine"');
  await changeTableDescriptions(fixture, 'Changed there');
  const before = await readFolderTexts(folder);
  let isRead = false;
  let isChanging = true;
  const requireNoPendingChange = async (): Promise<void> => {
    if (isRead && isChanging) {
      throw new Error('Changing');
    }
  };
  const openClient = async () => {
    isRead = true;
    return fixture.client;
  };
  const pull = createPull({ requireNoPendingChange });
  await expect(pull.run(openClient)).rejects.toThrow('Changing');
  isChanging = false;
  const keys = (await pull.findConflicts(openClient)).map(({ key }) => key);
  isChanging = true;
  await expect(pull.resolve(keys, 'theirs')).rejects.toThrow('Changing');
  expect(await readFolderTexts(folder)).toEqual(before);
  isChanging = false;
  expect(getPaths(await pull.resolve(keys, 'theirs')).writes).toEqual([ordersPath]);
});

describe('a folder that is gone once the instance is read is not created again:', () => {
  const removeFolder = (fixture: ChangeFixture) => async () => {
    rmSync(folder, { recursive: true });
    return fixture.client;
  };

  test('that of a project', async () => {
    using fixture = new ChangeFixture();
    writeFileSync(join(folder, 'datamodel-studio.json'), '{"version": 1}');
    await expect(createPull().run(removeFolder(fixture))).rejects.toMatchObject({
      name: 'ProjectWriteError',
      message: 'datamodel-studio.json no longer exists, so nothing was written.',
    });
    expect(existsSync(folder)).toBe(false);
  });

  test('that for a new project', async () => {
    using fixture = new ChangeFixture();
    await expect(createPull().run(removeFolder(fixture))).rejects.toMatchObject({
      name: 'ProjectWriteError',
      message: 'The project folder no longer exists, so nothing was written.',
    });
    expect(existsSync(folder)).toBe(false);
  });
});

test('a new project may be in a folder that does not exist yet', async () => {
  using fixture = new ChangeFixture();
  rmSync(folder, { recursive: true });
  await run(fixture);
  expect(read('datamodel-studio.json')).toContain('"version": 1');
});

describe('a file with unsaved changes in an editor', () => {
  test('is not changed, and everything else is pulled', async () => {
    using fixture = new ChangeFixture();
    await run(fixture);
    const before = read(ordersPath);
    await changeTableDescriptions(fixture, 'Changed there');
    const result = await run(fixture, { getUnsavedPaths: () => [ordersPath] });
    expect(getPaths(result)).toEqual({ writes: [customersPath], conflicts: [] });
    expect(result.unsavedPaths).toEqual([ordersPath]);
    expect(read(ordersPath)).toBe(before);
    expect(getPaths(await run(fixture)).writes).toEqual([ordersPath]);
  });

  test('prevents a new file with the same path', async () => {
    using fixture = new ChangeFixture();
    const result = await run(fixture, { getUnsavedPaths: () => [ordersPath.toUpperCase()] });
    expect(result.plan.conflicts).toMatchObject([{ reason: 'path-taken', path: ordersPath }]);
    const exist = () =>
      [ordersPath, customersPath, datasetPath].map((path) => existsSync(join(folder, path)));
    // The rules on Orders restrict Customers, too, as long as their relation exists.
    expect(exist()).toEqual([false, false, true]);
    await run(fixture);
    expect(exist()).toEqual([true, true, true]);
  });

  test('prevents the pull if it is the lock file', async () => {
    using fixture = new ChangeFixture();
    const pull = run(fixture, { getUnsavedPaths: () => [lockPath] });
    await expect(pull).rejects.toMatchObject({ fault: { code: 'unsaved-lock', path: lockPath } });
    expect(existsSync(join(folder, customersPath))).toBe(false);
  });
});

describe('a conflict', () => {
  const createConflicts = async (fixture: ChangeFixture) => {
    await run(fixture);
    edit(ordersPath, /"One row per order[^"]*"/, '"Orders, changed here"');
    edit(
      customersPath,
      '"name": "Customers"',
      '"name": "Customers",\n  "description": "Customers, changed here"',
    );
    await changeTableDescriptions(fixture, 'Changed there');
    const pull = createPull();
    const result = await pull.run(async () => fixture.client);
    const [customers, orders] = result.plan.conflicts.map(({ key }) => key);
    if (customers === undefined || orders === undefined) {
      throw new Error('The pull has no conflicts');
    }
    return { pull, customers, orders, paths: getPaths(result).conflicts };
  };

  test('is resolved alone, without a request', async () => {
    using fixture = new ChangeFixture();
    const { pull, customers, orders, paths } = await createConflicts(fixture);
    expect(paths).toEqual([customersPath, ordersPath]);
    const { length } = fixture.transport.requestLines;
    expect(getPaths(await pull.resolve([customers], 'theirs'))).toEqual({
      writes: [customersPath],
      conflicts: [],
    });
    expect(read(customersPath)).toContain('"Changed there"');
    expect(read(ordersPath)).toContain('"Orders, changed here"');
    expect(getPaths(await pull.resolve([orders], 'ours'))).toEqual({ writes: [], conflicts: [] });
    expect(read(ordersPath)).toContain('"Orders, changed here"');
    expect(fixture.transport.requestLines).toHaveLength(length);
    expect(getPaths(await run(fixture))).toEqual({ writes: [], conflicts: [] });
  });

  test('is resolved under the name that the project has given the table', async () => {
    using fixture = new ChangeFixture();
    await run(fixture);
    edit(customersPath, '"name": "Customers"', '"name": "Clients",\n  "renamedFrom": "Customers"');
    rmSync(join(folder, lockPath));
    await changeTableDescriptions(fixture, 'Changed there');
    edit(customersPath, '"columns": [', '"description": "Changed here",\n  "columns": [');
    const pull = createPull();
    const conflicts = await pull.findConflicts(async () => fixture.client);
    const conflict = conflicts.find(({ path }) => path === customersPath);
    if (conflict === undefined) {
      throw new Error('The table is in no conflict');
    }
    const { text: preview } = await pull.previewTheirs(conflict);
    expect(preview).toContain('"name": "Clients",\n  "renamedFrom": "Customers"');
    expect(preview).toContain('"Changed there"');
    expect(getPaths(await pull.resolve([conflict.key], 'theirs'))).toEqual({
      writes: [customersPath],
      conflicts: [],
    });
    expect(read(customersPath)).toBe(preview);
  });

  test('is not resolved if the project was pulled in the meantime', async () => {
    using fixture = new ChangeFixture();
    const { pull, customers } = await createConflicts(fixture);
    await run(fixture, { winner: 'ours' });
    const before = read(lockPath);
    await expect(pull.resolve([customers], 'theirs')).rejects.toMatchObject({
      fault: { code: 'outdated', path: lockPath },
    });
    expect(read(lockPath)).toBe(before);
    expect(read(customersPath)).toContain('"Customers, changed here"');
  });

  test('is resolved with the version that the latest pull has read', async () => {
    using fixture = new ChangeFixture();
    const { pull, orders } = await createConflicts(fixture);
    await changeTableDescriptions(fixture, 'Changed again');
    await pull.run(async () => fixture.client);
    await pull.resolve([orders], 'theirs');
    expect(read(ordersPath)).toContain('Changed again');
  });

  test('is resolved by the pull itself if one side is preferred', async () => {
    using fixture = new ChangeFixture();
    await createConflicts(fixture);
    expect(getPaths(await run(fixture, { winner: 'theirs' }))).toEqual({
      writes: [customersPath, ordersPath],
      conflicts: [],
    });
  });
});

test.each([1, 2, 4, 6])(
  'if the server fails after %i responses, no file is deleted or partly written',
  async (count) => {
    using fixture = new ChangeFixture();
    await run(fixture, { limits: {} });
    edit(ordersPath, '"name": "Orders"', '"name": "Orders",\n  "hint": "ours"');
    await changeTableDescriptions(fixture, 'Changed there');
    const before = await readFolderTexts(folder);
    let responseCount = 0;
    // Called for each response.
    fixture.hasEmptyResponse = () => {
      responseCount += 1;
      if (responseCount === count) {
        fixture.sandbox.faults.set([{ kind: 'status', status: 500, pathPrefix: '/' }]);
      }
      return false;
    };
    const result = await run(fixture, {
      limits: {},
      prunedKinds: new Set(['datamodel', 'table', 'rules', 'viewpoint']),
    });
    expect(result.failedParts.length).toBeGreaterThan(0);
    expect(result.plan).toMatchObject({ deletions: [], deletedOnInstance: [], conflicts: [] });
    const after = await readFolderTexts(folder);
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect((await readProject(folder)).problems).toEqual([]);
    expect(after.get(ordersPath)).toContain('"hint": "ours"');

    // Once the server responds again, the next pull reads the rest.
    fixture.sandbox.faults.set([]);
    expect((await run(fixture, { limits: {} })).failedParts).toEqual([]);
    expect(read(ordersPath)).toContain('"Changed there"');
    expect(read(ordersPath)).toContain('"hint": "ours"');
    expect(read(customersPath)).toContain('"Changed there"');
  },
);

test('a pull is refused if nothing matches its limit', async () => {
  using fixture = new ChangeFixture();
  const limits = { datamodels: ['retail'] };
  await expect(run(fixture, { limits })).rejects.toThrow(PullRefusedError);
  expect(existsSync(join(folder, 'datamodel-studio.json'))).toBe(false);
});
