import { describe, expect, test } from 'vitest';
import { findUntranslatedTexts, extractTexts } from '../../../../src/packaging/l10n/extractTexts.ts';

const extract = (source: string, path = 'some.ts') => extractTexts(path, source);

test.each([
  ['a function', `t('Open')`],
  ['a message', `createMessage('Open')`],
  ['a method', `vscode.l10n.t('Open')`],
  ['a private method', `class A { #t: Localize = x; b() { return this.#t('Open'); } }`],
  ['a wrapped line', `t(\n  'Open',\n)`],
  ['double quotes', `t("Open")`],
  ['a template without values', 't(`Open`)'],
])('the text of %s is found', (_kind, source) => {
  expect(extract(source)).toEqual({ texts: ['Open'], tableNames: [], problems: [] });
});

test('both texts of a condition are found, and texts within values', () => {
  const { texts, problems } = extract(`t(count === 1 ? '{0} table' : '{0} tables', t('all'))`);
  expect(texts).toEqual(['{0} table', '{0} tables', 'all']);
  expect(problems).toEqual([]);
});

test('texts with both kinds of quotes, and with escapes, are found as they are shown', () => {
  expect(extract(String.raw`t('It isn\'t "x"'); t('a\nb — …')`).texts).toEqual([`It isn't "x"`, 'a\nb — …']);
});

test('texts of a page are found in its elements and attributes', () => {
  const source = `const a = <p title={t('Open')}>{t('{0} rules', 2)}</p>;`;
  expect(extract(source, 'some.tsx')).toEqual({ texts: ['Open', '{0} rules'], tableNames: [], problems: [] });
});

test('a translatable table has the texts of its properties, and may be translated by its name', () => {
  const source = `
    const titles = translatable({ open: 'Open', 'close-all': "Can't {0}" } as const);
    t(titles[code], ...args);
    t(getTitle(code), ...args);`;
  expect(extract(source)).toEqual({
    texts: ['Open', "Can't {0}"],
    tableNames: ['titles', 'getTitle'],
    problems: [],
  });
});

test('comments, other functions and words that end in t are ignored', () => {
  expect(
    extract(`// t('a')\nsplit('b'); const format = (t: string) => t; it('c'); x.text('d')`).texts,
  ).toEqual([]);
});

test.each([
  ['a computed text', 't(`Open ${name}`)'],
  ['a concatenated text', `t('Open' + name)`],
  ['a variable', `t(text)`],
  ['a table with a computed text', 'translatable({ open: `Open ${name}` })'],
  ['a placeholder without a value', `t('{0} of {1}', 1)`],
  ['a value without a placeholder', `t('Open', 1)`],
  ['a skipped placeholder', `t('{1}', 1)`],
])('%s is a problem', (_kind, source) => {
  expect(extract(source).problems).toHaveLength(1);
});

describe('sentences that are not translated', () => {
  test.each<[source: string, found: readonly string[]]>([
    ["fail('The file is empty. Expected: JSON.');", ['a.ts: The file is empty. Expected: JSON.']],
    ["fail(`${path} isn't valid at line ${line}.`);", ["a.ts: {} isn't valid at line {}."]],
    ['const text = isBroken ? `"${name}" is missing.` : "";', ['a.ts: "{}" is missing.']],
    ["t('The file is empty.'); createMessage('No files were changed.');", []],
    ["const table = translatable({ a: 'The file is empty.' });", []],
    ["z.string().describe('The address of the instance.');", []],
    ["throw new RangeError('Only JSON can be edited');", []],
    ["read('datamodel-studio.json'); send('All tables');", []],
  ])('%s', (source, found) => expect(findUntranslatedTexts('a.ts', source)).toEqual(found));
});
