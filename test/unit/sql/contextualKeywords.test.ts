import { describe, expect, test } from 'vitest';
import { getFirstSelect } from '../../../src/sql/features/outputColumns.ts';
import { parseStatement } from '../../../src/sql/syntax/parser.ts';

/** The aliases of the sources of the first select, and the number of syntax errors. */
function parse(text: string): {
  readonly aliases: readonly (string | undefined)[];
  readonly errorCount: number;
} {
  const { queries, syntaxErrors } = parseStatement(text);
  const select = queries[0] && getFirstSelect(queries[0]);
  return { aliases: (select?.from ?? []).map(({ alias }) => alias?.text), errorCount: syntaxErrors.length };
}

describe('words that continue a query only before certain other words, and are names elsewhere', () => {
  test.each([
    'FETCH FIRST 3 ROWS ONLY',
    'FETCH NEXT 3 ROWS ONLY',
    'OFFSET 5',
    'OFFSET ?',
    'OFFSET (1 + 1)',
    'OFFSET :skipped ROWS',
    'WINDOW w AS (ORDER BY a)',
    'QUALIFY a = 1',
    'QUALIFY [a] = 1',
    'QUALIFY (a) = 1',
    'MINUS SELECT 1',
    'MINUS ALL SELECT 1',
    'MINUS (SELECT 1)',
  ])('the first word is no alias in FROM t %s', (rest) => {
    expect(parse(`SELECT a FROM t ${rest}`)).toEqual({ aliases: [undefined], errorCount: 0 });
    expect(parse(`SELECT a FROM t x ${rest}`)).toEqual({ aliases: ['x'], errorCount: 0 });
  });

  test.each([
    'LEFT SEMI JOIN u ON 1 = 1',
    'LEFT ANTI JOIN u ON 1 = 1',
    'OUTER JOIN u ON 1 = 1',
    'OUTER APPLY (SELECT 1 AS n)',
    'outer apply f(t.a)',
  ])('the first word belongs to the join in FROM t %s', (rest) => {
    expect(parse(`SELECT a FROM t ${rest}`)).toEqual({ aliases: [undefined, undefined], errorCount: 0 });
    expect(parse(`SELECT a FROM t x ${rest}`)).toEqual({ aliases: ['x', undefined], errorCount: 0 });
  });

  test.each(['SEMI', 'ANTI'])(
    'the error in FROM t %s JOIN u, which lacks its side, is reported once',
    (word) => {
      const { aliases, errorCount } = parse(`SELECT a FROM t ${word} JOIN u ON 1 = 1`);
      expect([aliases[0], errorCount]).toEqual([undefined, 1]);
    },
  );

  test.each(['FETCH', 'OFFSET', 'WINDOW', 'QUALIFY', 'MINUS', 'SEMI', 'ANTI', 'OUTER'])(
    'the word is an alias in FROM t %s',
    (word) => {
      expect(parse(`SELECT a FROM t ${word}`)).toEqual({ aliases: [word], errorCount: 0 });
      expect(parse(`SELECT a FROM t ${word}, u`)).toEqual({ aliases: [word, undefined], errorCount: 0 });
      expect(parse(`SELECT ${word}.a FROM t AS ${word} WHERE a = 1`)).toEqual({
        aliases: [word],
        errorCount: 0,
      });
    },
  );
});
