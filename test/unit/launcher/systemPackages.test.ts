import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';

/** Runs a script without any program on the PATH, without an installed editor, and without a terminal. */
function runWithoutPrograms(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const home = mkdtempSync(join(tmpdir(), 'bare-'));
  try {
    return spawnSync(process.execPath, [join(projectRoot, script), ...args], {
      env: { PATH: home, HOME: home, XDG_CACHE_HOME: home, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

const isLinux = process.platform === 'linux';
const installCommandPattern =
  /^ {2}(?:sudo )?apt-get install -y --no-install-recommends .*python3 make g\+\+ libkrb5-dev pkg-config$/m;

test('npm start prints the command that installs the packages and stops, if the editor has to be compiled', () => {
  const { status, stderr } = runWithoutPrograms('src/launcher/checkPackages.ts');
  expect(status).toBe(isLinux ? 1 : 0);
  expect(installCommandPattern.test(stderr)).toBe(isLinux);
});

test('npm start needs no packages where desktop VS Code can show a window', () => {
  const { status, stderr } = runWithoutPrograms('src/launcher/checkPackages.ts', [], { DISPLAY: ':0' });
  expect([status, stderr]).toEqual([0, '']);
});

test('npm test does not begin without its packages, and cannot install them without apt-get', () => {
  const { status, stdout, stderr } = runWithoutPrograms('test/all.ts', ['--install-packages']);
  expect([status, stdout]).toEqual([1, '']);
  expect(installCommandPattern.test(stderr)).toBe(isLinux);
});

test('npm test refuses unknown arguments and prints its usage', () => {
  const { status, stderr } = runWithoutPrograms('test/all.ts', ['--fast']);
  expect(status).toBe(2);
  expect(stderr).toContain('Usage: npm test -- [--install-packages]');
});
