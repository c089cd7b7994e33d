import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  findEnvironments,
  listConfiguredEnvironments,
  listEnvironments,
} from '../../../../src/project/pull/findEnvironments.ts';
import { hashInstance, sandboxAddress } from '../../../../src/project/pull/instanceHash.ts';
import { emptyLock, formatLock } from '../../../../src/project/pull/lock.ts';
import { writeNewEnvironment } from '../../../../src/project/pull/newProjectFiles.ts';
import { readEnvironment } from '../../../../src/project/settings/projectSettings.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'project-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const url = 'https://analytics.example.com';
const writeEnvironmentFile = (name: string, text: string): void => {
  mkdirSync(join(folder, 'environments'), { recursive: true });
  writeFileSync(join(folder, 'environments', name), text);
};
const formatLockFor = (address: Parameters<typeof hashInstance>[0]): string =>
  formatLock({ ...emptyLock, instance: hashInstance(address) });

test('a folder without environments has none', async () => {
  expect(await findEnvironments(folder, { url })).toEqual({ names: [], matches: [] });
});

test('environments are found by address and tenant, and those without a file by their lock', async () => {
  writeEnvironmentFile('prod.json', JSON.stringify({ url: `${url}/` }));
  writeEnvironmentFile('prod.lock.json', formatLockFor({ url: 'https://moved.example.com' }));
  writeEnvironmentFile('tenant.json', JSON.stringify({ url, tenant: 't1' }));
  writeEnvironmentFile('test.json', JSON.stringify({ url: 'https://test.example.com' }));
  writeEnvironmentFile('default.lock.json', formatLockFor({ url }));
  writeEnvironmentFile('broken.json', '{');
  writeEnvironmentFile('bad.lock.json', '{');
  const names = ['bad', 'broken', 'default', 'prod', 'tenant', 'test'];
  const instanceHash = hashInstance({ url });
  expect(await findEnvironments(folder, { url })).toEqual({
    names,
    matches: [
      { name: 'default', instanceHash },
      { name: 'prod', url, role: 'development', instanceHash },
    ],
  });
  expect(await findEnvironments(folder, { url, tenantId: 't1' })).toMatchObject({
    names,
    matches: [{ name: 'tenant' }],
  });
  const [, , , , tenant] = await listEnvironments(folder);
  expect(tenant).toMatchObject({ name: 'tenant', url, tenant: 't1' });
});

test('all environments with an address have its strictest role, whatever their tenants', async () => {
  writeEnvironmentFile('a.json', JSON.stringify({ url: 'http://analytics.example.com.', tenant: 't1' }));
  writeEnvironmentFile('other.json', JSON.stringify({ url: 'https://other.example.com' }));
  writeEnvironmentFile('prod.json', JSON.stringify({ url, role: 'production' }));
  writeEnvironmentFile('staging.json', JSON.stringify({ url, role: 'staging' }));
  const environments = await listEnvironments(folder);
  expect(environments.map(({ name, role, roleOrigin }) => [name, role, roleOrigin])).toEqual([
    ['a', 'production', 'prod'],
    ['other', 'development', undefined],
    ['prod', 'production', undefined],
    ['staging', 'production', 'prod'],
  ]);
});

test('an environment with only a lock file is listed as lacking its own file, except the default one and that of the sandbox', async () => {
  const lock = formatLockFor({ url });
  writeEnvironmentFile('default.lock.json', lock);
  writeEnvironmentFile('sandbox.lock.json', formatLockFor({ url: sandboxAddress }));
  writeEnvironmentFile('prod.lock.json', lock);
  writeEnvironmentFile('bad.lock.json', '{');
  writeEnvironmentFile('test.json', JSON.stringify({ url }));
  expect(await listConfiguredEnvironments(folder)).toEqual([
    { name: 'bad', isFileMissing: true },
    { name: 'prod', instanceHash: hashInstance({ url }), isFileMissing: true },
    { name: 'test', url, role: 'development', instanceHash: hashInstance({ url }) },
  ]);
});

test('a new environment is written once, and never over another one', async () => {
  const environment = { name: 'prod', url, role: 'production', tenant: 't1' } as const;
  await writeNewEnvironment(folder, environment);
  expect(await readEnvironment(folder, 'prod')).toEqual(environment);
  const text = readFileSync(join(folder, 'environments/prod.json'), 'utf8');
  await writeNewEnvironment(folder, { ...environment, url: 'https://other.example.com' });
  expect(readFileSync(join(folder, 'environments/prod.json'), 'utf8')).toBe(text);
});

test('a new environment does not create a project again whose folder is gone', async () => {
  rmSync(folder, { recursive: true });
  await expect(writeNewEnvironment(folder, { name: 'prod', url, role: 'staging' })).rejects.toMatchObject({
    name: 'ProjectWriteError',
    message: "Can't write environments/prod.json. The file or its folder doesn't exist (ENOENT).",
  });
  expect(existsSync(folder)).toBe(false);
});
