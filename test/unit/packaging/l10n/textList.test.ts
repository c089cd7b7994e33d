import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findEnglishTexts } from '../../../../src/packaging/l10n/extractTexts.ts';
import { formatTextList, listTexts } from '../../../../src/packaging/l10n/textList.ts';

const root = join(import.meta.dirname, '../../../..');

const texts = listTexts(root);

const readValues = (path: string): readonly string[] =>
  Object.values<string>(JSON.parse(readFileSync(join(root, path), 'utf8')));

test('every text of the manifest and of the bundle is listed, by the file that it is in', () => {
  const allTexts = new Set([...texts.values()].flat());
  const expected = [...readValues('package.nls.json'), ...readValues('l10n/bundle.l10n.json')];
  expect(expected.filter((text) => !allTexts.has(text))).toEqual([]);
  expect(texts.get('src/features/history/historyActions.ts')).toContain('Nothing to undo: {0}');
});

test('texts that are English only are listed, too', () => {
  expect(texts.get('src/cli/buildResult.ts')).toContain('Nothing was started. {}');
  expect(texts.get('src/sandbox/arguments.ts')).toContain('Missing value: --data DIR.');
});

test('the names and descriptions of the demo data are listed, too', () => {
  expect(texts.get('src/sandbox/seeds/demo/measures.ts')).toContain('Purchase cost of the items sold');
  expect(texts.get('src/sandbox/seeds/demo/retailModel.ts')).toContain('Customer Id');
});

test('the problems of SQL are listed, with the texts that both the editor and the command line show', () => {
  expect(texts.get('src/sql/formatSqlProblem.ts')).toContain('Unclosed name');
});

test.each([
  ["fail('The file is empty.');", ['The file is empty.']],
  ['print(`${count} more. Add ${option}.`);', ['{} more. Add {}.']],
  ["const title = isBroken ? 'Broken' : 'Rules:';", ['Broken', 'Rules:']],
  ["print('Done now.'); log('Done now.');", ['Done now.']],
  ["import { a } from './some.ts'; args.has('dry-run'); throw new ApiError('api-error');", []],
  ["const separator = ' | ';", []],
  ["run('SELECT name FROM tables');", []],
])('the texts of a module that is English only are found: %s', (source, expected) => {
  expect(findEnglishTexts('a.ts', source)).toEqual(expected);
});

test('each text is on a line below its file', () => {
  const textsByPath = new Map([
    ['a.ts', ['Open', 'Usage:\n  --help']],
    ['b.ts', ['Close']],
  ]);
  expect(formatTextList(textsByPath)).toBe('a.ts\n  Open\n  Usage:\n    --help\n\nb.ts\n  Close\n');
});
