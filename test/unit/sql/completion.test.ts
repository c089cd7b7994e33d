import { describe, expect, test } from 'vitest';
import { completionsAt, type ExpressionContext } from '../../../src/sql/index.ts';
import { parseExpression, parseStatement } from '../../../src/sql/syntax/parser.ts';
import { CLAUSES } from './cases/clauses.ts';
import { COLUMN_EXPRESSIONS, EXPRESSIONS } from './cases/expressions.ts';
import { SELECT_LIST } from './cases/selectList.ts';
import { SOURCES } from './cases/sources.ts';
import { CATALOG, columnContext, extractCaret, readCases, tableContext } from './model.ts';

function runCases(lines: string, context: ExpressionContext): void {
  test.each(readCases(lines))(
    'the expected labels are proposed, and the absent ones are not: $marked',
    ({ marked, expected, absent }) => {
      const { text, offset } = extractCaret(marked);
      const items = completionsAt(text, offset, context);
      const labels = items.map(({ label }) => label);
      expect(expected.filter((label) => !labels.includes(label))).toEqual([]);
      expect(absent.filter((label) => labels.includes(label))).toEqual([]);
      for (const { start, end } of items) {
        expect(start).toBeLessThanOrEqual(offset);
        expect(end).toBeGreaterThanOrEqual(offset);
      }
    },
  );
}

describe('sources', () => runCases(SOURCES, tableContext));
describe('select list', () => runCases(SELECT_LIST, tableContext));
describe('clauses', () => runCases(CLAUSES, tableContext));
describe('expressions', () => runCases(EXPRESSIONS, tableContext));
describe('column expressions', () => runCases(COLUMN_EXPRESSIONS, columnContext));

describe('the text after accepting a completion', () => {
  function accept(marked: string, label: string, kind?: string): string {
    const { text, offset } = extractCaret(marked);
    const found = completionsAt(text, offset, tableContext).find(
      (item) => item.label === label && (kind === undefined || item.kind === kind),
    );
    return found === undefined
      ? 'nothing'
      : text.slice(0, found.start) + found.insertText + text.slice(found.end);
  }

  test.each([
    ['SELECT o.| FROM Orders o', 'Order Id', 'SELECT o.[Order Id] FROM Orders o'],
    ['SELECT o.Am| FROM Orders o', 'Amount', 'SELECT o.Amount FROM Orders o'],
    ['SELECT o.[Or| FROM Orders o', 'Order Id', 'SELECT o.[Order Id] FROM Orders o'],
    ['SELECT o.[Or|] FROM Orders o', 'Order Id', 'SELECT o.[Order Id] FROM Orders o'],
    ['SELECT o."Or| FROM Orders o', 'Order Id', 'SELECT o."Order Id" FROM Orders o'],
    ['SELECT o."Or|" FROM Orders o', 'Order Id', 'SELECT o."Order Id" FROM Orders o'],
    ['SELECT o.`Or|` FROM Orders o', 'Order Id', 'SELECT o.`Order Id` FROM Orders o'],
    ['SELECT o.[Order | FROM Orders o', 'Order Id', 'SELECT o.[Order Id] FROM Orders o'],
    ['SELECT o.[Am|] FROM Orders o', 'Amount', 'SELECT o.[Amount] FROM Orders o'],
    ['SELECT o.Am|ount FROM Orders o', 'Status', 'nothing'],
    ['SELECT o.St|atus FROM Orders o', 'Status', 'SELECT o.Status FROM Orders o'],
    ['SELECT p.| FROM Products p', 'Cost [USD]', 'SELECT p.[Cost [USD]]] FROM Products p'],
    ['SELECT p.[Cost| FROM Products p', 'Cost [USD]', 'SELECT p.[Cost [USD]]] FROM Products p'],
    ['SELECT f."| FROM [orders.csv] f', 'a"b', 'SELECT f."a""b" FROM [orders.csv] f'],
    ['SELECT f.`| FROM [orders.csv] f', 'x`y', 'SELECT f.`x``y` FROM [orders.csv] f'],
    ['SELECT f.| FROM [orders.csv] f', 'Date', 'SELECT f.[Date] FROM [orders.csv] f'],
    ['SELECT * FROM |', 'orders.csv', 'SELECT * FROM [orders.csv]'],
    ['SELECT * FROM orders.|', 'orders.csv', 'SELECT * FROM [orders.csv]'],
    ['SELECT * FROM Orders o JOIN orders.c|', 'orders.csv', 'SELECT * FROM Orders o JOIN [orders.csv]'],
    ['SELECT * FROM "orders.|', 'orders.csv', 'SELECT * FROM "orders.csv"'],
    ['SELECT "o.| FROM Orders o', 'Amount', 'SELECT "o"."Amount" FROM Orders o'],
    ['SELECT "o.Am|" FROM Orders o', 'Amount', 'SELECT "o"."Amount" FROM Orders o'],
    ['SELECT [Orders.Or| FROM Orders', 'Order Id', 'SELECT [Orders].[Order Id] FROM Orders'],
    ['SELECT 1 FROM Orders o WHERE `o.|', 'Status', 'SELECT 1 FROM Orders o WHERE `o`.`Status`'],
    ['SELECT "o.| FROM Customers o', 'Amount', 'nothing'],
    ['SELECT "Ord|', 'Orders', 'SELECT "Orders"'],
    ['SELECT * FROM [or|', 'orders.csv', 'SELECT * FROM [orders.csv]'],
    ['SELECT * FROM Orders o JOIN |', 'Order Items', 'SELECT * FROM Orders o JOIN [Order Items]'],
    [
      'SELECT Cust| FROM Orders o, Customers c',
      'Customer Id',
      'SELECT o.[Customer Id] FROM Orders o, Customers c',
    ],
    [
      'SELECT * FROM Orders o JOIN Customers c ON |',
      'Customer Id = Customer Id',
      'SELECT * FROM Orders o JOIN Customers c ON o.[Customer Id] = c.[Customer Id]',
    ],
    [
      'SELECT * FROM Orders JOIN [Order Items] ON |',
      'Order Id = Order Id',
      'SELECT * FROM Orders JOIN [Order Items] ON Orders.[Order Id] = [Order Items].[Order Id]',
    ],
    [
      'SELECT *| FROM [Order Items]',
      '*',
      'SELECT [Order Id], [Product Id], Quantity, [Unit Price] FROM [Order Items]',
    ],
    [
      'SELECT i.*| FROM [Order Items] i',
      '*',
      'SELECT i.[Order Id], i.[Product Id], i.Quantity, i.[Unit Price] FROM [Order Items] i',
    ],
    ['select * from Orders wh|', 'WHERE', 'select * from Orders where'],
    ['select * from Orders |', 'WHERE', 'select * from Orders where'],
    ['SELECT adddays| FROM Orders', 'ADDDAYS', 'SELECT ADDDAYS() FROM Orders'],
    ['SELECT addd|([Order Date], 1) FROM Orders', 'ADDDAYS', 'SELECT ADDDAYS([Order Date], 1) FROM Orders'],
    ['SELECT * FROM "Ord|', 'Orders', 'SELECT * FROM "Orders"'],
  ])('has the proposed name in place of what was typed: %s, %s', (marked, label, after) => {
    expect(accept(marked, label)).toBe(after);
  });
});

describe('ranking and detail', () => {
  test('tables joined by a relation come first after JOIN', () => {
    const { text, offset } = extractCaret('SELECT * FROM [Order Items] i JOIN |');
    const tables = completionsAt(text, offset, tableContext).filter(({ kind }) => kind === 'table');
    expect(tables[0]?.label).toBe('Orders');
  });

  test('a table is not proposed first for a join with itself', () => {
    const { text, offset } = extractCaret('SELECT * FROM Orders o JOIN |');
    const tables = completionsAt(text, offset, tableContext).map(({ label }) => label);
    expect(tables.slice(0, 2)).toEqual(['Customers', 'Order Items']);
    expect(tables).toContain('Orders');
  });

  test('the join condition comes first after ON', () => {
    const { text, offset } = extractCaret('SELECT * FROM Orders o JOIN Customers c ON |');
    expect(completionsAt(text, offset, tableContext)[0]?.label).toBe('Customer Id = Customer Id');
  });

  test('columns come before functions, and prefix matches before others', () => {
    const { text, offset } = extractCaret('SELECT st| FROM Orders');
    expect(completionsAt(text, offset, tableContext)[0]).toMatchObject({ label: 'Status', kind: 'column' });
  });

  test('a hidden column comes last among the columns of its table', () => {
    const { text, offset } = extractCaret('SELECT o.| FROM Orders o');
    const columns = completionsAt(text, offset, tableContext).map(({ label }) => label);
    expect(columns.indexOf('Margin')).toBeGreaterThan(columns.indexOf('Status'));
  });

  test('functions show their signature, and undocumented ones are marked', () => {
    const items = completionsAt('SELECT ', 7, tableContext);
    expect(items.find(({ label }) => label === 'ADDDAYS')?.detail).toBe('ADDDAYS(dt, n)');
    expect(items.find(({ label }) => label === 'INDEXOF')?.detail).toContain('unverified');
  });

  test('an ambiguous column is offered once per source, with its qualifier', () => {
    const { text, offset } = extractCaret('SELECT | FROM Orders o JOIN Customers c ON 1 = 1');
    const found = completionsAt(text, offset, tableContext).filter(({ label }) => label === 'Customer Id');
    expect(found.map(({ insertText }) => insertText)).toEqual(['o.[Customer Id]', 'c.[Customer Id]']);
  });
});

test('a match at the start of a word comes before one of the first letters of several', () => {
  const getColumns = (...names: readonly string[]): readonly string[] => {
    const tables = [{ name: 'Sales', columns: names.map((name) => ({ name })) }];
    const { text, offset } = extractCaret('SELECT am| FROM Sales');
    return completionsAt(text, offset, { kind: 'table', catalog: { complete: true, tables } })
      .filter(({ kind }) => kind === 'column')
      .map(({ label }) => label);
  };
  for (const matching of ['net_amount', 'net amount', 'net.amount']) {
    expect(getColumns('Alpha Mark', matching, 'Amount')).toEqual(['Amount', matching, 'Alpha Mark']);
  }
});

test.each([
  ['SELECT Amount| FROM Orders', 'Orders · Text'],
  ['SELECT Amount| FROM Orders o', 'o (Orders) · Text'],
  ['SELECT Amount| FROM (SELECT Amount FROM Orders) d', 'd · Text'],
  ['WITH c AS (SELECT Amount FROM Orders) SELECT Amount| FROM c d', 'd (c) · Text'],
])('a column shows its source: %s', (marked, detail) => {
  const { text, offset } = extractCaret(marked);
  const items = completionsAt(text, offset, tableContext);
  expect(items.find(({ label, kind }) => label === 'Amount' && kind === 'column')?.detail).toBe(detail);
});

test('a column is not proposed if its source has no name to distinguish it from another one', () => {
  const { text, offset } = extractCaret('SELECT | FROM (SELECT Amount, 1 AS one FROM Orders), Orders o');
  const columns = completionsAt(text, offset, tableContext).filter(({ kind }) => kind === 'column');
  const inserted = columns.map(({ insertText }) => insertText);
  expect(inserted.filter((name) => name.includes('Amount'))).toEqual(['o.Amount']);
  expect(inserted).toContain('one');
});

describe('join conditions', () => {
  const getConditions = (marked: string, context: ExpressionContext): readonly string[] => {
    const { text, offset } = extractCaret(marked);
    return completionsAt(text, offset, context)
      .filter(({ detail }) => detail === 'relation')
      .map(({ insertText }) => insertText);
  };

  test('a relation to another table does not join a table with itself', () => {
    expect(getConditions('SELECT * FROM Orders a JOIN Orders b ON |', tableContext)).toEqual([]);
  });

  test('a condition is proposed once if two relations state it', () => {
    const { relations = [] } = CATALOG;
    const catalog = { ...CATALOG, relations: [...relations, ...relations] };
    const conditions = getConditions('SELECT * FROM Orders o JOIN Customers c ON |', {
      kind: 'table',
      catalog,
    });
    expect(conditions).toEqual(['o.[Customer Id] = c.[Customer Id]']);
  });
});

test('there are at least 300 cases, at least half of them on text with syntax errors', () => {
  const statements = [SOURCES, SELECT_LIST, CLAUSES, EXPRESSIONS].flatMap(readCases);
  const expressions = readCases(COLUMN_EXPRESSIONS);
  const removeCaret = ({ marked }: { readonly marked: string }): string => extractCaret(marked).text;
  const unfinished = [
    ...statements.map(removeCaret).filter((text) => parseStatement(text).syntaxErrors.length > 0),
    ...expressions.map(removeCaret).filter((text) => parseExpression(text).syntaxErrors.length > 0),
  ];
  expect(statements.length + expressions.length).toBeGreaterThanOrEqual(300);
  expect(unfinished.length).toBeGreaterThanOrEqual((statements.length + expressions.length) / 2);
});

test('after a column of ORDER BY its direction comes first', () => {
  const { text, offset } = extractCaret('SELECT Amount FROM Orders ORDER BY Amount |');
  const labels = completionsAt(text, offset, tableContext).map(({ label }) => label);
  expect(labels.slice(0, 2)).toEqual(['ASC', 'DESC']);
  expect(labels).toContain('AND');
});
