import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { definitionAt, type ExpressionContext } from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { parseExpression, parseStatement } from '../../../src/sql/syntax/parser.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';
import { EXPRESSION_SYNTAX_ERRORS, SYNTAX_ERRORS } from './cases/syntaxErrors.ts';
import { formatTree } from './formatTree.ts';
import { columnContext, tableContext } from './model.ts';

const fixture = new URL('../../fixtures/sqlTrees.txt', import.meta.url);

/** Statements in which names of the same spelling have several meanings. */
const scopedStatements = [
  'WITH a AS (SELECT Amount AS x FROM Orders), b AS (SELECT x AS y FROM a) SELECT b.y, a.x FROM b JOIN a ON a.x = b.y',
  'SELECT d.x FROM (SELECT Amount AS x FROM Orders) d WHERE EXISTS (SELECT 1 FROM Customers d WHERE d.Name = x)',
  'SELECT x FROM (SELECT Amount AS x FROM Orders) d, (SELECT Name AS y FROM Customers) e WHERE x = y',
  'WITH c (n, m) AS (SELECT Amount, Status FROM Orders) SELECT n AS m2, m AS n2 FROM c GROUP BY n, m ORDER BY n2',
  'SELECT a.x FROM (SELECT 1 AS x UNION SELECT 2 AS y) a ORDER BY x',
  'SELECT o.Amount AS Status, o.Status AS Amount FROM Orders o ORDER BY Amount',
  'SELECT Status AS s, COUNT(*) AS Amount FROM Orders GROUP BY s HAVING Amount > 1 ORDER BY Amount, s',
  'SELECT o.Amount FROM Orders o JOIN LATERAL (SELECT c.Name AS n FROM Customers c WHERE c.Country = o.Status) l ON l.n = o.Status',
  'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT r.n FROM r',
  'WITH Orders AS (SELECT Amount FROM Orders), c AS (SELECT Amount FROM Orders) SELECT Orders.Amount, c.Amount FROM Orders, c',
  'SELECT Orders.Amount FROM Orders, Customers o WHERE o.Name = Orders.Status',
  'SELECT [Customer Id], o.[Customer Id], Name FROM Orders o JOIN Customers c USING ([Customer Id])',
  'SELECT * FROM Orders o NATURAL JOIN Customers WHERE [Customer Id] = Name',
  'SELECT (SELECT Amount FROM Customers WHERE Name = Status) FROM Orders',
  'SELECT csv.id, orders.csv.total, [orders.csv].Date FROM orders.csv',
  'SELECT f.id, csv.id FROM orders.csv f',
  'SELECT d.a, d.b, d.[Order Id] FROM Orders AS d (a, b)',
  'SELECT u.x, u.y FROM (VALUES (1, 2)) u (x, y)',
  'SELECT o.⏎Amount FROM Orders o',
  'SELECT o.⏎Amount, Status FROM Orders o WHERE o.⏎Status IN (1)',
];

const getLines = (lines: string): readonly string[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('⏎', '\n'));

/** The texts of invalid statements, without their errors. */
const getTexts = (lines: string): readonly string[] =>
  getLines(lines).map((line) => (line.split(' => ')[0] ?? '').replaceAll(/[‹›]/g, ''));

/** What each name refers to: a table, a column, or the declaration at an offset. */
function listMeanings(text: string, context: ExpressionContext): string {
  return [...lex(text).tokens]
    .filter(({ kind }) => kind === 'word' || kind === 'name')
    .flatMap(({ start, end }) => {
      const definition = definitionAt(text, start, context);
      if (definition === undefined) {
        return [];
      }
      const { kind, table, column, start: declaration } = definition;
      const target = [table, column].filter((part) => part !== undefined).join('.');
      const place = declaration === undefined ? '' : `@${declaration}`;
      return [`${text.slice(start, end)}: ${[kind, target, place].filter((part) => part !== '').join(' ')}`];
    })
    .join(', ');
}

const formatStatement = (text: string): string =>
  parseStatement(text)
    .queries.map((query) => formatTree(query, text))
    .join('; ');
const formatExpression = (text: string): string => formatTree(parseExpression(text).expr, text);

const entries = [
  ...[...getLines(CLEAN_STATEMENTS), ...scopedStatements.flatMap(getLines)].map((text) => [
    text,
    formatStatement(text),
    listMeanings(text, tableContext),
  ]),
  ...getTexts(SYNTAX_ERRORS).map((text) => [text, formatStatement(text)]),
  ...getLines(CLEAN_EXPRESSIONS).map((text) => [
    text,
    formatExpression(text),
    listMeanings(text, columnContext),
  ]),
  ...getTexts(EXPRESSION_SYNTAX_ERRORS).map((text) => [text, formatExpression(text)]),
];

test('the trees and the meanings of names are those of the fixture; UPDATE=1 writes it', () => {
  const contents = entries
    .map((lines) => `${lines.map((line) => line.replaceAll('\n', '⏎')).join('\n  ')}\n`)
    .join('\n');
  if (process.env['UPDATE'] === '1') {
    writeFileSync(fixture, contents);
  }
  expect(contents).toBe(readFileSync(fixture, 'utf8'));
});
