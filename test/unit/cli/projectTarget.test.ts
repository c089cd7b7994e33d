import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Arguments } from '../../../src/cli/command.ts';
import { CommandRefusedError } from '../../../src/cli/exitCodes.ts';
import { readChangeTarget } from '../../../src/cli/projectTarget.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { type InstanceAddress, hashInstance } from '../../../src/project/pull/instanceHash.ts';
import { emptyLock, formatLock } from '../../../src/project/pull/lock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-target-'));
  await mkdir(join(folder, 'environments'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const url = 'https://analytics.example.com';
const shell: Shell = {
  env: { TOKEN: 'x' },
  platform: 'linux',
  // Each test has a folder of its own.
  get home() {
    return folder;
  },
  isInputTerminal: false,
  isErrorTerminal: false,
  isOutputTerminal: false,
  readInput: () => Promise.resolve(''),
  writeData: () => undefined,
  writeMessage: () => undefined,
};

test('a token of several lines is refused, and not repeated', async () => {
  await writeFile(join(folder, 'token'), 'secret\nother\n');
  const options = { project: folder, url, 'token-file': join(folder, 'token') };
  const args: Arguments = {
    positionals: [],
    getValue: (name) => Object.entries(options).find(([option]) => option === name)?.[1],
    has: (name) => Object.hasOwn(options, name),
  };
  await expect(readChangeTarget({ args, shell })).rejects.toThrow(
    /^--token-file contains several lines\. Expected: only the API token\.$/,
  );
});

/** Reads the target of a command that writes to the instance at the given address. */
const readTarget = (address: string) => readTargetWith({ url: address });

function readTargetWith(options: Readonly<Record<string, string>>) {
  const values: Readonly<Record<string, string>> = { project: folder, 'token-env': 'TOKEN', ...options };
  const args: Arguments = {
    positionals: [],
    getValue: (name) => values[name],
    has: (name) => Object.hasOwn(values, name),
  };
  return readChangeTarget({ args, shell });
}

const writeEnvironment = (text: string) => writeFile(join(folder, 'environments', 'prod.json'), text);
const writeLock = (address: InstanceAddress = { url }) =>
  writeFile(
    join(folder, 'environments', 'prod.lock.json'),
    formatLock({ ...emptyLock, instance: hashInstance(address) }),
  );

const unreadable = "might be the address of the environment prod, whose file is missing or can't be read.";
const other = 'https://other.example.com';

test('--url is refused while an environment that was pulled cannot be read: its address is unknown', async () => {
  await writeLock();
  await writeEnvironment('{ "url": ');
  await expect(readTarget(url)).rejects.toThrow(unreadable);
  await expect(readTarget(other)).rejects.toThrow(unreadable);
});

test.each([
  ['an unknown role', `{ "url": "${url}", "role": "prod" }`],
  ['an unknown property', `{ "url": "${url}/", "role": "production", "owner": "Ann" }`],
  ['a missing quotation mark', `{ "role": "production", "url": "${url}`],
  ['a merge conflict', `{\n<<<<<<< ours\n"url": "${url}",\n=======\n"url":"https://new.test"\n>>>>>>> b\n}`],
  ['another spelling and a tenant', '{ "tenant": "t1", "url": "ANALYTICS.example.com.", }}'],
])(
  '--url is refused for each address in an environment file that cannot be read: %s',
  async (_problem, text) => {
    await writeEnvironment(text);
    await expect(readTarget(url)).rejects.toThrow(unreadable);
    await expect(readTarget(other)).resolves.toBeDefined();
  },
);

test('--url is refused if an environment file is unreadable as a whole, but not because of files of other tools', async () => {
  await writeEnvironment('{ "apiUrl": "https://api.example.com" }');
  await expect(readTarget(url)).resolves.toBeDefined();
  await writeFile(join(folder, 'environments', 'prod.json'), Buffer.from([0xff, 0xfe]));
  await expect(readTarget(url)).rejects.toThrow(unreadable);
});

test('--url is refused for the instance of a protected environment, and while the file of a pulled environment is missing', async () => {
  await writeLock({ url, tenantId: 't1' });
  for (const address of [url, other]) {
    await expect(readTarget(address)).rejects.toThrow(unreadable);
  }
  await writeEnvironment(JSON.stringify({ url, role: 'production' }));
  await expect(readTarget(url)).rejects.toThrow('whose role is production');
  await expect(readTarget(other)).resolves.toBeDefined();
});

test.each([
  ['http://localhost:8080/a', 'http://127.0.0.1:8080/a', 'http://127.0.0.1:8081/a'],
  ['http://127.0.0.1:8080', 'https://[::1]:8080', 'http://localhost.example.com:8080'],
  ['http://[::1]:8080', 'http://127.0.0.2:8080', 'http://127.0.0.1.example.com:8080'],
  ['http://127.0.0.2:8080', 'http://localhost.:8080', 'http://128.0.0.2:8080'],
  ['http://0.0.0.0:8080', 'http://[::ffff:127.0.0.1]:8080', 'http://[::ffff:8.8.8.8]:8080'],
  [url, 'http://analytics.example.com.', `${url}:8443`],
  [`${url}/a`, `${url}:80/a/`, `${url}/b`],
])('%s and %s may be the same instance, and %s is another', async (ownUrl, sameUrl, otherUrl) => {
  await writeEnvironment(JSON.stringify({ url: ownUrl, role: 'read-only' }));
  await expect(readTarget(sameUrl)).rejects.toThrow('whose role is read-only');
  await expect(readTarget(otherUrl)).resolves.toBeDefined();
});

test('a file that is called environments is no folder of environments; a folder that cannot be read might protect the instance', async () => {
  const path = join(folder, 'environments');
  await rm(path, { recursive: true });
  await writeFile(path, '');
  await expect(readTarget(url)).resolves.toBeDefined();
  await rm(path);
  // A link to itself fails for every user, unlike a folder without permissions.
  await symlink(path, path);
  const refusal = readTarget(url);
  await expect(refusal).rejects.toBeInstanceOf(CommandRefusedError);
  await expect(refusal).rejects.toThrow(
    `Can't read ${path}, so it's unknown whether it protects the instance from changes.`,
  );
});

test('an environment has the strictest role of all environments with its address, whatever their tenants', async () => {
  const path = join(folder, 'environments', 'b.json');
  await writeFile(path, JSON.stringify({ url: 'http://analytics.example.com.', tenant: 't1' }));
  const readInstance = async () => (await readTargetWith({ environment: 'b' })).instance;
  await writeEnvironment(JSON.stringify({ url: other, role: 'production' }));
  expect(await readInstance()).toMatchObject({ connection: { role: 'development' }, roleOrigin: undefined });
  await writeEnvironment(JSON.stringify({ url, role: 'production' }));
  expect(await readInstance()).toMatchObject({
    environmentName: 'b',
    connection: { role: 'production', tenantId: 't1' },
    roleOrigin: 'prod',
  });
  await writeEnvironment(JSON.stringify({ url, role: 'prod' }));
  await expect(readInstance()).rejects.toThrow(`The address of the environment b ${unreadable}`);
});

test.each([
  ['the same', { url }, true],
  ['another spelling', { url: 'http://analytics.example.com.' }, true],
  ['the same, and its tenant', { url, tenantId: 't1' }, true],
  ['another one', { url: other }, false],
])(
  'an environment is refused while the file of one that was pulled from its address is missing: %s',
  async (_address, address, isRefused) => {
    const writeNamedEnvironment = (name: string, content: object) =>
      writeFile(join(folder, 'environments', `${name}.json`), JSON.stringify(content));
    await writeNamedEnvironment('test', { url, tenant: 't1' });
    await writeNamedEnvironment('spelling', { url: 'http://analytics.example.com.' });
    await writeLock(address);
    const target = readTargetWith({ environment: 'test' });
    if (isRefused) {
      await expect(target).rejects.toThrow(`The address of the environment test ${unreadable}`);
      await expect(target).rejects.toThrow(
        'Its role might protect the instance from changes. Restore or fix',
      );
    } else {
      await expect(target).resolves.toBeDefined();
    }
    await writeEnvironment(JSON.stringify({ url: other }));
    await expect(readTargetWith({ environment: 'test' })).resolves.toBeDefined();
  },
);

test('an unknown environment is refused with the names of those that exist', async () => {
  const readUnknown = () => readTargetWith({ environment: 'porduction' });
  const start = 'environments/porduction.json: The project has no such environment.';
  await expect(readUnknown()).rejects.toThrow(`${start} It has no environments.`);
  await writeEnvironment(JSON.stringify({ url }));
  await writeFile(join(folder, 'environments', 'test.json'), JSON.stringify({ url }));
  await expect(readUnknown()).rejects.toThrow(`${start} Expected: prod, test.`);
  await rm(join(folder, 'environments'), { recursive: true });
  await expect(readUnknown()).rejects.toThrow(`${start} It has no environments.`);
});
