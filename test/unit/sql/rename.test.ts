import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  type ExpressionContext,
  findReferencesInDatamodel,
  renameInCatalog,
  renameIn,
  findRenamableName,
  renameSymbolAt,
} from '../../../src/sql/index.ts';
import { CATALOG, columnContext, extractCaret, tableContext } from './model.ts';

interface Target {
  table: string;
  column?: string;
}

function renameInText(
  text: string,
  target: Target,
  newName: string,
  context: ExpressionContext = tableContext,
): string {
  return applyEdits(text, renameIn(text, target, newName, context));
}

const AMOUNT: Target = { table: 'Orders', column: 'Amount' };
const ORDERS: Target = { table: 'Orders' };

describe('a column of the datamodel', () => {
  test.each([
    ['SELECT Amount FROM Orders', 'Total', 'SELECT Total FROM Orders'],
    ['SELECT amount FROM orders', 'Total', 'SELECT Total FROM orders'],
    ['SELECT Amount FROM Orders', 'Net Amount', 'SELECT [Net Amount] FROM Orders'],
    ['SELECT Amount FROM Orders', 'a]b', 'SELECT [a]]b] FROM Orders'],
    ['SELECT ARRAY[1, Amount] FROM Orders', 'a]b', 'SELECT ARRAY[1, "a]b"] FROM Orders'],
    ['SELECT ARRAY[1, [Amount]] FROM Orders', 'a]b', 'SELECT ARRAY[1, "a]b"] FROM Orders'],
    ['SELECT Amount FROM Orders', 'Order', 'SELECT [Order] FROM Orders'],
    ['SELECT "Amount" FROM Orders', 'Net Amount', 'SELECT "Net Amount" FROM Orders'],
    ['SELECT "Amount" FROM Orders', 'a"b', 'SELECT "a""b" FROM Orders'],
    ['SELECT `Amount` FROM Orders', 'a`b', 'SELECT `a``b` FROM Orders'],
    ['SELECT [Amount] FROM Orders', 'Net Amount', 'SELECT [Net Amount] FROM Orders'],
    ['SELECT o.Amount, Amount FROM Orders o', 'T', 'SELECT o.T, T FROM Orders o'],
    [
      'SELECT o.Amount, c.Amount FROM Orders o, Customers c',
      'T',
      'SELECT o.T, c.Amount FROM Orders o, Customers c',
    ],
    ['SELECT Amount AS Amount FROM Orders', 'T', 'SELECT T AS Amount FROM Orders'],
    [
      'SELECT Status AS Amount FROM Orders ORDER BY Amount',
      'T',
      'SELECT Status AS Amount FROM Orders ORDER BY Amount',
    ],
    ['SELECT Amount FROM Orders ORDER BY Amount', 'T', 'SELECT T FROM Orders ORDER BY T'],
    ["SELECT 'Amount', Amount -- Amount\nFROM Orders", 'T', "SELECT 'Amount', T -- Amount\nFROM Orders"],
    [
      'WITH c AS (SELECT Amount FROM Orders) SELECT c.Amount FROM c',
      'T',
      'WITH c AS (SELECT T FROM Orders) SELECT c.T FROM c',
    ],
    [
      'WITH c AS (SELECT * FROM Orders) SELECT c.Amount FROM c',
      'T',
      'WITH c AS (SELECT * FROM Orders) SELECT c.T FROM c',
    ],
    [
      'WITH c AS (SELECT Amount AS x FROM Orders) SELECT x FROM c',
      'T',
      'WITH c AS (SELECT T AS x FROM Orders) SELECT x FROM c',
    ],
    [
      'WITH c (Amount) AS (SELECT Amount FROM Orders) SELECT Amount FROM c',
      'T',
      'WITH c (Amount) AS (SELECT T FROM Orders) SELECT Amount FROM c',
    ],
    [
      'SELECT (SELECT MAX(Name) FROM Customers WHERE Amount > 1) FROM Orders',
      'T',
      'SELECT (SELECT MAX(Name) FROM Customers WHERE T > 1) FROM Orders',
    ],
    [
      'SELECT Lookup(Orders, Amount, Name, Status) FROM Customers',
      'T',
      'SELECT Lookup(Orders, T, Name, Status) FROM Customers',
    ],
    ['SELECT d.Amount FROM (SELECT Amount FROM Orders) d', 'T', 'SELECT d.T FROM (SELECT T FROM Orders) d'],
    [
      'SELECT d.x FROM (SELECT Amount FROM Orders) d (x)',
      'T',
      'SELECT d.x FROM (SELECT T FROM Orders) d (x)',
    ],
    ['SELECT Amount, FROM Orders WHERE Amount >', 'T', 'SELECT T, FROM Orders WHERE T >'],
    [
      'SELECT 1 FROM Orders QUALIFY Amount > 1 QUALIFY Amount < 2',
      'T',
      'SELECT 1 FROM Orders QUALIFY T > 1 QUALIFY T < 2',
    ],
    ['SELECT Nope.Amount FROM Orders o', 'T', 'SELECT Nope.Amount FROM Orders o'],
    ['SELECT x FROM Customers', 'T', 'SELECT x FROM Customers'],
  ])('is renamed in %s to %s', (text, newName, after) =>
    expect(renameInText(text, AMOUNT, newName)).toBe(after),
  );

  test.each([
    ['SELECT [Order Id], Amount, Status FROM Orders', 'SELECT Key, Amount, Status FROM Orders'],
    ['SELECT [Order Id], [Amount], Status FROM Orders', 'SELECT Key, [Amount], Status FROM Orders'],
    [
      'SELECT [Order Id], [Amount], [Status], Margin FROM Orders',
      'SELECT [Key], [Amount], [Status], Margin FROM Orders',
    ],
    ['SELECT [Order Id] FROM Orders', 'SELECT Key FROM Orders'],
  ])('%s: the new name gets brackets if most names have brackets that they do not need', (text, expected) => {
    expect(renameInText(text, { table: 'Orders', column: 'Order Id' }, 'Key')).toBe(expected);
  });

  test.each([
    ['net', 'SELECT net, [Date], total FROM [orders.csv]'],
    ['Year', 'SELECT [Year], [Date], total FROM [orders.csv]'],
  ])(
    'a new name is quoted like the other names of its kind, keywords of some engine or not: %s',
    (newName, expected) => {
      const text = 'SELECT [a"b], [Date], total FROM [orders.csv]';
      expect(renameInText(text, { table: 'orders.csv', column: 'a"b' }, newName)).toBe(expected);
    },
  );

  test('Lookup renames the column of the table it belongs to', () => {
    const text = 'Lookup([Customers], [Customer Id], [Customer Id], [Customer Id])';
    expect(renameInText(text, { table: 'Customers', column: 'Customer Id' }, 'Key', columnContext)).toBe(
      'Lookup([Customers], [Key], [Customer Id], [Key])',
    );
    expect(renameInText(text, { table: 'Orders', column: 'Customer Id' }, 'Key', columnContext)).toBe(
      'Lookup([Customers], [Customer Id], [Key], [Customer Id])',
    );
  });
});

describe('a table of the datamodel', () => {
  test.each([
    ['SELECT * FROM Orders', 'Sales', 'SELECT * FROM Sales'],
    ['SELECT Orders.Amount FROM Orders', 'Sales', 'SELECT Sales.Amount FROM Sales'],
    ['SELECT Orders.* FROM Orders', 'My Sales', 'SELECT [My Sales].* FROM [My Sales]'],
    ['SELECT o.Amount FROM Orders o', 'Sales', 'SELECT o.Amount FROM Sales o'],
    ['SELECT "Orders".Amount FROM [Orders]', 'Sales', 'SELECT "Sales".Amount FROM [Sales]'],
    ['SELECT Orders.Amount FROM Customers Orders', 'Sales', 'SELECT Orders.Amount FROM Customers Orders'],
    [
      'WITH Orders AS (SELECT 1 AS x) SELECT x FROM Orders',
      'Sales',
      'WITH Orders AS (SELECT 1 AS x) SELECT x FROM Orders',
    ],
    [
      'WITH c AS (SELECT 1 FROM Orders) SELECT * FROM c',
      'Sales',
      'WITH c AS (SELECT 1 FROM Sales) SELECT * FROM c',
    ],
    ["SELECT 'Orders' FROM Orders -- Orders", 'Sales', "SELECT 'Orders' FROM Sales -- Orders"],
    [
      'SELECT Lookup(Orders, Amount, Name, Status) FROM Customers',
      'Sales',
      'SELECT Lookup(Sales, Amount, Name, Status) FROM Customers',
    ],
  ])('is renamed in %s to %s', (text, newName, after) =>
    expect(renameInText(text, ORDERS, newName)).toBe(after),
  );

  test('an unquoted dotted name becomes a single name', () => {
    expect(renameInText('SELECT orders.csv.id FROM orders.csv', { table: 'orders.csv' }, 'Feed')).toBe(
      'SELECT Feed.id FROM Feed',
    );
  });

  test('a column expression is updated when its own table is renamed', () => {
    expect(renameInText('[Orders].[Amount] + Amount', ORDERS, 'Sales', columnContext)).toBe(
      '[Sales].[Amount] + Amount',
    );
  });
});

describe('a rename and its reversal restore the text', () => {
  test.each([
    ['SELECT o.Amount FROM Orders o', AMOUNT],
    ['SELECT [Amount] FROM [Orders]', AMOUNT],
    ['SELECT "Amount" FROM "Orders"', AMOUNT],
    ['SELECT Orders.Amount, [Orders].Amount FROM Orders', AMOUNT],
    ['SELECT [Order Id], Amount FROM Orders ORDER BY Amount', { table: 'Orders', column: 'Order Id' }],
    ['WITH c AS (SELECT * FROM Orders) SELECT c.[Order Id] FROM c', { table: 'Orders', column: 'Order Id' }],
    ['SELECT Orders.Amount FROM Orders', ORDERS],
    ['SELECT [Orders].[Amount] FROM [Orders]', ORDERS],
    ['SELECT `Order Items`.Quantity FROM [Order Items]', { table: 'Order Items' }],
  ] as [string, Target][])('%s', (text, target) => {
    for (const newName of ['Fresh', 'New Name', 'odd]name', 'Select']) {
      const renamed = renameInText(text, target, newName);
      const reverseTarget =
        target.column === undefined ? { table: newName } : { table: target.table, column: newName };
      const context: ExpressionContext = {
        kind: 'table',
        catalog: renameInCatalog(CATALOG, target, newName),
      };
      expect(renamed).not.toBe(text);
      expect(renameInText(renamed, reverseTarget, target.column ?? target.table, context)).toBe(text);
    }
  });
});

describe('names declared in the text', () => {
  function renameSymbol(marked: string, newName: string): string | undefined {
    const { text, offset } = extractCaret(marked);
    const found = renameSymbolAt(text, offset, newName, tableContext);
    expect(found?.conflicts ?? []).toEqual([]);
    return found === undefined ? undefined : applyEdits(text, found.edits);
  }

  test.each([
    [
      'SELECT o|.Amount FROM Orders o WHERE o.Status = 1',
      'x',
      'SELECT x.Amount FROM Orders x WHERE x.Status = 1',
    ],
    ['SELECT o.Amount FROM Orders |o', 'my order', 'SELECT [my order].Amount FROM Orders [my order]'],
    [
      'SELECT o.Amount, (SELECT o.Name FROM Customers |o) FROM Orders o',
      'x',
      'SELECT o.Amount, (SELECT x.Name FROM Customers x) FROM Orders o',
    ],
    ['WITH c| AS (SELECT 1 AS n) SELECT c.n FROM c', 'd', 'WITH d AS (SELECT 1 AS n) SELECT d.n FROM d'],
    [
      'WITH c AS (SELECT 1 AS n|) SELECT c.n, n FROM c',
      'm',
      'WITH c AS (SELECT 1 AS m) SELECT c.m, m FROM c',
    ],
    ['WITH c AS (SELECT 1 AS n) SELECT x.|n FROM c x', 'm', 'WITH c AS (SELECT 1 AS m) SELECT x.m FROM c x'],
    ['WITH c (n) AS (SELECT 1) SELECT |n FROM c', 'm', 'WITH c (m) AS (SELECT 1) SELECT m FROM c'],
    [
      'WITH c AS (SELECT 1 AS n), d AS (SELECT * FROM c) SELECT d.|n FROM d',
      'm',
      'WITH c AS (SELECT 1 AS m), d AS (SELECT * FROM c) SELECT d.m FROM d',
    ],
    ['SELECT Amount AS |a FROM Orders WHERE a > 1', 'b', 'SELECT Amount AS b FROM Orders WHERE b > 1'],
    ['SELECT Amount AS tot|al FROM Orders ORDER BY total', 't', 'SELECT Amount AS t FROM Orders ORDER BY t'],
    ['SELECT "o"|.Amount FROM Orders "o"', 'x y', 'SELECT "x y".Amount FROM Orders "x y"'],
  ])('are renamed in %s to %s', (marked, newName, after) =>
    expect(renameSymbol(marked, newName)).toBe(after),
  );

  test('a name of the datamodel is not renamed within the text', () => {
    expect(renameSymbol('SELECT Amo|unt FROM Orders', 'x')).toBeUndefined();
    const { text, offset } = extractCaret('SELECT Amo|unt FROM Orders');
    const range = { start: 7, end: 13, text: 'Amount' };
    expect(findRenamableName(text, offset, tableContext)).toEqual({ ...range, target: AMOUNT });
    expect(findRenamableName(text, text.length, tableContext)?.target).toEqual(ORDERS);
    expect(findRenamableName(text, 3, tableContext)).toBeUndefined();
  });
});

describe('all expressions of a datamodel', () => {
  const expressions = [
    { id: 'custom table', text: 'SELECT o.Amount FROM Orders o', context: tableContext },
    { id: 'custom column', text: '[Amount] * 2', context: columnContext },
    { id: 'other', text: 'SELECT Name FROM Customers', context: tableContext },
  ];

  test('that contain the name are changed by a rename', () => {
    const edits = expressions.map(({ text, context }) => renameIn(text, AMOUNT, 'Net Amount', context));
    expect(edits).toEqual([
      [{ start: 9, end: 15, newText: '[Net Amount]' }],
      [{ start: 0, end: 8, newText: '[Net Amount]' }],
      [],
    ]);
  });

  test('all references to a column are found', () => {
    const found = findReferencesInDatamodel(expressions, AMOUNT);
    expect(found).toEqual([
      { id: 'custom table', references: [{ start: 9, end: 15, isDeclaration: false }] },
      { id: 'custom column', references: [{ start: 0, end: 8, isDeclaration: false }] },
    ]);
  });
});

describe('names that collide', () => {
  const STATUS: Target = { table: 'Orders', column: 'Status' };

  test.each([
    // Both tables would have a Name, so the column is qualified with its source.
    [
      'SELECT Status FROM Orders o JOIN Customers c ON 1 = 1',
      'Name',
      'SELECT o.Name FROM Orders o JOIN Customers c ON 1 = 1',
    ],
    [
      'SELECT o.Status FROM Orders o JOIN Customers c ON 1 = 1',
      'Name',
      'SELECT o.Name FROM Orders o JOIN Customers c ON 1 = 1',
    ],
    [
      'SELECT Status FROM Orders JOIN Customers ON 1 = 1',
      'Name',
      'SELECT Orders.Name FROM Orders JOIN Customers ON 1 = 1',
    ],
    [
      'SELECT 1 FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers WHERE Status = 1)',
      'Name',
      'SELECT 1 FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers WHERE o.Name = 1)',
    ],
    // A name that some engines reserve gets no quotes where it needs only a qualifier.
    ['SELECT Status FROM Orders o, [orders.csv] f', 'Date', 'SELECT o.Date FROM Orders o, [orders.csv] f'],
    // Quotes that can't prevent a conflict either are left out.
    [
      'SELECT Status, Date FROM Orders, [orders.csv]',
      'Date',
      'SELECT Orders.Date, Date FROM Orders, [orders.csv]',
    ],
    [
      'SELECT Amount AS Total FROM Orders ORDER BY Status',
      'Total',
      'SELECT Amount AS Total FROM Orders ORDER BY Orders.Total',
    ],
  ])('are distinguished after a rename in %s to %s', (text, newName, after) =>
    expect(renameInText(text, STATUS, newName)).toBe(after),
  );
});

describe('the relations of a renamed catalog', () => {
  const listEnds = (target: Target, newName: string): readonly string[] | undefined =>
    renameInCatalog(CATALOG, target, newName).relations?.map(({ columns }) =>
      columns.map(({ table, column }) => `${table}.${column}`).join(' = '),
    );

  test.each<[string, Target, string, readonly string[]]>([
    [
      'a table',
      { table: 'orders' },
      'Sales',
      ['Sales.Customer Id = Customers.Customer Id', 'Sales.Order Id = Order Items.Order Id'],
    ],
    [
      'a column',
      { table: 'Orders', column: 'customer id' },
      'Buyer',
      ['Orders.Buyer = Customers.Customer Id', 'Orders.Order Id = Order Items.Order Id'],
    ],
    [
      'a column without a relation',
      { table: 'Orders', column: 'Amount' },
      'Total',
      ['Orders.Customer Id = Customers.Customer Id', 'Orders.Order Id = Order Items.Order Id'],
    ],
  ])('have the new name of %s', (_what, target, newName, expected) => {
    expect(listEnds(target, newName)).toEqual(expected);
  });

  test('are absent if there were none', () => {
    const { relations: _none, ...catalog } = CATALOG;
    expect(renameInCatalog(catalog, ORDERS, 'Sales')).not.toHaveProperty('relations');
  });
});
