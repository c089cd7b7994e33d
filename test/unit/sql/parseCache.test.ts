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
import { getCaretHints, lexInContext, parseInContext } from '../../../src/sql/parsing.ts';
import { resolveNames } from '../../../src/sql/scope/resolveNames.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { lexBounded, parseStatement } from '../../../src/sql/syntax/parser.ts';
import type { SqlQuery, SelectQuery } from '../../../src/sql/syntax/tree.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { anyText, brokenText, cleanTexts } from './generate.ts';
import { CATALOG, columnContext, tableContext } from './model.ts';

/** One change of a text, and its carets afterwards. */
interface Step {
  readonly offset: number;
  readonly length: number;
  readonly inserted: string;
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

const inserted = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...LETTERS) },
  { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: anyText },
);

const step: fc.Arbitrary<Step> = fc.record({
  offset: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 10_000 }) }, fc.constantFrom(0, 1)),
  length: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat({ max: 3 }) },
    fc.nat({ max: 200 }),
  ),
  inserted,
  // Mostly at the end of the edit (-1), sometimes elsewhere.
  carets: fc.array(fc.oneof(fc.constant(-1), fc.nat({ max: 10_000 })), { maxLength: 3 }),
});

const texts = fc.oneof({ weight: 3, arbitrary: manySelects }, fc.constantFrom(...cleanTexts), anyText);
const contexts: fc.Arbitrary<ExpressionContext> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(tableContext) },
  fc.constant(columnContext),
);

/** The texts of a sequence of edits, each with its carets. */
function* applySteps(
  text: string,
  steps: readonly Step[],
): Generator<{ text: string; carets: readonly number[] }> {
  let currentText = text;
  yield { text, carets: [text.length, text.length >> 1] };
  for (const { offset, length, inserted: newText, carets } of steps) {
    const start = offset % (currentText.length + 1);
    currentText = currentText.slice(0, start) + newText + currentText.slice(start + length);
    const { length: end } = currentText;
    yield {
      text: currentText,
      carets: carets.map((caret) => (caret < 0 ? start + newText.length : caret % (end + 1))),
    };
  }
}

/** More than one block of the comparison of texts. */
const longText = 'SELECT a FROM t;\n'.repeat(200);

/** Compares large values as JSON, because matchers are slow with them. */
function expectSame(found: unknown, fresh: unknown, text: string): void {
  if (JSON.stringify(found) !== JSON.stringify(fresh)) {
    expect({ text, found }).toEqual({ text, found: fresh });
  }
}

describe('a text that is edited', { timeout: 60_000 }, () => {
  test('has the tokens of a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 8 }), (text, steps) => {
        const cache = new SqlParseCache();
        for (const { text: currentText } of applySteps(text, steps)) {
          const { tokens, comments, hasUnclosed } = cache.lex(currentText);
          const fresh = lex(currentText);
          expectSame(
            { tokens: [...tokens], length: tokens.length, comments, hasUnclosed },
            {
              tokens: [...fresh.tokens],
              length: fresh.tokens.length,
              comments: fresh.comments,
              hasUnclosed: fresh.hasUnclosed,
            },
            currentText,
          );
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('has the tokens of a freshly parsed text, also if it is long', () => {
    const longTexts = fc
      .array(fc.constantFrom(...cleanTexts.filter((text) => lex(text).canRelex)), {
        minLength: 60,
        maxLength: 90,
      })
      .map((parts) => parts.join(';\n'));
    fc.assert(
      fc.property(longTexts, fc.array(step, { minLength: 1, maxLength: 6 }), (text, steps) => {
        const cache = new SqlParseCache();
        for (const { text: currentText } of applySteps(text, steps)) {
          expectSame([...cache.lex(currentText).tokens], [...lex(currentText).tokens], currentText);
        }
      }),
      { numRuns: getPropertyRuns(40) },
    );
  });

  test('has the queries around a caret of a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 8 }), (text, steps) => {
        const cachedContext = { ...tableContext, cache: new SqlParseCache() };
        for (const { text: currentText, carets } of applySteps(text, steps)) {
          for (const caret of carets) {
            const getNodesJson = (parseContext: ExpressionContext): string =>
              JSON.stringify(getEnclosingNodes(currentText, caret, parseContext), withoutOffsets);
            expectSame(getNodesJson(cachedContext), getNodesJson(tableContext), currentText);
          }
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('completes like a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 8 }), contexts, (text, steps, context) => {
        const cachedContext = { ...context, cache: new SqlParseCache() };
        for (const { text: currentText, carets } of applySteps(text, steps)) {
          for (const caret of carets) {
            const getResults = (parseContext: ExpressionContext): unknown => [
              completionsAt(currentText, caret, parseContext),
              signatureHelpAt(currentText, caret, parseContext),
            ];
            expectSame(getResults(cachedContext), getResults(context), currentText);
          }
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('has the diagnostics, colors and folding of a freshly parsed text', () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 4 }), contexts, (text, steps, context) => {
        const cachedContext = { ...context, cache: new SqlParseCache() };
        for (const { text: currentText, carets } of applySteps(text, steps)) {
          const [caret = 0] = carets;
          completionsAt(currentText, caret, cachedContext);
          const getResults = (parseContext: ExpressionContext): unknown => [
            diagnose(currentText, parseContext),
            getSemanticTokens(currentText, parseContext),
            getFoldingRanges(currentText, parseContext),
            hoverAt(currentText, caret, parseContext),
            codeActionsAt(currentText, 0, currentText.length, parseContext),
            getDocumentSymbols(currentText, parseContext.cache),
          ];
          expectSame(getResults(cachedContext), getResults(context), currentText);
        }
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });
});

/** The queries and selects that enclose a caret. */
function getEnclosingNodes(
  text: string,
  caret: number,
  context: ExpressionContext,
): readonly (SqlQuery | SelectQuery)[] {
  const position = getCaretPosition(lexInContext(text, context), caret);
  return position === undefined ? [] : getCaretHints(position, context).enclosingNodes;
}

/** Leaves out offsets, because selects that were not parsed again keep those of the text before the edit. */
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
  ['one more token of the same letters', 'SELECT a, a, a, a FROM t', 'SELECT a, a, a, a, a FROM t'],
  ['one sign at the end of a long text', `${longText}SELECT a b`, `${longText}SELECT a,b`],
  [
    'one sign further up in a long text',
    `${longText}SELECT a b;${longText.slice(0, 765)}`,
    `${longText}SELECT a,b;${longText.slice(0, 765)}`,
  ],
  [
    'a long part of a text is replaced',
    `${longText}${'SELECT a b;'.repeat(150)}`,
    `${longText}${'SELECT a,b;'.repeat(150)}`,
  ],
  ['nothing changes in a long text', longText, longText],
  ['the whole text is deleted', 'SELECT a FROM t', ''],
  ['too long to be read', 'SELECT a FROM t', `SELECT a ${' '.repeat(1_000_001)}`],
])('an edited text is read like a new one: %s', (_, before, after) => {
  for (const [first, second] of [
    [before, after],
    [after, before],
  ] as const) {
    const cache = new SqlParseCache();
    cache.lex(first);
    expect([...cache.lex(second).tokens]).toEqual([...lexBounded(second).tokens]);
    expect(cache.getTree(second, 'statement')).toEqual(parseStatement(second));
  }
});

describe('parts unaffected by an edit', () => {
  const createPart = (index: number): string => `p${index} AS (SELECT o.Amount AS a${index} FROM Orders o)`;
  const createText = (condition: string, columns = '*'): string =>
    `WITH ${[0, 1, 2].map(createPart).join(', ')}, q AS (SELECT ${columns} FROM p0), ${[3, 4, 5].map(createPart).join(', ')}
SELECT * FROM p5 WHERE ${condition}`;
  const getBodies = (currentText: string, caret: number, context: ExpressionContext): readonly unknown[] => {
    const [root] = getEnclosingNodes(currentText, caret, context);
    return root?.kind === 'query' ? root.ctes.map(({ query }) => query?.body) : [];
  };

  test('are not parsed again', () => {
    const context = { ...tableContext, cache: new SqlParseCache() };
    const first = createText('a5 = ', 'p0.');
    const caret = first.indexOf('p0.') + 3;
    const before = getBodies(first, caret, context);
    const typed = `${first.slice(0, caret)}a ,x${first.slice(caret)}`;
    const after = getBodies(typed, caret + 1, context);
    const bodiesForOtherCaret = getBodies(typed, typed.length, context);
    const compareBodies = (bodies: readonly unknown[], others: readonly unknown[]): readonly boolean[] =>
      bodies.map((body, index) => body === others[index]);
    const allButOne = [true, true, true, false, true, true, true];
    expect(compareBodies(after, before)).toEqual(allButOne);
    expect(compareBodies(bodiesForOtherCaret, before)).toEqual(allButOne);
    expect(compareBodies(getBodies(typed, typed.length - 1, context), bodiesForOtherCaret)).toEqual(
      allButOne.map(() => true),
    );
  });

  test('are parsed again where they nest deeper than before', () => {
    const context = { ...tableContext, cache: new SqlParseCache() };
    const end = `SELECT 1 UNION SELECT x. FROM (SELECT ${'('.repeat(60)}1${')'.repeat(60)} AS deep) x`;
    for (const currentText of [end, `${'('.repeat(120)}${end}`]) {
      const caret = currentText.indexOf('x.') + 2;
      expect(JSON.stringify(getEnclosingNodes(currentText, caret, context), withoutOffsets)).toBe(
        JSON.stringify(getEnclosingNodes(currentText, caret, tableContext), withoutOffsets),
      );
    }
  });

  test('are resolved once, and again in another datamodel or for another table', () => {
    const cache = new SqlParseCache();
    const sql = 'Amount + 1';
    const resolve = (table: string, catalog = CATALOG) => {
      const context: ExpressionContext = { kind: 'column', table, catalog, cache };
      return resolveNames(parseInContext(sql, context), context);
    };
    const first = resolve('Orders');
    expect(resolve('Orders')).toBe(first);
    expect(resolve('Orders', { ...CATALOG })).not.toBe(first);
    const other = resolve('Customers');
    expect(other).not.toBe(first);
    expect(resolve('Customers')).toBe(other);
    expect(cache.getCatalogIndex(CATALOG)).toBe(cache.getCatalogIndex(CATALOG));
  });

  test('have another meaning in another datamodel', () => {
    const cache = new SqlParseCache();
    const sql = 'SELECT Amount FROM Orders';
    const catalog = { complete: true, tables: [{ name: 'Orders', columns: [{ name: 'Other' }] }] };
    expect(diagnose(sql, { ...tableContext, cache })).toEqual(diagnose(sql, tableContext));
    const other: ExpressionContext = { kind: 'table', catalog };
    expect(diagnose(sql, { ...other, cache })).toEqual(diagnose(sql, other));
    expect(completionsAt(sql, 7, { ...other, cache })).toEqual(completionsAt(sql, 7, other));
    const column: ExpressionContext = { kind: 'column', table: 'Orders', catalog: CATALOG };
    for (const table of ['Orders', 'Customers']) {
      expect(diagnose('Amount', { ...column, table, cache })).toEqual(
        diagnose('Amount', { ...column, table }),
      );
    }
  });
});
