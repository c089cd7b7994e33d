import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeEngine, oldestParsingNode } from '../../../src/packaging/cli/manifest.ts';
import { cliScript } from '../../support/cliProcess.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'one-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const runNode = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each(['cli.js', 'cli'])(
  'the command line runs where it is copied to, without anything else: %s',
  async (name) => {
    await copyFile(cliScript, join(folder, 'cli.js'));
    expect(runNode(name, '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: datamodel-studio'),
      stderr: '',
    });
    // The code of this command is in the part of the file that is read later.
    expect(runNode(name, 'schema', 'pull')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"$schema"'),
      stderr: '',
    });
  },
);

test('output that could not be written is an error', async () => {
  const full = await open('/dev/full', 'w');
  try {
    const { status, stderr } = spawnSync(process.execPath, [cliScript, 'schema', 'pull'], {
      stdio: ['ignore', full.fd, 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "The disk is full, so the output can't be written.\n",
    });
  } finally {
    await full.close();
  }
});

test.each(['12.22.12', '18.20.8', '20.20.2', '22.18.0'])(
  'Node %s, which is too old, is refused with one line',
  async (version) => {
    // Older releases lack much of what the other modules use, so these modules may not run before the check.
    await writeFile(
      join(folder, 'older.cjs'),
      `Object.defineProperty(process.versions, 'node', { value: '${version}' });
     delete process.getBuiltinModule;
     delete globalThis.AbortController;`,
    );
    for (const args of [['--help'], ['pull'], []]) {
      expect(runNode('--require', './older.cjs', cliScript, ...args)).toEqual({
        status: 1,
        stdout: '',
        stderr: `datamodel-studio needs Node.js ${nodeEngine} or later.\n`,
      });
    }
  },
);

test('the code that runs first has no syntax that older releases reject', async () => {
  const text = await readFile(cliScript, 'utf8');
  const code = text.slice(0, text.lastIndexOf('/*deferred:'));
  expect(code.length).toBeGreaterThan(10_000);
  const compile = async (target: string): Promise<string> => (await transform(code, { target })).code;
  expect(await compile(`node${oldestParsingNode}`)).toBe(await compile('esnext'));
});
