import { expect, test } from 'vitest';
import { capitalize } from '../../../src/base/capitalize.ts';

test.each([
  ['the rules', 'The rules'],
  ['The rules', 'The rules'],
  ['über 3', 'Über 3'],
  ['😀 a', '😀 a'],
  ['', ''],
])('%j begins with a capital letter: %j', (text, expected) => {
  expect(capitalize(text)).toBe(expected);
});
