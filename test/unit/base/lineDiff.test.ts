import { expect, test } from 'vitest';
import { compareLines } from '../../../src/base/lineDiff.ts';

const createText = (...lines: readonly string[]): string => lines.join('\n');

const format = (before: string, after: string): readonly string[] =>
  compareLines(before, after).map(({ kind, text }) => (kind === 'gap' ? '…' : `${kind[0]} ${text}`));

test('a changed line is shown with some lines before and after, removed before added', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  expect(format(createText(...lines), createText(...lines.with(6, 'other')))).toEqual([
    '…',
    's line 3',
    's line 4',
    's line 5',
    'r line 6',
    'a other',
    's line 7',
    's line 8',
    's line 9',
  ]);
  expect(format(createText(...lines), createText(...lines.with(0, 'a').with(11, 'b')))).toEqual([
    'r line 0',
    'a a',
    's line 1',
    's line 2',
    's line 3',
    '…',
    's line 8',
    's line 9',
    's line 10',
    'r line 11',
    'a b',
  ]);
});

test('a text that is added or removed as a whole has only lines of one kind', () => {
  expect(format('', 'SELECT 1\nFROM Orders')).toEqual(['a SELECT 1', 'a FROM Orders']);
  expect(format('SELECT 1', '')).toEqual(['r SELECT 1']);
});

test('different line endings are no difference', () => {
  expect(format('a\r\nb', 'a\nb')).toEqual([]);
});
