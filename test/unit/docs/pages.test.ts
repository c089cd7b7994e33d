import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'test/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The fragment of a heading, as GitHub derives it. */
const getFragment = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const getFragments = (path: string): ReadonlySet<string> =>
  new Set([...read(path).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => getFragment(heading)));

/** The relative links of a page that lead to no file, or to no heading of it. */
const findBrokenLinks = (page: string): readonly string[] =>
  [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    const isFound =
      existsSync(join(root, target)) && (fragment === undefined || getFragments(target).has(fragment));
    return isFound ? [] : [link];
  });

test.each(pages)('%s: every link leads to a file and a heading', (page) => {
  expect(findBrokenLinks(page)).toEqual([]);
});

test('the tests that security.md names exist', () => {
  const text = read('docs/security.md');
  const namedTests = [...text.matchAll(/`((?:unit|integration)\/[\w/]+|architecture)`/g)].map(
    ([, path]) => `test/${path}`,
  );
  const journeys = [...text.matchAll(/journey `(\w+)`/gi)].map(
    ([, name]) => `test/editor/journeys/${name}.journey`,
  );
  expect(namedTests.length).toBeGreaterThan(15);
  expect(journeys.length).toBeGreaterThan(1);
  const missing = [...namedTests, ...journeys].filter(
    (path) => !existsSync(join(root, `${path}.test.ts`)) && !existsSync(join(root, path)),
  );
  expect(missing).toEqual([]);
});

test.each(['README.md', 'docs/reference.md'])('%s: the commands that it names exist', (page) => {
  const titles = new Set(Object.values(JSON.parse(read('package.nls.json')) as Record<string, string>));
  const commands = [...read(page).matchAll(/(?<!\*)\*([A-Z][^*\n]*…)\*(?!\*)/g)].map(
    ([, title = '']) => title,
  );
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.filter((title) => !titles.has(title))).toEqual([]);
});
