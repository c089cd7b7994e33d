import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSqlName } from '../../../src/sql/quoting.ts';
import { unquoteName } from '../../../src/sql/syntax/lexedText.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { relex } from '../../../src/sql/syntax/relex.ts';
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
  ['[t].5', 'quotedName [t] | operator . | number 5'],
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
  ['"a"', 'quotedName "a"'],
  ['"a""b"', 'quotedName "a""b"'],
  ['`a`', 'quotedName `a`'],
  ['`a``b`', 'quotedName `a``b`'],
  ['[a]', 'quotedName [a]'],
  ['[a]]b]', 'quotedName [a]]b]'],
  ['[a b]', 'quotedName [a b]'],
  ['[]', 'quotedName []'],
  ['ARRAY[1, 2]', 'word ARRAY | operator [ | number 1 | operator , | number 2 | operator ]'],
  ['array[[1], [2]]', 'word array | operator [ | quotedName [1] | operator , | quotedName [2] | operator ]'],
  ['ARRAY [1]', 'word ARRAY | quotedName [1]'],
  ['ARRAY[a] [b]', 'word ARRAY | operator [ | word a | operator ] | quotedName [b]'],
  ['ARRAY[1]]', 'word ARRAY | operator [ | number 1 | operator ] | operator ]'],
  ['xARRAY[1]', 'word xARRAY | quotedName [1]'],
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
  ['"a', 'quotedName! "a'],
  ['`a', 'quotedName! `a'],
  ['[a', 'quotedName! [a'],
  ["'a, b FROM c", "string! 'a, b | word FROM | word c"],
  ['"a, b FROM c', 'quotedName! "a | operator , | word b | word FROM | word c'],
  ['[a, b FROM c', 'quotedName! [a | operator , | word b | word FROM | word c'],
  ["N'a", "string! N'a"],
  ['[a, b]', 'quotedName [a, b]'],
  ['[a FROM b', 'quotedName! [a | word FROM | word b'],
  [
    "SELECT 'a, b FROM c WHERE d = 'e'",
    "word SELECT | string! 'a | operator , | word b | word FROM | word c | word WHERE | word d | operator = | string 'e'",
  ],
  [
    'SELECT "a, b FROM c WHERE d = "e"',
    'word SELECT | quotedName! "a | operator , | word b | word FROM | word c | word WHERE | word d | operator = | quotedName "e"',
  ],
  ['SELECT "a\nb" FROM c', 'word SELECT | quotedName "a⏎b" | word FROM | word c'],
  [
    'SELECT "a\nb", "c FROM d',
    'word SELECT | quotedName! "a | word b | quotedName ", " | word c | word FROM | word d',
  ],
  [
    'SELECT [a, [b] FROM c',
    'word SELECT | quotedName! [a | operator , | quotedName [b] | word FROM | word c',
  ],
  [
    'SELECT `a FROM b WHERE c = `d`',
    'word SELECT | quotedName! `a | word FROM | word b | word WHERE | word c | operator = | quotedName `d`',
  ],
  ["SELECT 'a /* b */, 'c'", "word SELECT | string! 'a | operator , | string 'c' | block /* b */"],
])('%j is split into its tokens and comments', (text, expected) => {
  expect(formatTokens(text)).toBe(expected);
});

test.each<[string, string]>([
  ['Select [Valid From], b', 'word Select | quotedName [Valid From] | operator , | word b'],
  ['SELECT [Valid From, b', 'word SELECT | quotedName! [Valid From | operator , | word b'],
  ['Select [Valid From, b', 'word Select | quotedName! [Valid | word From | operator , | word b'],
  ['select [Valid from, b', 'word select | quotedName! [Valid | word from | operator , | word b'],
  ['select [Valid From x', 'word select | quotedName! [Valid From x'],
  ['select [Valid FROM x', 'word select | quotedName! [Valid | word FROM | word x'],
  [
    'SELECT [Valid From x] FROM t [',
    'word SELECT | quotedName [Valid From x] | word FROM | word t | quotedName! [',
  ],
  ['[a (b) c, d', 'quotedName! [a (b) c | operator , | word d'],
  ['[a (b c) d', 'quotedName! [a (b c) d'],
  ['f([a b)', 'word f | operator ( | quotedName! [a b | operator )'],
  ['f(g([a b))', 'word f | operator ( | word g | operator ( | quotedName! [a b | operator ) | operator )'],
  ['[a (b, c', 'quotedName! [a (b | operator , | word c'],
  ['[a; b', 'quotedName! [a | operator ; | word b'],
  ['[a = b', 'quotedName! [a | operator = | word b'],
  ['[a=b', 'quotedName! [a=b'],
  ['[a - b', 'quotedName! [a | operator - | word b'],
  ['[a-b', 'quotedName! [a-b'],
  ['[a ! b', 'quotedName! [a | operator ! | word b'],
  ['[a % b', 'quotedName! [a | operator % | word b'],
  ['[a | b', 'quotedName! [a | operator | | word b'],
  ['[o.[b]', 'quotedName! [ | word o | operator . | quotedName [b]'],
  ['[a b.[c]', 'quotedName! [a | word b | operator . | quotedName [c]'],
  ['[a  b  .[c]', 'quotedName! [a | word b | operator . | quotedName [c]'],
  ['[a."b"', 'quotedName! [ | word a | operator . | quotedName "b"'],
  ['[a.b', 'quotedName! [a.b'],
  ['[a .[b]', 'quotedName! [ | word a | operator . | quotedName [b]'],
  ['[[a]', 'quotedName! [[a]'],
  ['[ [a]', 'quotedName! [ [a]'],
  ['[a [b]', 'quotedName [a [b]'],
  ['[a[b]', 'quotedName [a[b]'],
  ['[a, [b]', 'quotedName! [a | operator , | quotedName [b]'],
  ['[a.[b]', 'quotedName! [ | word a | operator . | quotedName [b]'],
  ['[a( [b]', 'quotedName! [a( [b]'],
  ['[a= [b]', 'quotedName! [a= [b]'],
  ['[a| [b]', 'quotedName! [a| [b]'],
  ['[a AND [b]', 'quotedName! [a | word AND | quotedName [b]'],
  ['[a and [b]', 'quotedName [a and [b]'],
  ['[Band [b]', 'quotedName [Band [b]'],
  ['[a]] [b]', 'quotedName [a]] [b]'],
  ['[a]]', 'quotedName! [a]]'],
  ['[a]]]', 'quotedName [a]]]'],
  ['[a]]]]', 'quotedName! [a]]]]'],
  ['[a [b]] c]', 'quotedName [a [b]] c]'],
  ['[a [b]]]', 'quotedName [a [b]]]'],
  ['[a [b]] [c]', 'quotedName [a [b]] [c]'],
  ['[a\nb]', 'quotedName [a⏎b]'],
  ['[a\nb [c]', 'quotedName! [a | word b | quotedName [c]'],
  ['[a\nFROM b]', 'quotedName! [a | word FROM | word b | operator ]'],
  ['[a\nfrom b]', 'quotedName [a⏎from b]'],
  ['[a\n\nb', 'quotedName! [a | word b'],
  ['"a b\nFROM c"', 'quotedName! "a b | word FROM | word c | quotedName! "'],
  ['"a\nb"', 'quotedName "a⏎b"'],
  ['"a FROM b"', 'quotedName "a FROM b"'],
  ['"a FROM b "', 'quotedName "a FROM b "'],
  ['"a, "', 'quotedName "a, "'],
  ['"a ,"', 'quotedName "a ,"'],
  ['"a. "', 'quotedName "a. "'],
  ['"a="', 'quotedName "a="'],
  ['"a("', 'quotedName "a("'],
  ['"a<"', 'quotedName "a<"'],
  ['"a)"', 'quotedName "a)"'],
  ['" "', 'quotedName " "'],
  ['""', 'quotedName ""'],
  ['"', 'quotedName! "'],
  ['"a""', 'quotedName! "a""'],
  ['"a""b', 'quotedName! "a""b'],
  ['"a"b"', 'quotedName "a" | word b | quotedName! "'],
  ['"FROM"', 'quotedName "FROM"'],
  ['"FROM "', 'quotedName "FROM "'],
  ["'a FROM b'", "string 'a FROM b'"],
  ["'a FROM b '", "string 'a FROM b '"],
  ["'a, '", "string 'a, '"],
  ["'a\nFROM b'", "string 'a⏎FROM b'"],
  ["'a\nfrom b'", "string 'a⏎from b'"],
  ["'it''s", "string! 'it''s"],
  ["'a b FROM c", "string! 'a b | word FROM | word c"],
  ["'a b\nFROM c", "string! 'a b | word FROM | word c"],
  ["SELECT 'a ' FROM b", "word SELECT | string 'a ' | word FROM | word b"],
  ["SELECT 'a = ' || b", "word SELECT | string 'a = ' | operator || | word b"],
  ["' '", "string ' '"],
  ['`a FROM b`', 'quotedName `a FROM b`'],
  ['`a, `', 'quotedName `a, `'],
  ['`a', 'quotedName! `a'],
  ['`a b, c`d', 'quotedName `a b, c` | word d'],
  ['[a ] b', 'quotedName [a ] | word b'],
  ['[ a', 'quotedName! [ a'],
  ['[', 'quotedName! ['],
  ['[ ', 'quotedName! [ '],
  ['[a\t= b', 'quotedName! [a | operator = | word b'],
  ['x[a', 'word x | quotedName! [a'],
  ['x [a b] y [c d', 'word x | quotedName [a b] | word y | quotedName! [c d'],
  ['[a] [b', 'quotedName [a] | quotedName! [b'],
  ['"a.b', 'quotedName! "a.b'],
  ['"a."b"', 'quotedName! " | word a | operator . | quotedName "b"'],
  ['`a.`b`', 'quotedName! ` | word a | operator . | quotedName `b`'],
  ['"a\n"b"', 'quotedName! "a | quotedName "b"'],
  ['"a, "b"', 'quotedName! "a | operator , | quotedName "b"'],
  ['"a ="b"', 'quotedName! "a | operator = | quotedName "b"'],
  ['"a( "b"', 'quotedName! "a( "b"'],
  ['"a < "b"', 'quotedName! "a | operator < | quotedName "b"'],
  ['"a >"b"', 'quotedName! "a | operator > | quotedName "b"'],
  ['"a. "b"', 'quotedName! "a. "b"'],
  ['"a) "b"', 'quotedName "a) " | word b | quotedName! "'],
  ['"a FROM "b"', 'quotedName! "a | word FROM | quotedName "b"'],
  ['"a FROM b"c"', 'quotedName "a FROM b" | word c | quotedName! "'],
  ['"a FROM b "c"', 'quotedName! "a | word FROM | word b | quotedName "c"'],
  ['"a from b "c"', 'quotedName "a from b " | word c | quotedName! "'],
  ['"a\nFROM b"c"', 'quotedName! "a | word FROM | word b | quotedName "c"'],
  ['"a\nb"c"', 'quotedName! "a | word b | quotedName "c"'],
  ['" "b"', 'quotedName " " | word b | quotedName! "'],
  ['"" "b"', 'quotedName "" | quotedName "b"'],
  ['" FROM "b"', 'quotedName! " | word FROM | quotedName "b"'],
  ['"a"b', 'quotedName "a" | word b'],
  ['"a "b', 'quotedName "a " | word b'],
  ["'a, 'b'", "string! 'a | operator , | string 'b'"],
  ["'a ='b'", "string! 'a | operator = | string 'b'"],
  ["'a FROM b'c'", "string 'a FROM b' | word c | string! '"],
  ["'a FROM b 'c'", "string! 'a | word FROM | word b | string 'c'"],
  ["'a\nFROM b'c'", "string! 'a | word FROM | string b'c'"],
  ["''b'", "string '' | string! b'"],
  ["' 'b'", "string ' ' | string! b'"],
  ['`a, `b`', 'quotedName! `a | operator , | quotedName `b`'],
  ['`a FROM b `c`', 'quotedName! `a | word FROM | word b | quotedName `c`'],
  ['`a FROM b`c`', 'quotedName `a FROM b` | word c | quotedName! `'],
  ['"a, b" c "d', 'quotedName "a, b" | word c | quotedName! "d'],
  ['SELECT "a" "b c FROM d', 'word SELECT | quotedName "a" | quotedName! "b c | word FROM | word d'],
  ["SELECT 'a' 'b c FROM d", "word SELECT | string 'a' | string! 'b c | word FROM | word d"],
])('a quote that is not closed ends where code seems to go on: %j', (text, expected) => {
  expect(formatTokens(text)).toBe(expected);
});

test.each([197, 198, 199, 200, 201])('a name of %i characters is one token', (length) => {
  const name = `[${'a'.repeat(length)}]`;
  expect(formatTokens(`${name} b`)).toBe(`quotedName ${name} | word b`);
  expect(formatTokens(`${name.slice(0, -1)}]]] b`)).toBe(`quotedName ${name}]] | word b`);
});

test('an edit in a nested array literal is not lexed alone, because brackets have another meaning there', () => {
  const text = 'SELECT ARRAY[[a], [b]]]';
  const offset = text.indexOf('b');
  expect(relex(lex(text), `${text.slice(0, offset)}x${text.slice(offset)}`)).toBeUndefined();
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
      const written = formatSqlName(name, quote);
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
  expect(formatSqlName(name)).toBe(written);
});
