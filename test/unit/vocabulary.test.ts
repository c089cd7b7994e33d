import { expect, test } from 'vitest';
import { findAvoided } from '../support/vocabulary.ts';

const findWords = (text: string): readonly string[] => findAvoided(text).map((finding) => finding.found);

test.each([
  ['a comment', '// The server tells nothing.', 'tells'],
  ['a docstring', '/** Asks anew. */', 'anew'],
  ['a text', "t('For everybody else')", 'everybody'],
  ['a part of a name', 'const toldBefore = 1;', 'told'],
  ['a name of an earlier version', 'await lookAgain(entry);', 'lookAgain'],
  ['British spelling', '/** Its behaviour. */', 'behaviour'],
  ['several words', '// It is taken back.', 'taken back'],
  [
    'a former name of a view',
    "t('Select it in the Datamodel Studio explorer.')",
    'Datamodel Studio explorer',
  ],
])('%s is found', (_what, text, word) => {
  expect(findWords(text)).toEqual([word]);
});

test.each([
  'function columnOf(table: Table): Column {',
  'const columnOf = (table: Table): Column => table.column;',
  'const columnOf = async (table: Table) => table.column;',
  '  static columnOf(table: Table): Column {',
  '  async #columnOf<T>(table: T): Promise<T> {',
])('a function whose name ends in Of is found: %s', (text) => {
  expect(findWords(text)).toEqual(['columnOf']);
});

test.each([
  'const at = names.indexOf(name);',
  'const instanceOf = value instanceof Map;',
  "readonly cause: 'build-behaviour';",
  '// A satellite, a storyteller, and a cataloger.',
  'const getColumn = (table: Table): Column => table.column;',
])('%s is left alone', (text) => {
  expect(findWords(text)).toEqual([]);
});

test('a finding has its line and what to write instead', () => {
  expect(findAvoided('// a\n// told\n')).toEqual([
    { line: 2, found: 'told', use: 'say, show, report or know' },
  ]);
});
