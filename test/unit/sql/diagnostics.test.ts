import { describe, expect, test } from 'vitest';
import { english } from '../../../src/base/localize.ts';
import {
  type Catalog,
  completionsAt,
  definitionAt,
  diagnose,
  type ExpressionContext,
  formatSqlProblem,
} from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';
import { CATALOG, columnContext, tableContext } from './model.ts';

function getTexts(lines: string): string[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('⏎', '\n'));
}

/** `code:marked text` of every diagnostic. */
function findProblems(text: string, context: ExpressionContext = tableContext): string[] {
  return diagnose(text, context).map(({ code, start, end }) => `${code}:${text.slice(start, end)}`);
}

const formatMessages = (text: string): string[] =>
  diagnose(text, tableContext).map((problem) => formatSqlProblem(english, problem));

describe('clean texts', () => {
  const statements = getTexts(CLEAN_STATEMENTS);
  const expressions = getTexts(CLEAN_EXPRESSIONS);

  test('there are at least 150', () => {
    expect(statements.length + expressions.length).toBeGreaterThanOrEqual(150);
  });
  test.each(statements)('have no problems: %s', (text) => expect(findProblems(text)).toEqual([]));
  test.each(expressions)('have no problems in a column: %s', (text) =>
    expect(findProblems(text, columnContext)).toEqual([]),
  );
});

test.each([
  ['EXCLUDE CURRENT ROW', []],
  ['EXCLUDE NO OTHERS', []],
  ['CURRENT ROW', ['syntax:PRECEDING']],
])('a window frame may end with what it excludes, and with no other words: %s', (end, expected) => {
  const text = `SELECT SUM(Amount) OVER (ORDER BY Amount ROWS UNBOUNDED PRECEDING ${end}) FROM Orders`;
  expect(findProblems(text)).toEqual(expected);
});

test('only the first query of a set names its result, so that names of the others may repeat', () => {
  expect(findProblems('SELECT 1 AS a, 2 AS b UNION ALL SELECT 1 AS x, 2 AS x')).toEqual([]);
  expect(findProblems('SELECT 1 AS x, 2 AS x UNION ALL SELECT 1 AS a, 2 AS b')).toEqual([
    'duplicate-alias:x',
  ]);
});

describe('the expression of a column sees only its own table', () => {
  const ownTable = columnContext.kind === 'column' ? columnContext.table : '';
  const [otherTable = ''] = CATALOG.tables.map(({ name }) => name).filter((name) => name !== ownTable);

  test('another table is reported in FROM, and available through Lookup', () => {
    expect(findProblems(`(SELECT COUNT(*) FROM [${otherTable}])`, columnContext)).toEqual([
      `unknown-table:[${otherTable}]`,
    ]);
    expect(findProblems(`(SELECT COUNT(*) FROM [${ownTable}])`, columnContext)).toEqual([]);
    expect(findProblems(`Lookup([${otherTable}])`, columnContext)).toEqual([]);
  });

  test.each<[string, string, readonly string[]]>([
    ['the result of a query', '(SELECT COUNT(*) FROM (SELECT 2 AS x) d)', []],
    ['the query of a WITH', '(WITH c AS (SELECT 1 AS n) SELECT MAX(n) FROM c)', []],
    ['an unknown table', '(SELECT COUNT(*) FROM Nope)', ['unknown-table:Nope']],
    ['its own table, inside another query', '(SELECT COUNT(*) FROM (SELECT Amount FROM Orders) d)', []],
  ])('%s in FROM is not another table', (_name, text, expected) => {
    expect(findProblems(text, columnContext)).toEqual(expected);
  });

  test('FROM proposes no other table, the first argument of Lookup does', () => {
    const getProposedTables = (text: string): readonly string[] =>
      completionsAt(text, text.length, columnContext).flatMap(({ kind, label }) =>
        kind === 'table' ? [label] : [],
      );
    expect(getProposedTables('(SELECT 1 FROM ')).toEqual([ownTable]);
    expect(getProposedTables('Lookup(')).toContain(otherTable);
  });
});

test('a column list does not make all columns of an unknown source known', () => {
  expect(findProblems('SELECT t.a, t.c FROM Elsewhere AS t (a, b)')).toEqual(['unknown-table:Elsewhere']);
  expect(findProblems('SELECT t.a, t.c FROM UNNEST(ARRAY_AGG(1)) AS t (a, b)')).toEqual([]);
  expect(findProblems('SELECT t.a, t.[Amount], t.[Status], t.[Order Id] FROM Orders AS t (a, b)')).toEqual([
    'unknown-column:[Order Id]',
  ]);
});

test('for names that differ only in case the exact spelling is preferred', () => {
  const catalog: Catalog = {
    complete: true,
    tables: [
      { name: 'Sales', columns: [{ name: 'Id' }] },
      { name: 'sales', columns: [{ name: 'Other' }, { name: 'OTHER' }] },
    ],
  };
  const context: ExpressionContext = { kind: 'table', catalog };
  expect(findProblems('SELECT Other, OTHER, other FROM [sales]', context)).toEqual([]);
  expect(findProblems('SELECT Id FROM Sales', context)).toEqual([]);
  expect(findProblems('SELECT Other FROM SALES', context)).toEqual(['unknown-column:Other']);
  const text = 'SELECT OTHER FROM sales';
  expect(definitionAt(text, 8, context)).toMatchObject({ table: 'sales', column: 'OTHER' });
});

describe('unknown names', () => {
  test.each([
    ['SELECT * FROM Nope', ['unknown-table:Nope']],
    ['SELECT * FROM [No Table] x', ['unknown-table:[No Table]']],
    ['SELECT * FROM Orders o JOIN "Nope" n ON o.Amount = n.x', ['unknown-table:"Nope"']],
    ['SELECT Nope FROM Orders', ['unknown-column:Nope']],
    ['SELECT [No Col] FROM Orders', ['unknown-column:[No Col]']],
    ['SELECT o.Nope FROM Orders o', ['unknown-column:Nope']],
    ['SELECT o.[Nope] FROM Orders o', ['unknown-column:[Nope]']],
    ['SELECT Name FROM Orders', ['unknown-column:Name']],
    ['SELECT x.Amount FROM Orders o', ['unknown-table:x']],
    ['SELECT Orders.Amount FROM Orders o', ['unknown-table:Orders']],
    ['SELECT [Orders].[Amount] FROM [Orders] o', ['unknown-table:[Orders]']],
    ['SELECT Orders.* FROM Orders o', ['unknown-table:Orders']],
    ['SELECT Customers.Name FROM Orders', ['unknown-table:Customers']],
    ['SELECT [Customer Id] FROM Orders o JOIN Customers c ON 1 = 1', ['ambiguous-column:[Customer Id]']],
    ['SELECT 1 FROM Orders, Customers WHERE [Customer Id] = 1', ['ambiguous-column:[Customer Id]']],
    ['SELECT * FROM Orders o JOIN Customers o ON 1 = 1', ['duplicate-alias:o']],
    ['SELECT * FROM Orders O, Customers o', ['duplicate-alias:o']],
    ['SELECT 1 FROM Orders, Orders', ['duplicate-alias:Orders']],
    ['WITH a AS (SELECT 1 AS x), a AS (SELECT 2 AS x) SELECT x FROM a', ['duplicate-alias:a']],
    ['SELECT Amount AS a, Status AS a FROM Orders', ['duplicate-alias:a']],
    ['WITH c AS (SELECT Amount FROM Orders) SELECT Status FROM c', ['unknown-column:Status']],
    ['WITH c AS (SELECT Amount AS x FROM Orders) SELECT c.Amount FROM c', ['unknown-column:Amount']],
    ['WITH c (x) AS (SELECT Amount FROM Orders) SELECT Amount FROM c', ['unknown-column:Amount']],
    ['SELECT d.Status FROM (SELECT Amount FROM Orders) d', ['unknown-column:Status']],
    ['SELECT o.Amount FROM (SELECT Amount FROM Orders o) d', ['unknown-table:o']],
    ['SELECT 1 FROM Orders o JOIN (SELECT o.Amount FROM Customers) d ON 1 = 1', ['unknown-table:o']],
    ['SELECT (SELECT x.Amount FROM Customers c) FROM Orders o', ['unknown-table:x']],
    ['SELECT c.Name FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c)', ['unknown-table:c']],
    [
      'SELECT Amount AS a FROM Orders UNION SELECT Quantity FROM [Order Items] ORDER BY Quantity',
      ['unknown-column:Quantity'],
    ],
    ['SELECT Amount FROM Orders UNION SELECT Amount FROM [Order Items]', ['unknown-column:Amount']],
    ['SELECT Amount * 2 AS big FROM Orders WHERE big > 1', ['unknown-column:big']],
    ['SELECT Amount FROM Orders ORDER BY Nope', ['unknown-column:Nope']],
    ['SELECT SUM(Nope) OVER (PARTITION BY Zip) FROM Orders', ['unknown-column:Nope', 'unknown-column:Zip']],
    ['SELECT Lookup(Nope, a, b, c) FROM Orders', ['unknown-table:Nope', 'unknown-column:b']],
    ['SELECT Lookup(Customers, Amount, Amount, Name) FROM Orders', ['unknown-column:Amount']],
    ['SELECT CASE WHEN Nope = 1 THEN Amount END FROM Orders', ['unknown-column:Nope']],
    ['SELECT NoSuchFunction(Nope) FROM Orders', ['unknown-column:Nope']],
    ['SELECT 1 FROM Orders JOIN Customers USING (Nope)', ['unknown-column:Nope']],
    ['SELECT 1 FROM Orders JOIN Customers USING (Status)', ['unknown-column:Status']],
    ['SELECT 1 FROM Orders JOIN Customers USING (Country)', ['unknown-column:Country']],
    ['SELECT 1 WHERE Amount = 1', ['unknown-column:Amount']],
    ['SELECT [Orders.Amount] FROM Orders', ['unknown-column:[Orders.Amount]']],
  ])('%s', (text, expected) => expect(findProblems(text)).toEqual(expected));

  test.each([
    ['[Nope]', ['unknown-column:[Nope]']],
    ['[Customers].[Name]', ['unknown-table:[Customers]']],
    ['[Name]', ['unknown-column:[Name]']],
    ['[Amount] + [Quantity]', ['unknown-column:[Quantity]']],
    ['Lookup([Nope], [a], [Customer Id], [b])', ['unknown-table:[Nope]']],
    ['Lookup([Customers], [Amount], [Customer Id], [Customer Id])', ['unknown-column:[Amount]']],
    ['Lookup([Customers], [Name], [Country], [Customer Id])', ['unknown-column:[Country]']],
    ['Lookup([Customers], [Name], [Customer Id], [Amount])', ['unknown-column:[Amount]']],
  ])('column: %s', (text, expected) => expect(findProblems(text, columnContext)).toEqual(expected));
});

describe('syntax', () => {
  test.each([
    ['SELECT', 'SELECT'],
    ['SELECT a, FROM Orders', ','],
    ['SELECT Amount FROM', 'FROM'],
    ['SELECT Amount FROM Orders WHERE', 'WHERE'],
    ['SELECT Amount FROM Orders WHERE Amount >', '>'],
    ['SELECT o. FROM Orders o', '.'],
    ['SELECT SUM( FROM Orders', '('],
    ['SELECT SUM(Amount FROM Orders', 'Amount'],
    ['SELECT (Amount FROM Orders', 'Amount'],
    ['SELECT Amount) FROM Orders', ')'],
    ['SELECT Amount FROM Orders WHERE Amount IN 1', 'IN'],
    ['SELECT Amount FROM Orders WHERE Amount BETWEEN 1', '1'],
    ['SELECT CASE WHEN Amount > 1 END FROM Orders', '1'],
    ['SELECT CASE END FROM Orders', 'CASE'],
    ['SELECT CASE WHEN Amount > 1 THEN 2 FROM Orders', '2'],
    ['SELECT Amount FROM Orders GROUP Status', 'GROUP'],
    ['SELECT Amount FROM Orders ORDER Amount', 'ORDER'],
    ['SELECT Amount FROM Orders JOIN', 'JOIN'],
    ["SELECT Amount FROM Orders WHERE Status = 'abc", "'abc"],
    ['SELECT [Amount FROM Orders', '[Amount'],
    ['SELECT "Amount FROM Orders', '"Amount'],
    ['SELECT Amount FROM Orders /* x', '/* x'],
    ['Orders', 'Orders'],
    ['SELECT Amount FROM Orders SELECT Amount FROM Orders', 'SELECT'],
    ['SELECT Amount FROM Orders o Customers c ON 1 = 1', 'o'],
    ['WITH c AS SELECT 1 AS x SELECT x FROM c', 'AS'],
    ['SELECT CAST(Amount) FROM Orders', 'Amount'],
    ['SELECT Amount FROM Orders UNION', 'UNION'],
    ['DELETE FROM Orders', 'DELETE'],
    ['SELECT Amount FROM Orders QUALIFY Amount > 1 QUALIFY Amount < 2', 'QUALIFY'],
    ['SELECT Amount FROM Orders WINDOW w AS (ORDER BY Amount) WINDOW v AS (ORDER BY Amount)', 'WINDOW'],
  ])('%s', (text, covered) => {
    const syntax = diagnose(text, tableContext).filter(({ code }) => code === 'syntax');
    expect(syntax.map(({ start, end }) => text.slice(start, end))).toContain(covered);
  });

  test.each([
    '[Amount',
    'Amount +',
    '(Amount',
    'Amount)',
    'Amount Status',
    'SELECT Amount FROM Orders',
    ', Amount',
    "'abc",
  ])('column: %s', (text) =>
    expect(diagnose(text, columnContext).map(({ code }) => code)).toContain('syntax'),
  );

  test.each([
    ['SELECT [Amount], [Status]', ',', 'second-value'],
    ['select [Amount], [Status], [Order Id]', ',', 'second-value'],
    ['SELECT SUM([Amount]) FROM [Orders]', 'FROM', 'from-in-column'],
    ['SELECT [Name] FROM [Customers] WHERE [Nope] = 1', 'FROM', 'from-in-column'],
    ['SELECT', 'SELECT', 'expected-expression'],
  ])('column with a SELECT of its own: %s', (text, covered, reason) => {
    const all = diagnose(text, columnContext);
    expect(all.map(({ code, start, end }) => [code, text.slice(start, end)])).toEqual([['syntax', covered]]);
    expect(all).toMatchObject([{ severity: 'error', reason }]);
  });

  test('an empty text is not an error: it is yet to be typed', () => {
    expect(findProblems('')).toEqual([]);
    expect(findProblems('  \n', columnContext)).toEqual([]);
  });
});

describe('an incomplete catalog', () => {
  const incomplete: Catalog = { ...CATALOG, complete: false };
  const context: ExpressionContext = { kind: 'table', catalog: incomplete };

  test.each([
    'SELECT * FROM Nope',
    'SELECT Nope FROM Orders',
    'SELECT x.Amount FROM Orders',
    'SELECT Orders.Amount FROM Orders o',
    'SELECT [Customer Id] FROM Orders, Customers',
  ])('reports nothing about names: %s', (text) => expect(findProblems(text, context)).toEqual([]));

  test('still reports what is wrong in the text itself', () => {
    expect(findProblems('SELECT * FROM A x, B x', context)).toEqual(['duplicate-alias:x']);
    expect(findProblems('SELECT * FROM', context)).toEqual(['syntax:FROM']);
  });
});

test('the columns of an unknown table are not reported', () => {
  expect(findProblems('SELECT n.x, y FROM Nope n')).toEqual(['unknown-table:Nope']);
});

test('a column expression whose own table is not in the catalog is not checked', () => {
  expect(findProblems('[Anything]', { kind: 'column', table: 'Nope', catalog: CATALOG })).toEqual([]);
});

test('diagnostics carry the arguments for localization', () => {
  const [problem] = diagnose('SELECT o.Nope FROM Orders o', tableContext);
  expect(problem).toMatchObject({ severity: 'error', reason: 'no-column', args: ['Nope', 'Orders (o)'] });
});

test.each([
  ['SELECT Orders.Nope FROM Orders', 'Orders has no column "Nope"'],
  ['SELECT x.Nope FROM (SELECT Amount FROM Orders) x', 'x has no column "Nope"'],
  ['WITH w AS (SELECT Amount FROM Orders) SELECT x.Nope FROM w x', 'w (x) has no column "Nope"'],
  ['SELECT Nope FROM Orders o', 'Orders (o) has no column "Nope"'],
  [
    'SELECT [Customer Id] FROM Orders o, Customers',
    'Ambiguous column "Customer Id": found in Orders (o), Customers',
  ],
  ['SELECT Nope FROM Orders o, Customers', 'Unknown column "Nope"'],
  ['SELECT Orders.Amount FROM Orders o', 'Table "Orders" has the alias "o" here'],
])('a table with an alias is named by both: %s', (text, message) => {
  expect(formatMessages(text)).toEqual([message]);
});

test('a table whose name contains a comma is named in full', () => {
  const catalog = { ...CATALOG, tables: [{ name: 'Orders, 2025', columns: [{ name: 'Amount' }] }] };
  const problems = diagnose('SELECT Nope FROM [Orders, 2025]', { kind: 'table', catalog });
  expect(problems.map((problem) => formatSqlProblem(english, problem))).toEqual([
    'Orders, 2025 has no column "Nope"',
  ]);
});

test.each([
  ['SELECT [Nope', 'Unclosed name'],
  ["SELECT 'Nope", 'Unclosed string'],
  ['SELECT 1 /* Nope', 'Unclosed comment'],
])('an unclosed name, string, or comment is named as such: %s', (text, message) => {
  expect(formatMessages(text)).toContain(message);
});

test.each([
  ['SELECT Amount FROM Orders ) x', ')'],
  [`SELECT 1 FROM Orders '${'x'.repeat(60)}'`, `'${'x'.repeat(39)}`],
])('what is unexpected is quoted, up to 40 characters: %s', (text, quotedText) => {
  expect(diagnose(text, tableContext)).toMatchObject([{ reason: 'unexpected', args: [quotedText] }]);
});

describe('each mistake is reported once', () => {
  test.each([
    ['SLEECT Amount, Status FROM Orders', 'syntax:SLEECT'],
    ['SELECT * FORM Orders o', 'syntax:*'],
    ['SELECT Amount, Status FORM Orders WHERE Amount > 1', 'syntax:FORM'],
    ['SELECT Amount, Status', 'unknown-column:Amount'],
    ['SELECT * FROM Orders o o', 'syntax:o'],
    ['SELECT 1 AS AS one FROM Orders', 'syntax:AS'],
    ["SELECT CSAE WHEN Amount > 1 THEN 'a' ELSE 'b' END FROM Orders", 'syntax:WHEN'],
    ["SELECT CASE WHEN Amount > 1 TEHN 'a' ELSE 'b' END FROM Orders", 'syntax:1'],
    ['SELECT Amount FROM Orders WEHRE Amount > 1 AND Status = 2', 'syntax:Amount'],
    ['SELECT Amount FROM Orders ORDER ORDER BY Status', 'syntax:ORDER'],
    [
      'SELECT Amount FROM Orders o WEHRE EXISTS (SELECT 1 FROM Customers WHERE o.Status = Name)',
      'syntax:WEHRE',
    ],
    ['SELECT Orders.* FROM Odrers', 'unknown-table:Odrers'],
    ['SELECT d.Amount FROM (SELECT Aomunt FROM Orders) d', 'unknown-column:Aomunt'],
    ['SELECT Status AS s, SUM(Amount AS total FROM Orders GROUP BY s HAVING total > 1', 'syntax:Amount'],
  ])('%s', (text, expected) => expect(findProblems(text)).toEqual([expected]));

  test.each([
    ['SELECT o.Nope, FROM Orders o', ['unknown-column:Nope', 'syntax:,']],
    ['SELECT Amount, FROM Orders WHERE Amount >', ['syntax:,', 'syntax:>']],
    ['SELECT Nope, o.Nada FROM Orders o', ['unknown-column:Nope', 'unknown-column:Nada']],
    ["SELECT Nope FROM Orders WHERE Status = 'x", ['unknown-column:Nope', "syntax:'x"]],
  ])('two mistakes are two messages: %s', (text, expected) => expect(findProblems(text)).toEqual(expected));

  test('of all clean texts with one token mistyped, lost or doubled, fewer than 4 % of those with a message have several', () => {
    const counts = new Map<number, number>();
    for (const text of getTexts(CLEAN_STATEMENTS)) {
      for (const { start, end, kind } of lex(text).tokens) {
        const written = text.slice(start, end);
        const misspelledWord = written.charAt(0) + written.charAt(2) + written.charAt(1) + written.slice(3);
        const changes = [
          '',
          `${written} ${written}`,
          ...(kind === 'word' && end - start > 2 ? [misspelledWord] : []),
        ];
        for (const change of kind === 'end' ? [] : changes) {
          const { length } = diagnose(text.slice(0, start) + change + text.slice(end), tableContext);
          counts.set(Math.min(length, 2), (counts.get(Math.min(length, 2)) ?? 0) + 1);
        }
      }
    }
    const [single = 0, several = 0] = [counts.get(1), counts.get(2)];
    expect(single).toBeGreaterThan(3000);
    expect(several / (single + several)).toBeLessThan(0.04);
  });
});
