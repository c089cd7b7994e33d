import { expect, test } from 'vitest';
import { createLocalize } from '../../../src/webviews/shared/localize.ts';

test('a text without a translation is unchanged, with its values', () => {
  const t = createLocalize('{}');
  expect(t('{0} of {1} columns', 3, 20)).toBe('3 of 20 columns');
  expect(createLocalize(undefined)('Columns')).toBe('Columns');
});

test('a translation may reorder the values; a placeholder without a value stays', () => {
  const t = createLocalize(JSON.stringify({ '{0} of {1}': 'von {1}: {0}{2}' }));
  expect(t('{0} of {1}', 1, 2)).toBe('von 2: 1{2}');
});

test('a value that looks like a placeholder is not replaced again', () => {
  expect(createLocalize('{}')('{0} {1}', '{1}', 'x')).toBe('{1} x');
});

test('names of object properties are not translations', () => {
  expect(createLocalize('{}')('constructor')).toBe('constructor');
});
