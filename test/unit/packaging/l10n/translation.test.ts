import { expect, test } from 'vitest';
import {
  checkTranslation,
  orderTranslation,
  parseTexts,
  createEnglishBundle,
} from '../../../../src/packaging/l10n/translation.ts';

const findProblems = (english: string, translation: string): readonly string[] =>
  checkTranslation({ key: english }, { key: translation }).problems;

test('keys without a translation and translations without a key are named', () => {
  expect(checkTranslation({ a: 'A', b: 'B' }, { b: 'Be', c: 'Ce' })).toEqual({
    missingKeys: ['a'],
    superfluousKeys: ['c'],
    problems: [],
  });
});

test('names of object properties are keys like others', () => {
  expect(checkTranslation({ constructor: 'A' }, {}).missingKeys).toEqual(['constructor']);
});

test.each([
  ['another order', '{0} of {1}', '{1} hat {0}'],
  ['a repeated placeholder', '{0} of {1}', '{1}: {0} von {1}'],
  ['icons', '$(sync~spin) Building {0}', '$(sync~spin) {0} läuft'],
  [
    'links',
    '[Start](command:a.b) or [add](command:c.d)',
    '[Hinzufügen](command:c.d) oder [starten](command:a.b)',
  ],
  ['settings', 'See `#http.proxy#`.', 'Siehe `#http.proxy#`.'],
  ['an ending', ', then ', ', dann '],
])('a translation may have %s', (_kind, english, translation) => {
  expect(findProblems(english, translation)).toEqual([]);
});

test.each([
  ['empty', 'Open', ' '],
  ['without a placeholder', '{0} of {1}', '{0}'],
  ['with an unknown placeholder', 'Open {0}', 'Öffnen {1}'],
  ['without its number', '1 rule of {0}', 'Regel von {0}'],
  ['without an icon', '$(sync) Building', 'Läuft'],
  ['with another link', '[Start](command:a.b)', '[Start](command:a.c)'],
  ['without code', 'Use `x`.', 'Verwenden Sie x.'],
  ['with translated code', 'Use `name`.', 'Verwenden Sie `Name`.'],
  ['with another setting', '`#http.proxy#`', '`#http.noProxy#`'],
  ['without emphasis', 'Use **Open**.', 'Verwenden Sie Öffnen.'],
  ['without a line break', 'One.\nTwo.', 'Eins. Zwei.'],
  ['without an ellipsis', 'Open…', 'Öffnen'],
  ['with other dots', 'Open…', 'Öffnen...'],
  ['without its last space', ', then ', ', dann'],
  ['with a space at the start', 'Open', ' Öffnen'],
])('a translation %s is a problem', (_kind, english, translation) => {
  expect(findProblems(english, translation)).toHaveLength(1);
});

test('a translation has the order of the English texts, and nothing else', () => {
  expect(Object.entries(orderTranslation({ a: 'A', b: 'B', d: 'D' }, { c: 'Ce', b: 'Be', a: 'Ah' }))).toEqual(
    [
      ['a', 'Ah'],
      ['b', 'Be'],
    ],
  );
});

test('English texts are their own translation', () => {
  expect(createEnglishBundle(['Open'])).toEqual({ Open: 'Open' });
});

test('a file with conflicts of a merge has the texts of both sides', () => {
  const lines = [
    '{',
    '<<<<<<< HEAD',
    '  "a": "A",',
    '=======',
    '  "b": "B",',
    '>>>>>>> main',
    '  "c": "C"',
    '}',
  ];
  expect(parseTexts(lines.join('\n'))).toEqual({ a: 'A', b: 'B', c: 'C' });
  expect(parseTexts('{ "=======": "<<<<<<<" }')).toEqual({ '=======': '<<<<<<<' });
});
