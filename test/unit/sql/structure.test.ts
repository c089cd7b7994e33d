import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  codeActionsAt,
  getDocumentSymbols,
  getFoldingRanges,
  format,
  getSemanticTokens,
} from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';
import { columnContext, extractCaret, tableContext } from './model.ts';

test('semantic tokens show the type of each name', () => {
  const text = 'WITH c AS (SELECT o.Amount AS n FROM Orders o) SELECT SUM(c.n) FROM c';
  const tokens = getSemanticTokens(text, tableContext).map(
    ({ start, end, type, isDeclaration }) => `${text.slice(start, end)}:${type}${isDeclaration ? '!' : ''}`,
  );
  expect(tokens).toEqual([
    'c:cte!',
    'o:alias',
    'Amount:column',
    'n:column!',
    'Orders:table',
    'o:alias!',
    'SUM:function',
    'c:cte',
    'n:column',
    'c:cte',
  ]);
});

/** The keywords, data types, units other than DAY, and hints of the valid texts: they are no names. */
const wordsWithoutType: ReadonlySet<string> = new Set(
  [
    'ALL AND APPLY ARRAY AS ASC BETWEEN BOTH BY CASE CAST CROSS CURRENT DATE DECIMAL DESC DISTINCT DOUBLE',
    'ELSE END ESCAPE EXCEPT EXISTS FETCH FILTER FIRST FOLLOWING FOR FROM FULL GROUP GROUPING HAVING',
    'IGNORE IN INDEX INNER INTEGER INTERSECT INTERVAL IS JOIN LAST LATERAL LEFT LIKE LIMIT MONTH NATURAL',
    'NEXT NOLOCK NOT NULL NULLS OFFSET ON ONLY OR ORDER OUTER OVER PARTITION PERCENT PRECEDING PRECISION',
    'RANGE RECURSIVE RIGHT ROLLUP ROW ROWS SELECT SEPARATOR SETS THEN TIME TIMESTAMP TO TOP TRUE',
    'UNBOUNDED UNION UNKNOWN USING VALUES VARCHAR WHEN WHERE WINDOW WITH YEAR ZONE',
  ].flatMap((line) => line.split(' ')),
);

test('in valid texts, all names have a type but units, windows, hints, schemas, parameters, and columns that USING merges', () => {
  const findNamesWithoutType = (text: string, context: typeof tableContext): readonly string[] => {
    const typedTokens = getSemanticTokens(text, context);
    const hasType = (offset: number): boolean =>
      typedTokens.some(({ start, end }) => start <= offset && offset < end);
    return [...lex(text).tokens]
      .filter(({ kind, start }) => (kind === 'word' || kind === 'quotedName') && !hasType(start))
      .map(({ start, end }) => text.slice(start, end))
      .filter((name) => !wordsWithoutType.has(name.toUpperCase()));
  };
  const findInAll = (texts: string, context: typeof tableContext): readonly string[] =>
    texts.split('\n').flatMap((line) => findNamesWithoutType(line.replaceAll('⏎', '\n'), context));
  expect(findInAll(CLEAN_STATEMENTS, tableContext).join(' ')).toBe(
    '[Customer Id] [Customer Id] [Customer Id] w w my day DAY DAY x @v $1',
  );
  expect(findInAll(CLEAN_EXPRESSIONS, columnContext)).toEqual([]);
});

test('the outline lists CTEs, their columns, derived tables and the result', () => {
  const text =
    'WITH c AS (SELECT Amount AS n, Status FROM Orders) SELECT c.n, COUNT(*) FROM c JOIN (SELECT 1 AS x) d ON 1 = 1';
  const outline = getDocumentSymbols(text).map(({ name, kind, children }) => [
    name,
    kind,
    children.map((child) => child.name),
  ]);
  expect(outline).toEqual([
    ['c', 'cte', ['n', 'Status']],
    ['SELECT', 'select', ['n', 'COUNT(*)', 'd']],
  ]);
});

/** A line for each part of an outline: its kind, its name, the text of its name, and its whole text. */
function formatOutline(text: string, symbols = getDocumentSymbols(text), indent = ''): readonly string[] {
  return symbols.flatMap(({ kind, name, start, end, nameStart, nameEnd, children }) => [
    `${indent}${kind} ${name} [${text.slice(nameStart, nameEnd)}]: ${text.slice(start, end)}`,
    ...formatOutline(text, children, `${indent}  `),
  ]);
}

test.each<[string, string, readonly string[]]>([
  ['nothing', '', []],
  ['a query that has only begun', 'WITH c AS (', ['cte c [c]: c AS (']],
  ['a select without columns', 'SELECT', ['select SELECT [SELECT]: SELECT']],
  [
    'columns with and without aliases',
    'SELECT o.Amount, Status AS s, 1 + 1, * FROM Orders o',
    [
      'select SELECT [SELECT]: SELECT o.Amount, Status AS s, 1 + 1, * FROM Orders o',
      '  column Amount [o.Amount]: o.Amount',
      '  column s [s]: Status AS s',
      '  column 1 + 1 [1 + 1]: 1 + 1',
      '  column * [*]: *',
    ],
  ],
  [
    'an expression without a name, by its first 40 characters',
    `SELECT ${'1 + '.repeat(20)}1`,
    [
      `select SELECT [SELECT]: SELECT ${'1 + '.repeat(20)}1`,
      `  column ${'1 + '.repeat(10)} [${'1 + '.repeat(20)}1]: ${'1 + '.repeat(20)}1`,
    ],
  ],
  [
    'derived tables, in brackets and nested, with the queries of their own WITH',
    'SELECT 1 FROM (Orders o JOIN (WITH c AS (SELECT 2 AS n) SELECT n FROM c) d ON 1 = 1), (SELECT 3 AS x)',
    [
      'select SELECT [SELECT]: SELECT 1 FROM (Orders o JOIN (WITH c AS (SELECT 2 AS n) SELECT n FROM c) d ON 1 = 1), (SELECT 3 AS x)',
      '  column 1 [1]: 1',
      '  derived d [d]: JOIN (WITH c AS (SELECT 2 AS n) SELECT n FROM c) d ON 1 = 1',
      '    cte c [c]: c AS (SELECT 2 AS n)',
      '      column n [n]: 2 AS n',
      '    column n [n]: n',
      '  derived ( ) []: (SELECT 3 AS x)',
      '    column x [x]: 3 AS x',
    ],
  ],
])('the outline of %s', (_name, text, expected) => {
  expect(formatOutline(text)).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  ['a query', 'SELECT Amount, Nope FROM Orders', ['Amount:column', 'Orders:table']],
  [
    'calls, nested',
    'SELECT SUM(ABS(Amount)) FROM Orders',
    ['SUM:function', 'ABS:function', 'Amount:column', 'Orders:table'],
  ],
  ['a call without a name', 'SELECT (1)(2), ()', []],
  ['a call whose name is missing', 'SELECT dbo.(1) FROM Orders', ['Orders:table']],
])('only names have a token: %s', (_name, text, expected) => {
  const tokens = getSemanticTokens(text, tableContext).map(
    ({ start, end, type }) => `${text.slice(start, end)}:${type}`,
  );
  expect(tokens).toEqual(expected);
});

test('parts over several lines can be folded', () => {
  const text =
    'WITH c AS (\n  SELECT 1\n  FROM Orders\n)\nSELECT CASE\n  WHEN 1 = 1 THEN 2\nEND\nFROM c /* x\ny */';
  const folds = getFoldingRanges(text, tableContext).map(
    ({ start, kind }) => `${text.slice(0, start).split('\n').length}:${kind}`,
  );
  expect(folds).toEqual(['1:region', '2:region', '5:region', '8:comment']);
});

test.each<[string, string, readonly string[]]>([
  ['one line', 'SELECT 1 /* x */ FROM Orders', []],
  ['a line comment', 'SELECT 1 -- x\n', []],
  [
    'a column with its alias on another line',
    'SELECT Amount\n  AS n FROM Orders',
    ['SELECT Amount\n  AS n FROM Orders'],
  ],
  ['CRLF as the line break', 'SELECT 1,\r\n2', ['SELECT 1,\r\n2']],
  ['two comments that start on a line', '/* a */ /* b\nc */ SELECT 1', ['/* b\nc */']],
])('the folding ranges of %s', (_name, text, expected) => {
  expect(getFoldingRanges(text, tableContext).map(({ start, end }) => text.slice(start, end))).toEqual(
    expected,
  );
});

test('the expression of a column can be folded, too', () => {
  const text = 'CASE\n  WHEN [Amount] > 1 THEN 2\nEND';
  expect(getFoldingRanges(text, columnContext)).toEqual([{ start: 0, end: text.length, kind: 'region' }]);
  expect(getFoldingRanges('', columnContext)).toEqual([]);
});

test('of the parts that start on a line, the longest can be folded, however they nest', () => {
  const getFolds = (text: string): readonly string[] =>
    getFoldingRanges(text, tableContext).map(({ start, end }) => text.slice(start, end));
  const text = 'SELECT CASE\n  WHEN 1 = 1 THEN 2\nEND\nFROM Orders';
  expect(getFolds(text)).toEqual([text]);
  const textWithCalls = 'SELECT 1,\n  COALESCE(1,\n1) + COALESCE(\n1,\n2)\nFROM Orders';
  expect(getFolds(textWithCalls)).toEqual([textWithCalls, 'COALESCE(1,\n1)', 'COALESCE(\n1,\n2)']);
  const textWithJoins = 'SELECT 1 FROM (Orders o JOIN (\nSELECT 1\nAS x) d ON COALESCE(\n1,\n2) = 1)';
  expect(getFolds(textWithJoins)).toEqual([textWithJoins, 'SELECT 1\nAS x', 'COALESCE(\n1,\n2)']);
});

describe('code actions', () => {
  function applyFixes(marked: string, context = tableContext): string[] {
    const { text, offset } = extractCaret(marked);
    return codeActionsAt(text, offset, offset, context).map(
      ({ code, edits }) => `${code}: ${applyEdits(text, edits)}`,
    );
  }

  test.each([
    ['SELECT Amuont| FROM Orders', ['did-you-mean: SELECT Amount FROM Orders']],
    ['SELECT o.[OrderId|] FROM Orders o', ['did-you-mean: SELECT o.[Order Id] FROM Orders o']],
    ['SELECT o.OrderId| FROM Orders o', ['did-you-mean: SELECT o.[Order Id] FROM Orders o']],
    ['SELECT * FROM Custmers|', ['did-you-mean: SELECT * FROM Customers']],
    ['SELECT * FROM "Order Itms|"', ['did-you-mean: SELECT * FROM "Order Items"']],
    ['SELECT Orders|.Amount FROM Orders o', ['use-alias: SELECT o.Amount FROM Orders o']],
    [
      'SELECT [Customer Id|] FROM Orders o, Customers c',
      [
        'qualify: SELECT o.[Customer Id] FROM Orders o, Customers c',
        'qualify: SELECT c.[Customer Id] FROM Orders o, Customers c',
      ],
    ],
    ['SELECT Date| FROM [orders.csv]', ['quote: SELECT [Date] FROM [orders.csv]']],
    [
      'SELECT *| FROM [Order Items]',
      ['expand-star: SELECT [Order Id], [Product Id], Quantity, [Unit Price] FROM [Order Items]'],
    ],
    [
      'SELECT i.*| FROM [Order Items] i',
      ['expand-star: SELECT i.[Order Id], i.[Product Id], i.Quantity, i.[Unit Price] FROM [Order Items] i'],
    ],
    [
      'SELECT *| FROM Orders o, (SELECT 2 AS b) d',
      [
        'expand-star: SELECT o.[Order Id], o.[Customer Id], o.[Order Date], o.Amount, o.Status, o.Margin, d.b FROM Orders o, (SELECT 2 AS b) d',
      ],
    ],
    ['SELECT *| FROM (SELECT 1 AS a)', ['expand-star: SELECT a FROM (SELECT 1 AS a)']],
    [
      'SELECT D.*| FROM Products p, (SELECT 2 AS b) d',
      ['expand-star: SELECT d.b FROM Products p, (SELECT 2 AS b) d'],
    ],
    ['SELECT *| FROM (SELECT 1 AS a, 1 + 1) d', []],
    ['SELECT *| FROM (SELECT 1 AS a), Orders o', []],
    ['SELECT *| FROM Orders, Nowhere', []],
    ['SELECT *|', []],
    ['SELECT x.*| FROM Orders o', []],
    ['SELECT COUNT(*|) FROM Orders', []],
    [
      'SELECT [a|] FROM (SELECT 1 AS a), (SELECT 2 AS a) d',
      ['qualify: SELECT d.[a] FROM (SELECT 1 AS a), (SELECT 2 AS a) d'],
    ],
    ['SELECT [Orders.Amount|] FROM Orders', ['split-name: SELECT Orders.[Amount] FROM Orders']],
    ['SELECT [ORDERS.Amount|] FROM Orders o', ['split-name: SELECT o.[Amount] FROM Orders o']],
    [
      'WITH c AS (SELECT 1 AS x) SELECT [c.x|] FROM c',
      ['split-name: WITH c AS (SELECT 1 AS x) SELECT c.[x] FROM c'],
    ],
    ['SELECT [d.x|] FROM (SELECT 1 AS x) d', ['split-name: SELECT d.[x] FROM (SELECT 1 AS x) d']],
    ['SELECT [Customers.Amount|] FROM Orders', []],
    [
      'SELECT [o.Amount|] FROM Orders o',
      ['split-name: SELECT o.[Amount] FROM Orders o', 'did-you-mean: SELECT [Amount] FROM Orders o'],
    ],
    ['SELECT [o.Amuont|] FROM Orders o', ['did-you-mean: SELECT [Amount] FROM Orders o']],
    ['SELECT p.[Orders.Amount|] FROM Orders p', []],
    // A column or source without a name isn't suggested for a name of one letter, although one edit separates them.
    ['SELECT x| FROM (SELECT 1 + 1, 2 AS yyyy) d', []],
    ['SELECT d.x| FROM (SELECT 1 + 1, 2 AS yyyy) d', []],
    ['SELECT x|.a FROM Orders, (SELECT 1 AS b)', []],
    ['SELECT Zzzzzz| FROM Orders', []],
    ['SELECT Amount| FROM Orders', []],
  ])('%s', (marked, expected) => expect(applyFixes(marked)).toEqual(expected));

  test('correct a name in a column expression', () => {
    expect(applyFixes('[Amuont|] + 1', columnContext)).toEqual(['did-you-mean: [Amount] + 1']);
  });
});

describe('format', () => {
  test('formats a statement and keeps all three quote styles', () => {
    const text = 'select o.[Order Id],"Status",`Amount` from Orders o where Amount>1 -- end';
    expect(format(text)).toBe(
      'select\n  o.[Order Id],\n  "Status",\n  `Amount`\nfrom\n  Orders o\nwhere\n  Amount > 1 -- end',
    );
  });

  test('a call keeps its parenthesis next to its name', () => {
    expect(format('Lookup([Customers],[Name],[Id],[Id])+1')).toBe(
      'Lookup([Customers], [Name], [Id], [Id]) + 1',
    );
  });

  test.each(['SELECT (', "SELECT 'abc", 'SELECT [abc', ''])(
    'leaves unreadable text unchanged: %s',
    (text) => {
      expect(format(text)).toBe(text);
    },
  );
});
