import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { createFollowingSqlCheck } from '../../../../src/project/apply/followingSql.ts';
import type { ItemKey, ProjectItem } from '../../../../src/project/item.ts';

const datamodel = 'Retail';
const table = (name: string): ItemKey => ({ kind: 'table', datamodel, table: name });
const sql = { kind: 'tableExpression', datamodel, table: 'Totals' } as const;

const createTable = (name: string, ...columns: readonly string[]): ProjectItem => ({
  key: table(name),
  content: { name, columns: columns.map((column) => ({ name: column })) },
});

const isFollowing = createFollowingSqlCheck(
  {
    renames: [
      { from: table('Orders'), to: table('Sales') },
      { from: { kind: 'viewpoint', viewpoint: 'Status' }, to: { kind: 'viewpoint', viewpoint: 'State' } },
    ],
    columnRenames: [
      { datamodel, table: 'Customers', from: 'Full Name', to: 'Name' },
      { datamodel, table: 'Totals', from: 'Sum', to: 'Total' },
    ],
  },
  {
    items: [
      createTable('Orders', 'Id', 'No'),
      createTable('Customers', 'Full Name', 'Orders', 'Sales'),
      createTable('Staff', 'Full Name', 'Name'),
      createTable('Totals', 'Sum'),
    ],
  },
);

const follows = (before: JsonValue, after: JsonValue, key: ItemKey = sql): boolean =>
  isFollowing({ action: 'update', key, parts: [{ pointer: '', before, after }], isChangedOnServer: false });

test.each([
  ['a table', 'SELECT o.[Id] FROM [Orders] o', 'SELECT o.[Id] FROM [Sales] o'],
  ['a name without quotes', 'SELECT * FROM orders', 'SELECT * FROM Sales'],
  ['a column', 'SELECT [Full Name] FROM Customers', 'SELECT Name FROM Customers'],
  ['a table and a column', 'SELECT [Full Name] -- of\nFROM [Orders]', 'SELECT [Name] -- of\nFROM [Sales]'],
  [
    'a column that keeps its name as an alias',
    'SELECT [Full Name], 1 FROM Customers',
    'SELECT [Name] AS [Full Name], 1 FROM Customers',
  ],
  [
    'a column at the end, with an alias',
    'SELECT 1 FROM c ORDER BY [Full Name]',
    'SELECT 1 FROM c ORDER BY Name AS [Full Name]',
  ],
  [
    'a column of a subquery',
    'SELECT [Full Name] FROM (SELECT [Full Name] FROM Customers) c',
    'SELECT [Name] FROM (SELECT [Name] FROM Customers) c',
  ],
  ['a table before a column', 'SELECT [Orders].[Id] FROM [Orders]', 'SELECT [Sales].[Id] FROM [Sales]'],
  [
    'a column of its own table',
    'SELECT COUNT(*) AS [Sum] FROM Staff',
    'SELECT COUNT(*) AS [Total] FROM Staff',
  ],
  ['a column that had an alias', 'SELECT [Full Name] AS x FROM c', 'SELECT [Name] AS x FROM c'],
])('SQL follows the rename of %s', (_, before, after) => {
  expect(follows(before, after)).toBe(true);
});

test.each([
  ['another name', 'SELECT 1 FROM [Orders]', 'SELECT 1 FROM [Returns]'],
  ['another column, too', 'SELECT [Id] FROM [Orders]', 'SELECT [No] FROM [Sales]'],
  ['a comment, too', 'SELECT 1 FROM [Orders] -- all', 'SELECT 1 FROM [Sales] -- some'],
  ['the layout, too', 'SELECT 1 FROM [Orders]', 'SELECT 1\nFROM [Sales]'],
  ['a condition, too', 'SELECT 1 FROM [Orders]', 'SELECT 1 FROM [Sales] WHERE 1 = 1'],
  ['a removed condition, too', 'SELECT 1 FROM [Orders] WHERE 1 = 1', 'SELECT 1 FROM [Sales]'],
  ['a text with the name', "SELECT 'Orders'", "SELECT 'Sales'"],
  ['the name of a viewpoint', 'SELECT Status FROM c', 'SELECT State FROM c'],
  ['a column with the names of the table', 'SELECT [Orders] FROM Customers', 'SELECT [Sales] FROM Customers'],
  ['the same column of another table', 'SELECT [Full Name] FROM Staff', 'SELECT [Name] FROM Staff'],
  ['another alias', 'SELECT [Full Name] FROM c', 'SELECT [Name] AS [Other] FROM c'],
  ['a second alias', 'SELECT [Full Name] AS x FROM c', 'SELECT [Name] AS [Full Name] AS x FROM c'],
])('SQL with %s does more than follow a rename', (_, before, after) => {
  expect(follows(before, after)).toBe(false);
});

test('only SQL follows renames, and only those in its datamodel', () => {
  const [before, after] = ['SELECT 1 FROM [Orders]', 'SELECT 1 FROM [Sales]'];
  expect(follows(before, after, { ...sql, datamodel: 'Other' })).toBe(false);
  expect(follows(before, after, table('Totals'))).toBe(false);
  const column: ItemKey = { kind: 'columnExpression', datamodel, table: 'Totals', column: 'Sum' };
  expect(follows('[Sum] * 2', '[Total] * 2', column)).toBe(true);
  expect(
    isFollowing({ action: 'create', key: sql, parts: [{ pointer: '', after }], isChangedOnServer: false }),
  ).toBe(false);
});
