import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Arguments } from '../../../src/cli/command.ts';
import { readChangeTarget } from '../../../src/cli/projectTarget.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { hashInstance } from '../../../src/project/pull/instanceHash.ts';
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
const writeLock = () =>
  writeFile(
    join(folder, 'environments', 'prod.lock.json'),
    formatLock({ ...emptyLock, instance: hashInstance({ url }) }),
  );

test('--url is refused for the instance of an environment whose file cannot be read: it may be protected', async () => {
  await writeEnvironment('{ "url": ');
  await writeLock();
  await expect(readTarget(url)).rejects.toThrow(
    "--url is the address of the environment prod, whose file can't be read.",
  );
  await expect(readTarget('https://other.example.com')).resolves.toBeDefined();
});

test('--url is refused for the instance of a protected environment, and for one whose file is missing', async () => {
  await writeLock();
  await expect(readTarget(url)).rejects.toThrow('environments/prod.json: The file is missing');
  await expect(readTarget('https://other.example.com')).resolves.toBeDefined();
  await writeEnvironment(JSON.stringify({ url, role: 'production' }));
  await expect(readTarget(url)).rejects.toThrow('whose role is production');
});

test.each([
  ['http://localhost:8080/a', 'http://127.0.0.1:8080/a', 'http://127.0.0.1:8081/a'],
  ['http://127.0.0.1:8080', 'http://[::1]:8080', 'https://[::1]:8080'],
  ['http://[::1]:8080', 'http://127.0.0.2:8080', 'http://127.0.0.1.example.com:8080'],
])(
  'this machine has several names: %s and %s are the same instance, and %s is another',
  async (ownUrl, sameInstanceUrl, otherInstanceUrl) => {
    await writeEnvironment(JSON.stringify({ url: ownUrl, role: 'read-only' }));
    await expect(readTarget(sameInstanceUrl)).rejects.toThrow('whose role is read-only');
    await expect(readTarget(otherInstanceUrl)).resolves.toBeDefined();
  },
);

test('an unknown environment is refused with the names of those that exist', async () => {
  const readUnknown = () => readTargetWith({ environment: 'porduction' });
  const start = 'environments/porduction.json: The project has no such environment.';
  await expect(readUnknown()).rejects.toThrow(`${start} It has none.`);
  await writeEnvironment(JSON.stringify({ url }));
  await writeFile(join(folder, 'environments', 'test.json'), JSON.stringify({ url }));
  await expect(readUnknown()).rejects.toThrow(`${start} It has: prod, test.`);
  await rm(join(folder, 'environments'), { recursive: true });
  await expect(readUnknown()).rejects.toThrow(`${start} It has none.`);
});
