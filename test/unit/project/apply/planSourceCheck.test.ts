import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PlanSourceCheck } from '../../../../src/project/apply/planSourceCheck.ts';
import { readProjectTexts } from '../../../../src/project/files/readProject.ts';
import { listEnvironments } from '../../../../src/project/pull/findEnvironments.ts';
import { emptyLock, formatLock, readLock } from '../../../../src/project/pull/lock.ts';
import {
  defaultProjectSettings,
  readEnvironment,
  readEnvironmentSettings,
} from '../../../../src/project/settings/projectSettings.ts';

const settingsPath = 'datamodel-studio.json';
const environmentPath = 'environments/test.json';
const otherEnvironmentPath = 'environments/other.json';
const lockPath = 'environments/test.lock.json';
const tablePath = 'datamodels/Retail/tables/Orders.table.json';
const unreadablePath = 'datamodels/Retail/tables/Broken.table.json';
const markedPath = 'viewpoints/Marked.viewpoint.json';
const url = 'https://bi.example.com';

const contents: Readonly<Record<string, string>> = {
  [settingsPath]: '{"version": 1, "manage": {"datamodels": ["Retail"]}}',
  [environmentPath]: JSON.stringify({ url, role: 'staging', connections: { Retail: { Files: { a: 1 } } } }),
  [otherEnvironmentPath]: JSON.stringify({ url }),
  [lockPath]: formatLock({ ...emptyLock, instance: 'a' }),
  [tablePath]: '{"name": "Orders"}',
  [unreadablePath]: '{',
  [markedPath]: '\uFEFF{"name": "Marked"}',
  'datamodels/Retail/README.md': '# Retail',
};

let folder = '';
let files: PlanSourceCheck;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Plans with the files as they are now. */
async function plan(): Promise<PlanSourceCheck> {
  const [environment] = (await listEnvironments(folder)).filter(({ name }) => name === 'test');
  if (environment === undefined) {
    throw new Error('The environment is missing');
  }
  const { texts } = await readProjectTexts(folder);
  const { connections = {} } = await readEnvironment(folder, 'test');
  const target = {
    folder,
    settings: (await readEnvironmentSettings(folder, 'test')) ?? defaultProjectSettings,
    environmentName: 'test',
    connections,
    address: { url },
    connectionId: 'connection',
  };
  return new PlanSourceCheck(
    { sources: { target, texts }, lock: await readLock(folder, 'test') },
    environment,
  );
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-planned-'));
  for (const [path, text] of Object.entries(contents)) {
    await write(path, text);
  }
  files = await plan();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(Object.keys(contents))(
  'the sources of a plan are unchanged if %s is saved as it is',
  async (path) => {
    await write(path, await readFile(join(folder, path), 'utf8'));
    expect(await files.isUnchanged(path)).toBe(true);
  },
);

test.each([
  [settingsPath, '{\n  // All of it\n  "version": 1, "manage": {"datamodels": ["Retail"]}\n}'],
  [environmentPath, JSON.stringify({ connections: { Retail: { Files: { a: 1 } } }, role: 'staging', url })],
  [otherEnvironmentPath, JSON.stringify({ url, role: 'production' })],
  ['datamodels/Retail/README.md', '# Sales'],
  ['README.md', '# Analytics'],
  ['.git/index', ''],
])(
  'the sources of a plan are unchanged if only the layout of %s changes, or if the file does not matter',
  async (path, text) => {
    await write(path, text);
    expect(await files.isUnchanged(path)).toBe(true);
  },
);

test.each([
  [settingsPath, '{"version": 1, "manage": {"datamodels": ["*"]}}'],
  [settingsPath, '{'],
  [
    environmentPath,
    JSON.stringify({ url, role: 'production', connections: { Retail: { Files: { a: 1 } } } }),
  ],
  [environmentPath, JSON.stringify({ url, role: 'staging', connections: { Retail: { Files: { a: 2 } } } })],
  [environmentPath, JSON.stringify({ url: 'https://other.example.com', role: 'staging' })],
  [
    environmentPath,
    JSON.stringify({
      url,
      role: 'staging',
      viewpoints: false,
      connections: { Retail: { Files: { a: 1 } } },
    }),
  ],
  [lockPath, formatLock({ ...emptyLock, instance: 'b' })],
  [tablePath, '{"name": "Order"}'],
  [unreadablePath, '{}'],
  ['viewpoints/New.viewpoint.json', '{"name": "New"}'],
  ['viewpoints/New.viewpont.json', '{"name": "New"}'],
])('the sources of a plan are changed if %s becomes %s', async (path, text) => {
  await write(path, text);
  expect(await files.isUnchanged(path)).toBe(false);
});

test.each([settingsPath, environmentPath, lockPath, tablePath, unreadablePath])(
  'the sources of a plan are changed if %s is deleted',
  async (path) => {
    await rm(join(folder, path));
    expect(await files.isUnchanged(path)).toBe(false);
  },
);

test('the sources of a plan for an environment without viewpoints are unchanged until other settings change', async () => {
  await write(environmentPath, JSON.stringify({ url, viewpoints: false }));
  files = await plan();
  await write(settingsPath, `${contents[settingsPath]}\n`);
  expect(await files.isUnchanged(settingsPath)).toBe(true);
  expect(await files.isUnchanged(environmentPath)).toBe(true);
  await write(settingsPath, '{"version": 1, "manage": {"datamodels": ["*"]}}');
  expect(await files.isUnchanged(settingsPath)).toBe(false);
});

test('the sources of a plan are changed if a folder is renamed, even if only the folder is reported', async () => {
  await rename(join(folder, 'datamodels/Retail/tables'), join(folder, 'datamodels/Retail/sql'));
  expect(await files.isUnchanged('datamodels/Retail/tables')).toBe(false);
  expect(await files.isUnchanged('datamodels/Retail/sql')).toBe(false);
});

test('the check of the sources of a plan reads only the file that may have changed', async () => {
  await write(tablePath, '{"name": "Order"}');
  expect(await files.isUnchanged(markedPath)).toBe(true);
});
