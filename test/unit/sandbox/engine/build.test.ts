import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import vendorColumn from '../../../fixtures/recorded/column-custom-patch-item.json' with { type: 'json' };
import {
  createBaseTable,
  createCustomTable,
  dateType,
  doubleType,
  EngineFolder,
  integerType,
  createModel,
  createRelation,
  textType,
  timestampType,
} from './models.ts';

const orders = createBaseTable('Orders', [
  { name: 'Order Id', type: integerType },
  { name: 'Customer', type: integerType },
  { name: 'Amount', type: doubleType },
  { name: 'Placed', type: timestampType },
]);

const customers = createBaseTable('Customers', [{ name: 'Id', type: integerType }, { name: 'Name' }]);

function createShopFolder(): EngineFolder {
  return new EngineFolder()
    .writeCsv(
      'Orders',
      'Order Id,Customer,Amount,Placed',
      '1,7,10.5,2026-01-01',
      '2,8,20,2026-01-02 13:30:00',
      '3,7,5,2026-01-03',
    )
    .writeCsv('Customers', 'Id,Name', '7,Ada', '8,"Grace, B."');
}

describe('full build', () => {
  it('imports base tables by column type', async () => {
    using folder = createShopFolder();
    expect(await folder.build(createModel([orders, customers]))).toEqual({
      status: 'done',
      columns: {},
      rowCounts: { Orders: 3, Customers: 2 },
    });
    expect(folder.queryRows('SELECT * FROM Orders')).toEqual([
      [1, 7, 10.5, '2026-01-01'],
      [2, 8, 20, '2026-01-02T13:30:00'],
      [3, 7, 5, '2026-01-03'],
    ]);
    expect(folder.queryRows('SELECT Name FROM Customers WHERE Id = 8')).toEqual([['Grace, B.']]);
  });

  it('runs custom tables after the tables they read, and returns their columns', async () => {
    using folder = createShopFolder();
    const second = createCustomTable(
      'A second',
      'SELECT [Name], [Total] FROM [B first] WHERE [Total] > 15.5',
    );
    const first = createCustomTable(
      'B first',
      `WITH t AS (SELECT Customer, SUM(Amount) AS Total, COUNT(*) AS Orders, MAX(Placed) AS Latest FROM Orders GROUP BY Customer)
       SELECT c.Name, c.Id, t.Total, t.Orders, t.Latest FROM t JOIN Customers c ON c.Id = t.Customer`,
    );
    expect(await folder.build(createModel([orders, second, customers, first]))).toMatchObject({
      status: 'done',
      columns: {
        'A second': [
          { name: 'Name', type: textType },
          { name: 'Total', type: doubleType },
        ],
        'B first': [
          { name: 'Name', type: textType },
          { name: 'Id', type: integerType },
          { name: 'Total', type: doubleType },
          { name: 'Orders', type: integerType },
          { name: 'Latest', type: timestampType },
        ],
      },
    });
    expect(folder.queryRows('SELECT * FROM [A second]')).toEqual([['Grace, B.', 20]]);
  });

  it.each([
    ['has no rows in a sample', 'full', { rowLimit: 1 }],
    ['is not computed by a publish', 'publish', {}],
  ] as const)(
    'keeps the known type of a column without values: the column %s',
    async (_reason, type, options) => {
      using folder = createShopFolder();
      const columns = [
        { name: 'Doubled', type: doubleType },
        { name: 'Day', type: dateType },
        { name: 'Label', type: integerType },
      ];
      const sql =
        "SELECT Amount * 2.5 AS Doubled, NULL AS Day, 'x' AS New, Customer AS Label FROM Orders WHERE [Order Id] > 1";
      const outcome = await folder.build(
        createModel([orders, createCustomTable('Last', sql, columns)]),
        type,
        options,
      );
      // A column that comes from another one has the type of that one, and a new one without values is text.
      expect(outcome).toMatchObject({
        status: 'done',
        columns: {
          Last: [
            { name: 'Doubled', type: doubleType },
            { name: 'Day', type: dateType },
            { name: 'New', type: textType },
            { name: 'Label', type: integerType },
          ],
        },
      });
    },
  );

  it('computes chains of custom columns in dependency order', async () => {
    using folder = createShopFolder();
    const chained = createBaseTable('Orders', [
      { name: 'Twice net', type: doubleType, expression: '[Net] * 2' },
      { name: 'Order Id', type: integerType },
      { name: 'Amount', type: doubleType },
      { name: 'Net', type: doubleType, expression: '[Amount] - 1' },
    ]);
    const reader = createCustomTable('Sums', 'SELECT SUM([Twice net]) AS Total FROM Orders', [
      { name: 'Half', type: doubleType, expression: '[Total] / 2' },
    ]);
    expect((await folder.build(createModel([reader, chained]))).status).toBe('done');
    expect(folder.queryRows('SELECT [Twice net] FROM Orders')).toEqual([[19], [38], [8]]);
    expect(folder.queryRows('SELECT * FROM Sums')).toEqual([[65, 32.5]]);
  });

  it("computes a custom column that is a SELECT, as in the vendor's demo", async () => {
    using folder = new EngineFolder().writeCsv(
      'people',
      'first name,last name',
      'Ada,Lovelace',
      'Grace,Hopper',
    );
    const people = createBaseTable('people', [
      { name: 'first name' },
      { name: 'last name' },
      { name: vendorColumn.name, type: vendorColumn.type, expression: vendorColumn.expression },
    ]);
    expect((await folder.build(createModel([people]))).status).toBe('done');
    expect(folder.queryRows('SELECT [full name] FROM people')).toEqual([['Ada Lovelace'], ['Grace Hopper']]);
  });

  it('computes rank functions, lookups into custom tables and the columns of custom tables', async () => {
    using folder = createShopFolder();
    const ranked = createBaseTable('Orders', [
      { name: 'Order Id', type: integerType },
      { name: 'Customer', type: integerType },
      { name: 'Amount', type: doubleType },
      { name: 'Place', type: integerType, expression: 'RANKDESC([Customer], [Amount])' },
      { name: 'Spent', type: doubleType, expression: 'Lookup([totals], [Rounded], [Customer], [customer])' },
    ]);
    const totals = createCustomTable(
      'Totals',
      'SELECT Customer, SUM(Amount) AS Total FROM Orders GROUP BY Customer',
      [{ name: 'Rounded', type: integerType, expression: 'ROUND([Total])' }],
    );
    expect(await folder.build(createModel([ranked, totals]))).toMatchObject({
      status: 'done',
      columns: {
        Totals: [
          { name: 'Customer', type: integerType },
          { name: 'Total', type: doubleType },
        ],
      },
    });
    expect(folder.queryRows('SELECT [Order Id], Place, Spent FROM Orders')).toEqual([
      [1, 1, 16],
      [2, 1, 20],
      [3, 2, 16],
    ]);
  });

  it('infers the types of whole numbers, including the smallest', async () => {
    using folder = new EngineFolder();
    const numbers = createCustomTable(
      'Numbers',
      'SELECT 2147483647 AS Small, 2147483648 AS Large, -9223372036854775807 - 1 AS Smallest',
    );
    expect(await folder.build(createModel([numbers]))).toMatchObject({
      columns: {
        Numbers: [
          { name: 'Small', type: integerType },
          { name: 'Large', type: 0 },
          { name: 'Smallest', type: 0 },
        ],
      },
    });
  });

  it('limits the rows from each source', async () => {
    using folder = createShopFolder();
    const outcome = await folder.build(createModel([orders, customers]), 'full', { rowLimit: 1 });
    expect(outcome).toMatchObject({ rowCounts: { Orders: 1, Customers: 1 } });
  });
});

describe('a failed build', () => {
  const failingModels: readonly (readonly [string, Parameters<typeof createModel>, object])[] = [
    [
      'unknown column',
      [[orders, createCustomTable('Bad', 'SELECT Revenu FROM Orders')]],
      { table: 'Bad', message: 'no such column: Revenu' },
    ],
    [
      'unknown table',
      [[orders, createCustomTable('Bad', 'SELECT 1 FROM Nope')]],
      { table: 'Bad', message: 'no such table: Nope' },
    ],
    [
      'no SQL',
      [[orders, createCustomTable('Bad', ' ')]],
      { table: 'Bad', message: 'the custom table has no expression' },
    ],
    [
      'syntax',
      [[orders, createCustomTable('Bad', 'SELECT FROM Orders')]],
      { table: 'Bad', message: 'near "FROM": syntax error' },
    ],
    [
      'bad custom column',
      [[createBaseTable('Customers', [{ name: 'Id' }, { name: 'X', expression: '[Nam] || 1' }])]],
      { table: 'Customers', message: 'no such column: Nam' },
    ],
    [
      'custom tables in a circle',
      [[createCustomTable('A', 'SELECT * FROM B'), createCustomTable('B', 'SELECT * FROM A')]],
      { table: 'A', message: 'circular dependency: [A] → [B] → [A]' },
    ],
    [
      'custom columns in a circle',
      [
        [
          createBaseTable('Customers', [
            { name: 'Id' },
            { name: 'X', expression: '[Y]' },
            { name: 'Y', expression: '[X]' },
          ]),
        ],
      ],
      {
        table: 'Customers',
        message: 'circular dependency: [Customers].[X] → [Customers].[Y] → [Customers].[X]',
      },
    ],
    [
      'all names of the row ID next to a custom column',
      [
        [
          createCustomTable('Bad', 'SELECT 1 AS rowid, 2 AS _rowid_, 3 AS oid', [
            { name: 'Twice', expression: '2 * [oid]' },
          ]),
        ],
      ],
      {
        table: 'Bad',
        message: "a table with custom columns can't have columns named rowid, _rowid_, or oid",
      },
    ],
    [
      'more than one statement',
      [[orders, createCustomTable('Bad', 'SELECT 1 AS One; DROP TABLE Orders')]],
      { table: 'Bad', message: 'the expression contains more than one statement' },
    ],
    [
      'no SELECT',
      [[orders, createCustomTable('Bad', 'DELETE FROM Orders')]],
      { table: 'Bad', message: 'only a SELECT or a single value is allowed' },
    ],
    [
      'a function that does not exist',
      [[orders, createCustomTable('Bad', 'SELECT NOSUCH(1)')]],
      { table: 'Bad', message: 'no such function: NOSUCH' },
    ],
    [
      'a value that a function refuses',
      [[createBaseTable('Customers', [{ name: 'Name' }, { name: 'Year', expression: 'GETYEAR([Name])' }])]],
      { table: 'Customers', message: 'GETYEAR: "Ada" isn\'t a date' },
    ],
    [
      'two tables of one name',
      [[customers, { ...customers, oid: 'other' }]],
      { table: 'Customers', message: 'table "Customers" already exists' },
    ],
    [
      'two columns of one name',
      [[createBaseTable('Customers', [{ name: 'Id' }, { name: 'id' }])]],
      { table: 'Customers', message: 'duplicate column name: id' },
    ],
    [
      'missing file',
      [[createBaseTable('Nowhere', [{ name: 'Id' }])]],
      { table: 'Nowhere', message: 'no such file: Nowhere.csv' },
    ],
    [
      'missing source column',
      [[createBaseTable('Customers', [{ name: 'Id' }, { name: 'Gone' }])]],
      { table: 'Customers', message: 'no such column: Gone (in Customers.csv)' },
    ],
    [
      'a value of another type',
      [[createBaseTable('Customers', [{ name: 'Name', type: dateType }])]],
      { table: 'Customers', message: 'row 1, column Name: "Ada" isn\'t a date' },
    ],
    [
      'relation to a missing column',
      [[orders, customers], [createRelation('Orders/Customer', 'Customers/Gone')]],
      {
        table: 'Customers',
        message: 'relation of Orders.Customer and Customers.Customers/Gone: no such column: Customers/Gone',
      },
    ],
    [
      'relation to a missing table',
      [[orders], [createRelation('Orders/Customer', 'Gone/Id')]],
      { message: 'relation of Orders.Customer and Gone.Gone/Id: no such table: Gone' },
    ],
    [
      'relation of one column',
      [[orders], [createRelation('Orders/Customer')]],
      { message: 'relation of Orders.Customer: fewer than 2 columns' },
    ],
    [
      'relation to a column that the expression no longer yields',
      [
        [orders, createCustomTable('Bad', 'SELECT Customer AS Other FROM Orders', [{ name: 'Customer' }])],
        [createRelation('Orders/Customer', 'Bad/Customer')],
      ],
      { table: 'Bad', message: 'relation: no such column: Customer' },
    ],
  ];

  it('names the missing column or table of a relation as it was called in the last build', async () => {
    using folder = createShopFolder();
    const before = createModel([orders, customers], [createRelation('Orders/Customer', 'Customers/Name')]);
    const createModelWithRelation = (tables: readonly JsonObject[]): JsonObject =>
      createModel(tables, [createRelation('Orders/Customer', 'Customers/Name')]);
    const withoutName = createBaseTable('Customers', [{ name: 'Id' }]);
    expect(
      await folder.build(createModelWithRelation([orders, withoutName]), 'full', { previous: before }),
    ).toEqual({
      status: 'failed',
      table: 'Customers',
      message: 'relation of Orders.Customer and Customers.Name: no such column: Name',
    });
    expect(await folder.build(createModelWithRelation([orders]), 'full', { previous: before })).toEqual({
      status: 'failed',
      message: 'relation of Orders.Customer and Customers.Name: no such table: Customers',
    });
  });

  it.each(failingModels)(
    'reports the problem and keeps the former data: %s',
    async (_name, args, expected) => {
      using folder = createShopFolder();
      expect(await folder.build(createModel([orders]))).toMatchObject({ status: 'done' });
      expect(await folder.build(createModel(...args))).toEqual({ status: 'failed', ...expected });
      expect(folder.queryRows('SELECT count(*) FROM Orders')).toEqual([[3]]);
      expect(readdirSync(join(folder.path, 'cubes'))).toEqual(['model.sqlite']);
    },
  );

  it('reports the errors in a document that is not a model', async () => {
    using folder = createShopFolder();
    expect(await folder.build({ oid: 'model', title: 7 })).toMatchObject({ status: 'failed' });
  });
});

describe('publish', () => {
  it('checks a live model and writes no data', async () => {
    using folder = new EngineFolder();
    const table = createCustomTable('Big', 'SELECT Name FROM Customers');
    const live = createModel([customers, table], [], 'live');
    expect(await folder.build(live, 'publish')).toMatchObject({
      status: 'done',
      columns: { Big: [{ name: 'Name', type: textType }] },
    });
    const brokenModel = createModel(
      [customers, createCustomTable('Big', 'SELECT Nam FROM Customers')],
      [],
      'live',
    );
    expect(await folder.build(brokenModel, 'publish')).toMatchObject({ status: 'failed', table: 'Big' });
    expect(existsSync(join(folder.path, 'cubes', 'model.sqlite'))).toBe(false);
  });
});
