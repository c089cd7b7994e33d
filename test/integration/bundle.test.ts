import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');
/** decisions.md, "Activation and quality": activation stays small, heavy parts load on first use. */
const activationBudget = 267_000;

/** Returns a bundled file and all its static imports, which are loaded with it. */
function findWithImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) {
    return seen;
  }
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path = ''] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
    findWithImports(join(file, '..', path), seen);
  }
  return seen;
}

const loadedAtActivation = [...findWithImports(join(dist, 'extension.js'))];

test('activation loads less than its budget', () => {
  const bytes = loadedAtActivation.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(loadedAtActivation.length).toBeGreaterThan(1);
  expect(bytes).toBeLessThan(activationBudget);
});

test('HTTP, the client and the sandbox are not loaded at activation', () => {
  const names = loadedAtActivation.map((file) => file.slice(dist.length));
  expect(names.filter((name) => /undici|platformClient|sandbox/i.test(name))).toEqual([]);
});

test('the command-line tool loads little code before it knows the command', () => {
  const text = readFileSync(join(dist, 'cli.js'), 'utf8');
  const start = text.lastIndexOf('/*deferred:');
  const end = text.lastIndexOf('*/');
  expect(text.indexOf('*/', start)).toBe(end);
  expect(end - start).toBeGreaterThan(500_000);
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
