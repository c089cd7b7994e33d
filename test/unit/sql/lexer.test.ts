import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeName } from '../../../src/sql/quoting.ts';
import { unquoteName } from '../../../src/sql/syntax/lexedText.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { getPropertyRuns } from '../../support/soak.ts';

/** Formats the tokens of a text as their kinds and texts, with `!` if unclosed, followed by its comments. */
function formatTokens(text: string): string {
  const { tokens, comments } = lex(text);
  const format = (
    kind: string,
    { start, end, unclosed }: { start: number; end: number; unclosed: boolean },
  ) => `${kind}${unclosed ? '!' : ''} ${text.slice(start, end).replaceAll('\n', '⏎')}`;
  return [
    ...[...tokens].flatMap((token) => (token.kind === 'end' ? [] : [format(token.kind, token)])),
    ...comments.map((comment) => format(comment.block ? 'block' : 'line', comment)),
  ].join(' | ');
}

test.each<[string, string]>([
  ['', ''],
  [' \t\r\n', ''],
  ['a', 'word a'],
  ['a1_$b', 'word a1_$b'],
  ['Größe', 'word Größe'],
  ['2020Sales', 'word 2020Sales'],
  ['1', 'number 1'],
  ['1.5', 'number 1.5'],
  ['.5', 'number .5'],
  ['1.', 'number 1.'],
  ['1.e', 'number 1. | word e'],
  ['t.5', 'word t | operator . | number 5'],
  ['[t].5', 'name [t] | operator . | number 5'],
  ['t .5', 'word t | number .5'],
  ['1..2', 'number 1. | number .2'],
  ['0xFF', 'number 0xFF'],
  ['0xFG', 'word 0xFG'],
  ['0x', 'word 0x'],
  ['0xF$', 'word 0xF$'],
  ['1e5', 'number 1e5'],
  ['1E+5', 'number 1E+5'],
  ['1e-5', 'number 1e-5'],
  ['1e', 'word 1e'],
  ['1e+', 'word 1e | operator +'],
  ['1.5e3x', 'word 1.5e3x'],
  ['1.x', 'number 1. | word x'],
  ['a||b', 'word a | operator || | word b'],
  ['a<>b', 'word a | operator <> | word b'],
  ['a!=b', 'word a | operator != | word b'],
  ['a<=b', 'word a | operator <= | word b'],
  ['a>=b', 'word a | operator >= | word b'],
  ['a==b', 'word a | operator == | word b'],
  ['a::b', 'word a | operator :: | word b'],
  ['a->b', 'word a | operator -> | word b'],
  ['a->>b', 'word a | operator ->> | word b'],
  ['a<<b', 'word a | operator << | word b'],
  ['a>>b', 'word a | operator >> | word b'],
  ['a-b', 'word a | operator - | word b'],
  ['a--b', 'word a | line --b'],
  ['a=<b', 'word a | operator = | operator < | word b'],
  ['a|b', 'word a | operator | | word b'],
  ['a->-b', 'word a | operator -> | operator - | word b'],
  ["'a'", "string 'a'"],
  ["'a''b'", "string 'a''b'"],
  ["N'a'", "string N'a'"],
  ["n'a'", "string n'a'"],
  ["X'FF'", "string X'FF'"],
  ["b'01'", "string b'01'"],
  ["Z'a'", "word Z | string 'a'"],
  ["NN'a'", "word NN | string 'a'"],
  ["N 'a'", "word N | string 'a'"],
  ['"a"', 'name "a"'],
  ['"a""b"', 'name "a""b"'],
  ['`a`', 'name `a`'],
  ['`a``b`', 'name `a``b`'],
  ['[a]', 'name [a]'],
  ['[a]]b]', 'name [a]]b]'],
  ['[a b]', 'name [a b]'],
  ['[]', 'name []'],
  ['ARRAY[1, 2]', 'word ARRAY | operator [ | number 1 | operator , | number 2 | operator ]'],
  ['array[[1], [2]]', 'word array | operator [ | name [1] | operator , | name [2] | operator ]'],
  ['ARRAY [1]', 'word ARRAY | name [1]'],
  ['ARRAY[a] [b]', 'word ARRAY | operator [ | word a | operator ] | name [b]'],
  ['ARRAY[1]]', 'word ARRAY | operator [ | number 1 | operator ] | operator ]'],
  ['xARRAY[1]', 'word xARRAY | name [1]'],
  [']', 'operator ]'],
  ['-- a', 'line -- a'],
  ['-- a\nb', 'word b | line -- a'],
  ['/* a */b', 'word b | block /* a */'],
  ['/* a', 'block! /* a'],
  ['/*/', 'block! /*/'],
  ['/**/a', 'word a | block /**/'],
  ['/* a */ /* b */', 'block /* a */ | block /* b */'],
  ['a -- b\n-- c', 'word a | line -- b | line -- c'],
  ["'a", "string! 'a"],
  ['"a', 'name! "a'],
  ['`a', 'name! `a'],
  ['[a', 'name! [a'],
  ["'a, b FROM c", "string! 'a, b | word FROM | word c"],
  ['"a, b FROM c', 'name! "a | operator , | word b | word FROM | word c'],
  ['[a, b FROM c', 'name! [a | operator , | word b | word FROM | word c'],
  ["N'a", "string! N'a"],
  ['[a, b]', 'name [a, b]'],
  ['[a FROM b', 'name! [a | word FROM | word b'],
  [
    "SELECT 'a, b FROM c WHERE d = 'e'",
    "word SELECT | string! 'a | operator , | word b | word FROM | word c | word WHERE | word d | operator = | string 'e'",
  ],
  [
    'SELECT "a, b FROM c WHERE d = "e"',
    'word SELECT | name! "a | operator , | word b | word FROM | word c | word WHERE | word d | operator = | name "e"',
  ],
  ['SELECT "a\nb" FROM c', 'word SELECT | name "a⏎b" | word FROM | word c'],
  ['SELECT "a\nb", "c FROM d', 'word SELECT | name! "a | word b | name ", " | word c | word FROM | word d'],
  ['SELECT [a, [b] FROM c', 'word SELECT | name! [a | operator , | name [b] | word FROM | word c'],
  [
    'SELECT `a FROM b WHERE c = `d`',
    'word SELECT | name! `a | word FROM | word b | word WHERE | word c | operator = | name `d`',
  ],
  ["SELECT 'a /* b */, 'c'", "word SELECT | string! 'a | operator , | string 'c' | block /* b */"],
])('%j', (text, expected) => {
  expect(formatTokens(text)).toBe(expected);
});

test('property: a name that is written is one token, which is read as that name', () => {
  const names = fc
    .array(
      fc.constantFrom('a', 'B1', '[', ']', '"', '`', "'", ' ', '.', ',', '(', 'FROM ', '--', '/*', 'ü'),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(names, fc.constantFrom('', '[', '"', '`'), (name, quote) => {
      const written = writeName(name, quote);
      const [token] = lex(written).tokens;
      expect(token && [token.start, token.end, token.unclosed]).toEqual([0, written.length, false]);
      expect(token && unquoteName(written, token)).toBe(name);
    }),
    { numRuns: getPropertyRuns(1_000) },
  );
});

test.each([
  ['Amount', 'Amount'],
  ['Order Id', '[Order Id]'],
  ['a]b', '[a]]b]'],
  ['Cost [USD]', '[Cost [USD]]]'],
  ['[', '"["'],
  ['a"[', '[a"[]'],
])('the name %s is written as %s', (name, written) => {
  expect(writeName(name)).toBe(written);
});
