import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');

test('every file of the extension loads', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, '../support/loadExtensionFiles.ts'),
  ]);
  expect(Number(stdout)).toBeGreaterThan(100);
});

test('the command-line tool loads little code before it knows the command', () => {
  const text = readFileSync(join(dist, 'cli.js'), 'utf8');
  const start = text.lastIndexOf('/*deferred:');
  const end = text.lastIndexOf('*/');
  expect(text.indexOf('*/', start)).toBe(end);
  expect(end - start).toBeGreaterThan(300_000);
  expect(text.length - (end - start)).toBeLessThan(40_000);
});

test('each page has a short list of its texts, and all of them have a translation', () => {
  const bundle: object = JSON.parse(readFileSync(join(dist, '../l10n/bundle.l10n.json'), 'utf8'));
  const pages = readdirSync(join(dist, 'webviews')).filter((file) => file.endsWith('.js'));
  expect(pages.length).toBeGreaterThan(5);
  for (const page of pages) {
    const file = join(dist, 'webviews', page.replace(/js$/, 'texts.json'));
    const texts: readonly string[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    expect(texts.length, page).toBeGreaterThan(0);
    expect(texts.length, page).toBeLessThan(Object.keys(bundle).length / 10);
    expect(
      texts.filter((text) => !Object.hasOwn(bundle, text)),
      page,
    ).toEqual([]);
  }
});
