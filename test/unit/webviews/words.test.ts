import { expect, test } from 'vitest';
import { readWords } from '../../../src/webviews/shared/words.ts';

test('a text without a translation stays as it is, with its values', () => {
  const t = readWords('{}');
  expect(t('{0} of {1} columns', 3, 20)).toBe('3 of 20 columns');
  expect(readWords(undefined)('Columns')).toBe('Columns');
});

test('a translation may order the values otherwise; a hole without a value stays', () => {
  const t = readWords(JSON.stringify({ '{0} of {1}': 'von {1}: {0}{2}' }));
  expect(t('{0} of {1}', 1, 2)).toBe('von 2: 1{2}');
});

test('a value that looks like a hole is not filled again', () => {
  expect(readWords('{}')('{0} {1}', '{1}', 'x')).toBe('{1} x');
});

test('names of properties of objects are no translations', () => {
  expect(readWords('{}')('constructor')).toBe('constructor');
});
