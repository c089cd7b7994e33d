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

const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;

/** The texts in italics, without those that are examples or belong to other products. */
const getQuotedTexts = (page: string): readonly string[] =>
  [...read(page).matchAll(/(?<![*\\\w`])\*([A-Z][^*`]*?)\*(?![*\w])/g)]
    .map(([, text = '']) => text.replaceAll(/\s+/g, ' '))
    .filter((text) => !otherTexts.has(text) && !text.includes(' › '));

const otherTexts: ReadonlySet<string> = new Set([
  // Commands of VS Code.
  'Auto Fix…',
  'Find All References',
  'Format Document',
  'Go to Definition',
  'Preferences: Open Keyboard Shortcuts',
  'Show Base',
  // Texts of the command line, which aren't translated.
  'Error also on the instance',
  'No one gains access',
  'Not in the files',
  'Not on the instance',
  'Nothing to change: the instance matches the project in Retail',
]);

test.each([
  'README.md',
  'CHANGELOG.md',
  'docs/command-line.md',
  'docs/projects.md',
  'docs/reference.md',
  'docs/sandbox.md',
  'docs/security.md',
])('%s: the commands and texts that it quotes exist', (page) => {
  const bundle = JSON.parse(read('l10n/bundle.l10n.json')) as object;
  const messages = Object.keys(bundle).map((message) => message.replace(/[.:]$/, ''));
  const known = new Set([...Object.values(texts), ...messages]);
  const patterns = messages
    .map((message) => message.split(/\{\d\}/))
    // Anything else would match any text.
    .filter((parts) => parts.length > 1 && /\p{L}{4}/u.test(parts.join('')))
    .map((parts) => {
      const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
      return new RegExp(`^${escaped.join('.+')}$`);
    });
  const quoted = getQuotedTexts(page);
  expect(quoted.length).toBeGreaterThan(0);
  expect(
    quoted.filter((text) => !known.has(text) && !patterns.some((pattern) => pattern.test(text))),
  ).toEqual([]);
});

test('projects.md names the command in the palette of each command in a menu that has another title', () => {
  const { contributes } = JSON.parse(read('package.json')) as {
    readonly contributes: {
      readonly commands: readonly { readonly command: string; readonly title: string }[];
    };
  };
  const titles = new Map(
    contributes.commands.map(({ command, title }) => [command, texts[title.slice(1, -1)] ?? title]),
  );
  const quoted = new Set(getQuotedTexts('docs/projects.md'));
  const pairs = [...titles].flatMap(([command, menuTitle]) => {
    const title = titles.get(command.replace('.menus.', '.'));
    return title === undefined || title === menuTitle || !quoted.has(menuTitle) ? [] : [title];
  });
  expect(pairs.length).toBeGreaterThan(2);
  expect(pairs.filter((title) => !quoted.has(title))).toEqual([]);
});
