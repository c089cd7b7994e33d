import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Comments and titles of tests cite a page in `docs` and a heading on it: `(rest-api.md, "Limits")`, `(platform-facts.md,
 * 3.1)`, `(rest-api.md, "Data security rule" 2)` for an item of its list.
 */
const root = join(import.meta.dirname, '../../..');
const pageNames = ['rest-api.md', 'platform-facts.md', 'decisions.md', 'architecture.md'];

/** The lines below each heading of a page, by its title, and by `#` and its number where it has one. */
function readHeadings(name: string): ReadonlyMap<string, readonly string[]> {
  const headings = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of readFileSync(join(root, 'docs', name), 'utf8').split('\n')) {
    const [, title] = /^#{1,6} (.*)$/.exec(line) ?? [];
    if (title === undefined) {
      lines.push(line);
      continue;
    }
    lines = [];
    headings.set(title.trim(), lines);
    const [, number] = /^(\d(?:\.\d+)?)\.? /.exec(title) ?? [];
    if (number !== undefined) {
      headings.set(`#${number}`, lines);
    }
  }
  return headings;
}

const pages = new Map(pageNames.map((name) => [name, readHeadings(name)]));

const citationPattern = /(?<![\w./-])(?:docs\/)?(rest-api|platform-facts|decisions|architecture)\.md\b/g;
const headingPattern =
  /^(?:,| and|, and) ?(?:"([^"\n]{1,80})"((?: \d+)(?:(?:,| and) \d+)*)?|(\d(?:\.\d+)?)(?!\d))/;

/** Finds the headings and list items that the citation at the start of a text names, but the page lacks. */
function findProblems(page: ReadonlyMap<string, readonly string[]>, text: string): readonly string[] {
  const problems: string[] = [];
  let remainingText = text;
  let count = 0;
  for (
    let next = headingPattern.exec(remainingText);
    next !== null;
    next = headingPattern.exec(remainingText)
  ) {
    const [citedHeading, title, items = '', number] = next;
    const lines = page.get(title ?? `#${number}`);
    if (lines === undefined) {
      // A quotation after the cited heading is part of the sentence.
      return count > 0 && title !== undefined ? problems : [...problems, `no heading ${citedHeading}`];
    }
    for (const item of items.match(/\d+/g) ?? []) {
      if (!lines.some((line) => line.startsWith(`${item}. `))) {
        problems.push(`no item ${item} of ${citedHeading}`);
      }
    }
    count += 1;
    remainingText = remainingText.slice(citedHeading.length);
  }
  return count === 0 ? ['no heading is named'] : problems;
}

/** Joins the lines of a comment, since a citation may continue on the next line. */
const unwrap = (text: string): string => text.replace(/\r?\n[ \t]*(?:\*(?!\/)|\/\/)[ \t]?/g, ' ');

const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|tsx|css)$/.test(path) && !path.includes('.artifacts'))
    .map((path) => join(folder, path))
    .filter((path) => path !== join('test', 'unit', 'docs', 'citations.test.ts')),
);

const texts = files.map((path) => ({ path, text: unwrap(readFileSync(join(root, path), 'utf8')) }));

test('every citation leads to a heading of a page in docs', () => {
  const problems = texts.flatMap(({ path, text }) =>
    [...text.matchAll(citationPattern)].flatMap((found) => {
      const page = pages.get(`${found[1]}.md`);
      const rest = text.slice(found.index + found[0].length);
      const reasons = page === undefined ? ['no page'] : findProblems(page, rest);
      return reasons.map((problem) => `${path}: ${found[0]}${rest.slice(0, 40)}: ${problem}`);
    }),
  );
  expect(problems).toEqual([]);
});

test('nothing cites a page outside the project', () => {
  const outsidePattern = /\(spec, (?:"|errors|rule)|\(facts \d|\bplatform-facts(?!\.md)\b|\bdesign\.md\b/g;
  const found = texts.flatMap(({ path, text }) =>
    [...text.matchAll(outsidePattern)].map(([words]) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
});

test('a citation of a missing heading or list item is found', () => {
  const page = new Map([
    ['Limits', ['1. One']],
    ['#3.1', []],
  ]);
  expect(findProblems(page, ', "Limits" 1)')).toEqual([]);
  expect(findProblems(page, ', "Limits" and 3.1)')).toEqual([]);
  expect(findProblems(page, ', "Limits" 2)')).toEqual(['no item 2 of , "Limits" 2']);
  expect(findProblems(page, ', "Bounds")')).toEqual(['no heading , "Bounds"']);
  expect(findProblems(page, ')')).toEqual(['no heading is named']);
});
