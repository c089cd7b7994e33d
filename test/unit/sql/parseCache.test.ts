import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codeActionsAt,
  completionsAt,
  diagnose,
  getDocumentSymbols,
  type ExpressionContext,
  getFoldingRanges,
  hoverAt,
  getSemanticTokens,
  signatureHelpAt,
  SqlParseCache,
} from '../../../src/sql/index.ts';
import { getCaretPosition } from '../../../src/sql/completion/caretPosition.ts';
import { getCaretHints, lexInContext } from '../../../src/sql/parsing.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { lexBounded, parseStatement } from '../../../src/sql/syntax/parser.ts';
import type { SqlQuery, SelectQuery } from '../../../src/sql/syntax/tree.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { anyText, brokenText, cleanTexts } from './generate.ts';
import { CATALOG, COLUMN, TABLE } from './model.ts';

/** One change of a text, and its carets afterwards. */
interface Step {
  readonly at: number;
  readonly length: number;
  readonly put: string;
  readonly carets: readonly number[];
}

/** Texts in which the end of a quote, bracket or select depends on other parts. */
const farReaching = [
  'SELECT "two\nlines" x, [two\nlines] y, 1 z FROM Orders o',
  'select [a [b] c] x, ARRAY[1, [a], 2] y, [d] z from Orders o',
  'SELECT a ) x, b FROM Orders o',
  'SELECT o.Amount FROM Orders o Customers c ON c.x = o.x',
  'SELECT COUNT x) AS n FROM Orders',
  'SELECT (SELECT 1 FROM Orders FROM Customers',
];

const statement: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...cleanTexts.filter((text) => /^\s*SELECT/i.test(text))) },
  fc.constantFrom(...farReaching),
  brokenText,
);

/** Texts of many selects, nested and in sequence: most of them are unaffected by an edit. */
const manySelects: fc.Arbitrary<string> = fc.array(statement, { minLength: 2, maxLength: 8 }).chain((parts) =>
  fc.constantFrom(
    `WITH ${parts.map((part, index) => `c${index} AS (${part})`).join(',\n')} SELECT * FROM c0 JOIN c1 x ON `,
    parts.join('\nUNION ALL\n'),
    parts.map((part) => `(${part})`).join(' UNION '),
    `SELECT * FROM ${parts.map((part, index) => `(${part}) d${index}`).join('\n, ')} WHERE d0. `,
    `SELECT ${parts.map((part) => `(${part})`).join(', ')} FROM Orders o`,
    parts.join(';\n'),
    parts.reduce((inner, part) => `${part} UNION SELECT * FROM (${inner}) x`),
  ),
);

const LETTERS = ['a', 'o', '.', ' ', 'o.', ',', '(', ')', '\n', '', ''];
const MARKS = "\" ' ` [ ] -- /* */ - / * > | N' 0x 1e +5 .5 \r".split(' ');
const WORDS = [
  ' FROM ',
  ' SELECT ',
  'select ',
  ' AS ',
  ' JOIN ',
  ' UNION ',
  'ARRAY[',
  ' WITH x AS (SELECT 1 y) ',
  ';',
];

const put = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...LETTERS) },
  { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: anyText },
);

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 10_000 }) }, fc.constantFrom(0, 1)),
  length: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat({ max: 3 }) },
    fc.nat({ max: 200 }),
  ),
  put,
  // Mostly at the edit, sometimes elsewhere.
  carets: fc.array(fc.oneof(fc.constant(-1), fc.nat({ max: 10_000 })), { maxLength: 3 }),
});

const texts = fc.oneof({ weight: 3, arbitrary: manySelects }, fc.constantFrom(...cleanTexts), anyText);
const contexts: fc.Arbitrary<ExpressionContext> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(TABLE) },
  fc.constant(COLUMN),
);

/** The texts of a sequence of edits, each with its carets. */
function* edited(
  text: string,
  steps: readonly Step[],
): Generator<{ text: string; carets: readonly number[] }> {
  let now = text;
  yield { text, carets: [text.length, text.length >> 1] };
  for (const { at, length, put: written, carets } of steps) {
    const start = at % (now.length + 1);
    now = now.slice(0, start) + written + now.slice(start + length);
    const { length: end } = now;
    yield {
      text: now,
      carets: carets.map((caret) => (caret < 0 ? start + written.length : caret % (end + 1))),
    };
  }
}

/** Compares large values at once, because matchers are slow at that. */
function expectSame(found: unknown, fromNothing: unknown, text: string): void {
  if (JSON.stringify(found) !== JSON.stringify(fromNothing)) {
    expect({ text, found }).toEqual({ text, found: fromNothing });
  }
}

describe('a text that is edited', { timeout: 60_000 }, () => {
  test('has the tokens of a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 8 }), (text, steps) => {
        const memory = new SqlParseCache();
        for (const { text: now } of edited(text, steps)) {
          const { tokens, comments, open } = memory.lex(now);
          const fromNothing = lex(now);
          expectSame(
            { tokens: [...tokens], length: tokens.length, comments, open },
            {
              tokens: [...fromNothing.tokens],
              length: fromNothing.tokens.length,
              comments: fromNothing.comments,
              open: fromNothing.open,
            },
            now,
          );
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('has the names around a caret of a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 8 }), (text, steps) => {
        const remembering = { ...TABLE, cache: new SqlParseCache() };
        for (const { text: now, carets } of edited(text, steps)) {
          for (const caret of carets) {
            const names = (where: ExpressionContext): string =>
              JSON.stringify(around(now, caret, where), withoutOffsets);
            expectSame(names(remembering), names(TABLE), now);
          }
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('completes like a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 8 }), contexts, (text, steps, context) => {
        const remembering = { ...context, memory: new SqlParseCache() };
        for (const { text: now, carets } of edited(text, steps)) {
          for (const caret of carets) {
            const ask = (where: ExpressionContext): unknown => [
              completionsAt(now, caret, where),
              signatureHelpAt(now, caret, where),
            ];
            expectSame(ask(remembering), ask(context), now);
          }
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('has the diagnostics, colors and folding of a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 4 }), contexts, (text, steps, context) => {
        const remembering = { ...context, memory: new SqlParseCache() };
        for (const { text: now, carets } of edited(text, steps)) {
          const [caret = 0] = carets;
          completionsAt(now, caret, remembering);
          const ask = (where: ExpressionContext): unknown => [
            diagnose(now, where),
            getSemanticTokens(now, where),
            getFoldingRanges(now, where),
            hoverAt(now, caret, where),
            codeActionsAt(now, 0, now.length, where),
            getDocumentSymbols(now, where.cache),
          ];
          expectSame(ask(remembering), ask(context), now);
        }
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });
});

/** The queries and selects around a caret, which covers the entire statement. */
function around(
  text: string,
  caret: number,
  context: ExpressionContext,
): readonly (SqlQuery | SelectQuery)[] {
  const place = getCaretPosition(lexInContext(text, context), caret);
  return place === undefined ? [] : getCaretHints(place, context).enclosingNodes;
}

/** Selects that were not parsed again have the same positions as before the edit. */
const withoutOffsets = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? undefined : value;

test.each([
  [
    'the case of keywords shows whether a name goes on',
    'SELECT 1 z, 2 y, "a\nfrom b" x',
    'select 1 z, 2 y, "a\nfrom b" x',
  ],
  [
    'the rest of its line shows whether a name goes on',
    'SELECT "a\nb" x, 1 y, 2 z',
    'SELECT "a\nb" x, 1 y, 2 z "',
  ],
  ['a list has brackets of its own', 'SELECT ARRAY[x, [a]] [b] FROM t', 'SELECT ARRAY[xy, [a]] [b] FROM t'],
  ['a quote is closed far behind', "SELECT 'a, b FROM t, u, v", "SELECT 'a, b FROM t, u, v'"],
  ['a comment is opened', 'SELECT a, b FROM t, u */ v', 'SELECT a /*, b FROM t, u */ v'],
  ['a comment is no longer closed', 'SELECT a /* b */ FROM t', 'SELECT a /* b * FROM t'],
  ['a number goes on', 'SELECT 1e+ FROM t', 'SELECT 1e+5 FROM t'],
  ['a token more of the same letters', 'SELECT a, a, a, a FROM t', 'SELECT a, a, a, a, a FROM t'],
  ['all is gone', 'SELECT a FROM t', ''],
  ['too long to be read', 'SELECT a FROM t', `SELECT a ${' '.repeat(1_000_001)}`],
])('an edit affects more than its own range: %s', (_, before, after) => {
  for (const [first, second] of [
    [before, after],
    [after, before],
  ] as const) {
    const memory = new SqlParseCache();
    memory.lex(first);
    expect([...memory.lex(second).tokens]).toEqual([...lexBounded(second).tokens]);
    expect(memory.getTree(second, 'statement')).toEqual(parseStatement(second));
  }
});

describe('parts unaffected by an edit', () => {
  const part = (index: number): string => `p${index} AS (SELECT o.Amount AS a${index} FROM Orders o)`;
  const text = (condition: string, columns = '*'): string =>
    `WITH ${[0, 1, 2].map(part).join(', ')}, q AS (SELECT ${columns} FROM p0), ${[3, 4, 5].map(part).join(', ')}
SELECT * FROM p5 WHERE ${condition}`;
  const bodies = (now: string, caret: number, context: ExpressionContext): readonly unknown[] => {
    const [root] = around(now, caret, context);
    return root?.kind === 'query' ? root.ctes.map(({ query }) => query?.body) : [];
  };

  test('are not parsed again', () => {
    const context = { ...TABLE, cache: new SqlParseCache() };
    const first = text('a5 = ', 'p0.');
    const caret = first.indexOf('p0.') + 3;
    const before = bodies(first, caret, context);
    const typed = `${first.slice(0, caret)}a ,x${first.slice(caret)}`;
    const after = bodies(typed, caret + 1, context);
    const elsewhere = bodies(typed, typed.length, context);
    const same = (some: readonly unknown[], others: readonly unknown[]): readonly boolean[] =>
      some.map((body, index) => body === others[index]);
    const allButOne = [true, true, true, false, true, true, true];
    expect(same(after, before)).toEqual(allButOne);
    expect(same(elsewhere, before)).toEqual(allButOne);
    expect(same(bodies(typed, typed.length - 1, context), elsewhere)).toEqual(allButOne.map(() => true));
  });

  test('are parsed again where they nest deeper than before', () => {
    const context = { ...TABLE, cache: new SqlParseCache() };
    const end = `SELECT 1 UNION SELECT x. FROM (SELECT ${'('.repeat(60)}1${')'.repeat(60)} AS deep) x`;
    for (const now of [end, `${'('.repeat(120)}${end}`]) {
      const caret = now.indexOf('x.') + 2;
      expect(JSON.stringify(around(now, caret, context), withoutOffsets)).toBe(
        JSON.stringify(around(now, caret, TABLE), withoutOffsets),
      );
    }
  });

  test('have another meaning in another datamodel', () => {
    const memory = new SqlParseCache();
    const sql = 'SELECT Amount FROM Orders';
    const catalog = { complete: true, tables: [{ name: 'Orders', columns: [{ name: 'Other' }] }] };
    expect(diagnose(sql, { ...TABLE, cache: memory })).toEqual(diagnose(sql, TABLE));
    const other: ExpressionContext = { kind: 'table', catalog };
    expect(diagnose(sql, { ...other, cache: memory })).toEqual(diagnose(sql, other));
    expect(completionsAt(sql, 7, { ...other, cache: memory })).toEqual(completionsAt(sql, 7, other));
    const column: ExpressionContext = { kind: 'column', table: 'Orders', catalog: CATALOG };
    for (const table of ['Orders', 'Customers']) {
      expect(diagnose('Amount', { ...column, table, cache: memory })).toEqual(
        diagnose('Amount', { ...column, table }),
      );
    }
  });
});
