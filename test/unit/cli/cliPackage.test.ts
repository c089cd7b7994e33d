import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCliManifest } from '../../../src/packaging/cli/manifest.ts';

const root = join(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

test("the npm package has the command, the project's version, and nothing to install", () => {
  const manifest = createCliManifest(JSON.parse(read('package.json')));
  expect(manifest).toMatchObject({
    bin: { 'datamodel-studio': 'cli.js' },
    version: JSON.parse(read('package.json')).version,
    engines: { node: expect.stringMatching(/^>=22/) },
  });
  expect(Object.keys(manifest)).not.toContain('dependencies');
});

test('the README of the npm package is the page about the command line, which has no links to other pages', () => {
  const text = read('docs/command-line.md');
  expect(text).toMatch(/^# /);
  expect(text).toContain('rules import');
  expect(text).not.toContain('## Developing');
  expect(text).not.toMatch(/\]\((?!https:|#)/);
});

test('the npm package of a project that was not built says to build it first', () => {
  const copy = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    cpSync(join(root, 'src/packaging/cli'), join(copy, 'src/packaging/cli'), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(copy, 'src/packaging/cli/write.ts')], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'dist/cli.js is missing. Run npm run build first.\n',
    });
  } finally {
    rmSync(copy, { recursive: true });
  }
});
