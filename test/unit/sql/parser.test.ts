import { describe, expect, test } from 'vitest';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { parseExpression, parseStatement } from '../../../src/sql/syntax/parser.ts';
import { quoteName, unquoteName } from '../../../src/sql/syntax/lexedText.ts';
import type { Expr, SelectQuery } from '../../../src/sql/syntax/tree.ts';

/** Writes an expression with all its parentheses, so that a tree can be compared as text. */
function formatWithParentheses(expr: Expr | undefined, text: string): string {
  if (expr === undefined) {
    return 'nothing';
  }
  const formatPart = (inner: Expr | undefined): string => formatWithParentheses(inner, text);
  const formatParts = (inner: readonly (Expr | undefined)[]): string =>
    inner
      .filter((expression) => expression !== undefined)
      .map(formatPart)
      .join(' ');
  switch (expr.kind) {
    case 'binary':
      return `(${formatPart(expr.left)} ${expr.operator} ${formatPart(expr.right)})`;
    case 'unary':
      return `(${expr.operator} ${formatPart(expr.operand)})`;
    case 'between':
      return `(${formatPart(expr.operand)} between ${formatPart(expr.low)}..${formatPart(expr.high)})`;
    case 'in':
      return `(${formatPart(expr.operand)} ${expr.not ? 'not in' : 'in'} [${formatParts(expr.list)}])`;
    case 'paren':
      return formatParts(expr.items);
    case 'call':
      return `${expr.name.text}(${formatParts(expr.args)})`;
    case 'case': {
      const branches = expr.branches.flatMap(({ condition, result }) => [condition, result]);
      return `case[${formatParts([expr.operand, ...branches, expr.otherwise])}]`;
    }
    case 'missing':
      return '?';
    case 'literal':
    case 'column':
    case 'star':
    case 'cast':
    case 'exists':
    case 'subselect':
    case 'word':
      return text.slice(expr.start, expr.end);
  }
}

describe('precedence', () => {
  test.each([
    ['a + b * c', '(a + (b * c))'],
    ['a - b - c', '((a - b) - c)'],
    ['a OR b AND c', '(a OR (b AND c))'],
    ['NOT a AND b', '((NOT a) AND b)'],
    ['NOT a = b', '(NOT (a = b))'],
    ['-a * b', '((- a) * b)'],
    ['a || b + c', '((a || b) + c)'],
    ['a + b = c - d', '((a + b) = (c - d))'],
    ['a = b AND c <> d OR e', '(((a = b) AND (c <> d)) OR e)'],
    ['a BETWEEN b + 1 AND c AND d', '((a between (b + 1)..c) AND d)'],
    ['a NOT IN (1, 2) OR b', '((a not in [1 2]) OR b)'],
    ["a LIKE 'x' || 'y' AND b", "((a LIKE ('x' || 'y')) AND b)"],
    ['a IS NOT NULL AND b', '((a IS NOT NULL) AND b)'],
    ['a IS NULL = b', '((a IS NULL) = b)'],
    ['a IS DISTINCT FROM b + 1 AND c', '((a IS DISTINCT FROM (b + 1)) AND c)'],
    ['a IS NOT DISTINCT FROM b OR c', '((a IS NOT DISTINCT FROM b) OR c)'],
    ['a IS UNKNOWN AND b', '((a IS UNKNOWN) AND b)'],
    ['(a + b) * c', '((a + b) * c)'],
    ['f(a, g(b)) + 1', '(f(a g(b)) + 1)'],
    ['CASE WHEN a THEN b ELSE c END + 1', '(case[a b c] + 1)'],
    ['CASE x WHEN 1 THEN CASE WHEN y THEN z END END', 'case[x 1 case[y z]]'],
    ['a +', '(a + ?)'],
    ['a = AND b', '((a = ?) AND b)'],
    ['- - a', '(- (- a))'],
  ])('%s', (text, tree) => expect(formatWithParentheses(parseExpression(text).expr, text)).toBe(tree));

  test('operators have positions', () => {
    const { expr } = parseExpression('a  NOT   LIKE b');
    expect(expr).toMatchObject({
      kind: 'binary',
      operator: 'NOT LIKE',
      operatorStart: 3,
      operatorEnd: 13,
      start: 0,
      end: 15,
    });
  });
});

describe('tokens', () => {
  function formatTokens(text: string): string[] {
    return [...lex(text).tokens]
      .slice(0, -1)
      .map(({ kind, start, end, unclosed }) => `${kind}${unclosed ? '?' : ''}:${text.slice(start, end)}`);
  }

  test.each([
    ['[a]]b]', ['quotedName:[a]]b]']],
    ['[Amount [USD]]]', ['quotedName:[Amount [USD]]]']],
    ['[a[b]', ['quotedName:[a[b]']],
    ['"a""b"', ['quotedName:"a""b"']],
    ['`a``b`', ['quotedName:`a``b`']],
    ["'it''s'", ["string:'it''s'"]],
    ["''''", ["string:''''"]],
    ['Größe Имя 名', ['word:Größe', 'word:Имя', 'word:名']],
    ['01 1.5 .5 1e5', ['number:01', 'number:1.5', 'number:.5', 'number:1e5']],
    ['2020Sales', ['word:2020Sales']],
    ['a||b<>c', ['word:a', 'operator:||', 'word:b', 'operator:<>', 'word:c']],
    ['a--b\nc/*d*/e', ['word:a', 'word:c', 'word:e']],
    ['a\u00a0b', ['word:a', 'word:b']],
  ])('%s', (text, tokens) => expect(formatTokens(text)).toEqual(tokens));

  test.each([
    ['SELECT [Order FROM Orders', '[Order'],
    ['SELECT [Order Id, x FROM [Orders]', '[Order Id'],
    ['SELECT o.[Order Id = i.[Order Id]', '[Order Id'],
    ['SELECT SUM(i.[Unit Price * i.[Qty])', '[Unit Price'],
    ['SELECT [Amount (USD) FROM Orders', '[Amount (USD)'],
    ['SELECT o."Order Id FROM "Orders" o', '"Order Id'],
    ['SELECT o."Order Id = i."Order Id"', '"Order Id'],
    ['SELECT `a, `b` FROM c', '`a'],
    ["SELECT 'abc FROM Orders WHERE x = 'y'", "'abc"],
    ["SELECT a FROM t WHERE x = 'abc\nGROUP BY b", "'abc"],
    ["WHERE a = 'x\nAND b = 'y'", "'x"],
    ["CASE WHEN a = 'x THEN 'y' ELSE 'z' END", "'x"],
  ])('an unclosed quote ends where code continues: %s', (text, covered) => {
    const unclosedTokens = [...lex(text).tokens].filter((token) => token.unclosed);
    expect(unclosedTokens.map(({ start, end }) => text.slice(start, end))).toEqual([covered]);
  });

  test('quoting and unquoting are inverse', () => {
    for (const name of ['a', 'a]b', 'a"b', 'a`b', ']]', '""', 'a b.c']) {
      for (const quote of ['[', '"', '`'] as const) {
        const text = quoteName(name, quote);
        expect(unquoteName(text, { start: 0, end: text.length, unclosed: false })).toBe(name);
      }
    }
  });
});

describe('statements', () => {
  function parseSelect(text: string): SelectQuery {
    const body = parseStatement(text).queries[0]?.body;
    if (body?.kind !== 'select') {
      throw new Error('not a select');
    }
    return body;
  }

  function listSources(text: string): string[] {
    return parseSelect(text).from.map(({ source, alias, join }) => {
      const name = source.kind === 'table' ? source.path.map((part) => part.text).join('.') : source.kind;
      return [join?.kind ?? '-', name, alias?.text ?? ''].join(' ').trim();
    });
  }

  test.each([
    [
      'SELECT 1 FROM a, b x LEFT OUTER JOIN c AS y ON 1 = 1 CROSS JOIN d',
      ['- a', '- b x', 'left c y', 'cross d'],
    ],
    ['SELECT 1 FROM (SELECT 1) q JOIN f(1) g ON 1 = 1', ['- derived q', 'inner function g']],
    ['SELECT 1 FROM (a JOIN b ON 1 = 1) JOIN c ON 1 = 1', ['- group', 'inner c']],
    ['SELECT 1 FROM orders.csv f', ['- orders.csv f']],
    // Missing or extra tokens do not lose the tables after them.
    ['SELECT x a b JOIN c ON 1 = 1', ['- a b', 'inner c']],
    ['SELECT 1 FROM a x b y ON 1 = 1', ['- a x', 'inner b y']],
    ['SELECT 1 FROM a x JOIN b y y.i = x.i WHERE 1 = 1', ['- a x', 'inner b y']],
    ['SELECT 1 FROM a o. x JOIN b y ON 1 = 1', ['- a x', 'inner b y']],
    ['SELECT 1 FROM a x WHERE 1 = 1 JOIN b y ON 1 = 1', ['- a x', 'inner b y']],
    ['SELECT ) FROM a x', ['- a x']],
    ['SELECT a, FROM a x', ['- a x']],
    ['FROM a x', ['- a x']],
    ['SELECT COUNT x) AS n FROM a x', ['- a x']],
  ])('%s', (text, expected) => expect(listSources(text)).toEqual(expected));

  test('INTERSECT binds tighter than UNION', () => {
    const body = parseStatement('SELECT 1 UNION SELECT 2 INTERSECT SELECT 3').queries[0]?.body;
    expect(body).toMatchObject({
      kind: 'set',
      operator: 'UNION',
      right: { kind: 'set', operator: 'INTERSECT' },
    });
  });

  test('reserved words are aliases after AS', () => {
    expect(
      parseSelect('SELECT a AS Date, b AS Order, c AS From FROM t').items.map(({ alias }) => alias?.text),
    ).toEqual(['Date', 'Order', 'From']);
  });

  test('LIMIT, OFFSET and FETCH are one part of the query', () => {
    const text = 'SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY';
    const range = parseStatement(text).queries[0]?.limitRange;
    expect(text.slice(range?.start, range?.end)).toBe('OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY');
  });
});
