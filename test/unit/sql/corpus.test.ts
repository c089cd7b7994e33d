import { describe, expect, test } from 'vitest';
import { parseExpression, parseStatement } from '../../../src/sql/syntax/parser.ts';
import { type SpecText, findSpecTexts } from './corpus/specTexts.ts';

/**
 * A public corpus: the texts that the specs of pgsql-ast-parser consider valid. Those specific to PostgreSQL are named
 * here, each text reviewed by a person; everything else must parse without an error.
 */
const postgresOnly: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['E-strings with backslash escapes', /^E'/],
  ['array constructors', /ARRAY\[/],
  ['ISNULL and NOTNULL as postfix operators', /[a")l]\s*(isnull|notnull)\b/i],
  ['operators named with OPERATOR()', /\boperator\(/i],
  ['operators of PostgreSQL: @@ ~ ~~ !~ and similar ones', /^(a|\$1) ?(@@|!?~)/],
  ['IN without parentheses', /\bIN\s*"?b"?$/i],
  ['subscripts of arrays', /[abc")]\[/],
  ['a SELECT without columns', /^select$/],
  ['DISTINCT ON', /\bdistinct on\b/],
  ['row locks', /\bfor (no key )?(update|share|key share)\b/],
];

const texts = findSpecTexts();

function getSyntaxErrors({ kind, text }: SpecText): readonly unknown[] {
  return kind === 'statement' ? parseStatement(text).syntaxErrors : parseExpression(text).syntaxErrors;
}

describe('the texts of the specs of pgsql-ast-parser', () => {
  const faulty = texts.filter((text) => getSyntaxErrors(text).length > 0);

  test('are found in the package', () => {
    expect(texts.length).toBeGreaterThanOrEqual(312);
  });

  test('parse without an error if they belong to the dialect', () => {
    const unexplained = faulty.filter(({ text }) => !postgresOnly.some(([, pattern]) => pattern.test(text)));
    expect(unexplained.map(({ text }) => text)).toEqual([]);
  });

  test('every reason applies to a text, and at most 57 texts need one', () => {
    const unused = postgresOnly.filter(([, pattern]) => !faulty.some(({ text }) => pattern.test(text)));
    expect(unused.map(([reason]) => reason)).toEqual([]);
    expect(faulty.length).toBeLessThanOrEqual(57);
  });

  test('at least 255 texts parse without an error', () => {
    expect(texts.length - faulty.length).toBeGreaterThanOrEqual(255);
  });
});
