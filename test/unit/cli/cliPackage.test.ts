import { readFileSync } from 'node:fs';
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
