import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canBeUnquoted, needsQuotes, formatSqlName } from '../../../src/sql/quoting.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { unquoteName } from '../../../src/sql/syntax/lexedText.ts';

/** The name that the only token of a text stands for; `undefined` if the text is not one name. */
function readName(text: string): string | undefined {
  // The last token is the end of the text.
  const [token, ...others] = [...lex(text).tokens].filter(({ start, end }) => start < end);
  return token === undefined || others.length > 0 || token.unclosed ? undefined : unquoteName(text, token);
}

describe('a name is written so that it is read as the same name', () => {
  const names = fc.string({ minLength: 1, unit: fc.constantFrom(...'aZ_9 .,[]"`\'#$ö-'.split('')) });

  test('with any quotes', () => {
    fc.assert(
      fc.property(
        names,
        fc.constantFrom('' as const, '[' as const, '"' as const, '`' as const),
        (name, quote) => {
          expect(readName(formatSqlName(name, quote))).toBe(name);
        },
      ),
    );
  });

  test.each([
    ['Amount', '', 'Amount'],
    ['Net Amount', '', '[Net Amount]'],
    ['Order', '', '[Order]'],
    ['2020', '', '[2020]'],
    ['a]b', '', '[a]]b]'],
    ['Amount', '[', '[Amount]'],
    ['Amount', '"', '"Amount"'],
    ['a"b', '"', '"a""b"'],
    ['a`b', '`', '`a``b`'],
    ['Cost [USD]', '[', '[Cost [USD]]]'],
  ] as const)('%s with the quote "%s": %s', (name, quote, expected) => {
    expect(formatSqlName(name, quote)).toBe(expected);
  });
});

test.each([
  ['Amount', false, true],
  ['_a1', false, true],
  ['Größe', true, true],
  ['a$', true, true],
  ['a b', true, false],
  ['1a', true, false],
  ['', true, false],
  ['a-b', true, false],
  ['Order', true, false],
  ['order', true, false],
  ['TABLE', true, false],
  ['values', true, false],
  ['Date', true, true],
  ['User', true, true],
  ['Year', true, true],
])('the name "%s" should be quoted: %s; can be without quotes: %s', (name, isRisky, canOmit) => {
  expect([needsQuotes(name), canBeUnquoted(name)]).toEqual([isRisky, canOmit]);
});
