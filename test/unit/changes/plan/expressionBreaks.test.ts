import { describe, expect, test } from 'vitest';
import { ModelIndex } from '../../../../src/changes/model/modelIndex.ts';
import { findExpressionBreaks } from '../../../../src/changes/plan/expressionBreaks.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';

/** The columns of a table by their IDs, and the SQL of a custom table. */
interface TestTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, string | { readonly name: string; readonly sql: string }>>;
  readonly sql?: string;
}

type TestModel = Readonly<Record<string, TestTable>>;

function createIndex(tables: TestModel): ModelIndex {
  const toTable = ([oid, { name, columns, sql }]: [string, TestTable]) => ({
    oid,
    name,
    ...(sql === undefined ? {} : { expression: { expression: sql } }),
    columns: Object.entries(columns).map(([columnOid, column]) =>
      typeof column === 'string'
        ? { oid: columnOid, name: column }
        : { oid: columnOid, name: column.name, expression: column.sql },
    ),
  });
  const datasets = [{ oid: 'd', schema: { tables: Object.entries(tables).map(toTable) } }];
  return new ModelIndex(datamodelSchema.parse({ oid: 'm', title: 'Shop', datasets }));
}

const orders: TestTable = { name: 'Orders', columns: { id: 'Id', amount: 'Amount', status: 'Status' } };
const stores: TestTable = { name: 'Stores', columns: { store: 'Store', city: 'City' } };

/** Returns the tables with a custom table `Q`. */
const withQuery = (sql: string, tables: TestModel = { orders, stores }): TestModel => ({
  ...tables,
  q: { name: 'Q', columns: {}, sql },
});

/** Returns a table with one column renamed, or removed if there is no new name. */
function changeColumn(table: TestTable, id: string, name?: string): TestTable {
  const { [id]: _old, ...columns } = table.columns;
  return { ...table, columns: name === undefined ? columns : { ...table.columns, [id]: name } };
}

/** Lists the breaks, equal ones once, as a plan does. */
function listBreaks(before: TestModel, after: TestModel, mustKeepMeaning = false): readonly string[] {
  const breaks = findExpressionBreaks(createIndex(before), createIndex(after), () => mustKeepMeaning).map(
    ({ referrerKind, referrer, names, reason, capturedBy }) =>
      `${referrerKind} ${referrer.name}: ${Object.values(names).join('.')} ${reason}${capturedBy === undefined ? '' : ` by ${capturedBy}`}`,
  );
  return [...new Set(breaks)].toSorted();
}

describe('SQL that the change leaves as it is', () => {
  test.each<[string, string, TestModel, readonly string[]]>([
    [
      'a deleted column',
      'SELECT Amount, Id FROM Orders',
      { orders: changeColumn(orders, 'amount'), stores },
      ['tableExpression Q: Orders.Amount missing'],
    ],
    [
      'a renamed column',
      'SELECT Amount, Id FROM Orders',
      { orders: changeColumn(orders, 'amount', 'Total'), stores },
      ['tableExpression Q: Orders.Amount missing'],
    ],
    [
      'a renamed table whose column it names',
      'SELECT Amount FROM Orders',
      { orders: { ...orders, name: 'Sales' }, stores },
      ['tableExpression Q: Orders missing', 'tableExpression Q: Orders.Amount missing'],
    ],
    [
      'a deleted table: its columns are not listed one by one',
      'SELECT Amount, Id FROM Orders',
      { stores },
      ['tableExpression Q: Orders missing'],
    ],
    [
      'a new column with the same name in a joined table',
      'SELECT Amount FROM Orders, Stores',
      { orders, stores: changeColumn(stores, 'new', 'Amount') },
      ['tableExpression Q: Orders.Amount ambiguous'],
    ],
    [
      'a new column of an inner query with the name of an outer one',
      'SELECT 1 AS One FROM Orders WHERE EXISTS (SELECT 1 AS Two FROM Stores WHERE City = Status)',
      { orders, stores: changeColumn(stores, 'new', 'Status') },
      ['tableExpression Q: Orders.Status captured by Stores.Status'],
    ],
    [
      'a column that takes the name of a deleted one',
      'SELECT Amount FROM Orders, Stores',
      { orders: changeColumn(orders, 'amount'), stores: changeColumn(stores, 'city', 'Amount') },
      ['tableExpression Q: Orders.Amount captured by Stores.Amount'],
    ],
    [
      'two tables that exchange their names',
      'SELECT 1 AS One FROM Orders',
      { orders: { ...orders, name: 'Stores' }, stores: { ...stores, name: 'Orders' } },
      ['tableExpression Q: Orders captured by Orders'],
    ],
    [
      'an alias of the query that a new column hides',
      'SELECT Amount AS Total FROM Orders GROUP BY Total',
      { orders: changeColumn(orders, 'new', 'Total'), stores },
      ['tableExpression Q: Orders.Total captured by Orders.Total'],
    ],
    [
      'a new column that a NATURAL JOIN joins',
      'SELECT 1 AS One FROM Orders NATURAL JOIN Stores',
      { orders, stores: changeColumn(stores, 'new', 'Amount') },
      ['tableExpression Q: Stores joined'],
    ],
    [
      'a renamed column that USING names, in both tables',
      'SELECT 1 AS One FROM Orders o JOIN Orders p USING (Id)',
      { orders: changeColumn(orders, 'id', 'Key'), stores },
      ['tableExpression Q: Orders.Id missing'],
    ],
  ])('breaks by %s', (_what, sql, after, expected) => {
    expect(listBreaks(withQuery(sql), withQuery(sql, after))).toEqual(expected);
  });

  test('breaks by a renamed column that USING names, in one of the tables', () => {
    const items: TestTable = { name: 'Items', columns: { item: 'Item', order: 'Id' } };
    const sql = 'SELECT 1 AS One FROM Orders JOIN Items USING (Id)';
    const before = withQuery(sql, { orders, items });
    for (const after of [
      { orders: changeColumn(orders, 'id', 'Key'), items },
      { orders, items: changeColumn(items, 'order', 'Order') },
    ]) {
      expect(listBreaks(before, withQuery(sql, after))).toEqual(['tableExpression Q: Id joined']);
    }
  });

  test('breaks in a custom column, too', () => {
    const withColumn = (columns: TestTable['columns']): TestModel => ({
      orders: { name: 'Orders', columns: { ...columns, tax: { name: 'Tax', sql: '[Amount] * 0.2' } } },
    });
    expect(listBreaks(withColumn({ a: 'Amount' }), withColumn({ a: 'Total' }))).toEqual([
      'columnExpression Tax: Orders.Amount missing',
    ]);
    expect(listBreaks(withColumn({ a: 'Amount' }), withColumn({ a: 'Total', b: 'Amount' }))).toEqual([
      'columnExpression Tax: Orders.Amount captured by Orders.Amount',
    ]);
  });

  test.each<[string, string, TestModel]>([
    [
      'columns in another order',
      'SELECT Amount, Id FROM Orders',
      { stores, orders: { ...orders, columns: { status: 'Status', amount: 'Amount', id: 'Id' } } },
    ],
    [
      'another column with a new name',
      'SELECT Amount FROM Orders',
      { orders: changeColumn(orders, 'status', 'State'), stores },
    ],
    [
      'a name that was unknown before, and is found now',
      'SELECT Nope FROM Orders',
      { orders: changeColumn(orders, 'new', 'Nope'), stores },
    ],
    [
      'a name that is unknown before and after',
      'SELECT Nope, Amount FROM Orders',
      { orders, stores: changeColumn(stores, 'city') },
    ],
    [
      'an alias of the query',
      'SELECT o.Id AS Amount FROM Orders o ORDER BY Amount',
      { orders: changeColumn(orders, 'amount'), stores },
    ],
  ])('does not break by %s', (_what, sql, after) => {
    expect(listBreaks(withQuery(sql), withQuery(sql, after))).toEqual([]);
  });

  test('does not include the SQL of a new table or column', () => {
    expect(listBreaks({ orders }, withQuery('SELECT Nope FROM Nowhere', { orders }))).toEqual([]);
    const tax = { name: 'Tax', sql: '[Nope] * 2' };
    expect(listBreaks({ orders }, { orders: { ...orders, columns: { ...orders.columns, tax } } })).toEqual(
      [],
    );
  });
});

describe('SQL that changes with the names in it', () => {
  const before = withQuery('SELECT Amount, Status FROM Orders o, Stores s');

  test.each<[string, string, readonly string[]]>([
    ['renamed', 'SELECT Total, Status FROM Orders o, Stores s', []],
    ['qualified', 'SELECT o.Total, o.Status FROM Orders o, Stores s', []],
    [
      'another column',
      'SELECT Id, Status FROM Orders o, Stores s',
      ['tableExpression Q: Orders.Amount captured by Orders.Id'],
    ],
    [
      'a column of another table',
      'SELECT City, Status FROM Orders o, Stores s',
      ['tableExpression Q: Orders.Amount captured by Stores.City'],
    ],
    [
      'an unknown column',
      'SELECT Nope, Status FROM Orders o, Stores s',
      ['tableExpression Q: Orders.Amount missing'],
    ],
    [
      'a second name for a source',
      'SELECT Total, Status FROM Orders o, Stores o',
      ['tableExpression Q: o duplicate'],
    ],
    [
      'SQL that cannot be read',
      'SELECT Total, Status FROM Orders o, Stores s WHERE (',
      ['tableExpression Q:  unreadable'],
    ],
  ])('must keep its meaning: %s', (_what, sql, expected) => {
    const after = withQuery(sql, { orders: changeColumn(orders, 'amount', 'Total'), stores });
    expect(listBreaks(before, after, true)).toEqual(expected);
  });
});

describe('SQL that the user has edited breaks only where it names what is lost', () => {
  const edited = 'SELECT Amount, City, o.Id FROM Orders o, Stores WHERE Status > 1';

  test.each<[string, TestModel, readonly string[]]>([
    ['nothing', { orders, stores }, []],
    [
      'a column that it names',
      { orders: changeColumn(orders, 'amount'), stores },
      ['tableExpression Q: Orders.Amount missing'],
    ],
    ['a table that it names', { orders }, ['tableExpression Q: Stores missing']],
    [
      'the uniqueness of a name',
      { orders, stores: changeColumn(stores, 'new', 'Status') },
      ['tableExpression Q: Orders.Status ambiguous'],
    ],
    ['a column that it does not name', { orders, stores: changeColumn(stores, 'store') }, []],
  ])('%s is lost', (_what, after, expected) => {
    expect(listBreaks(withQuery('SELECT 1 AS One FROM Orders'), withQuery(edited, after))).toEqual(expected);
  });

  test('a name that was ambiguous before is not a break', () => {
    const ambiguousModel = { orders, stores: changeColumn(stores, 'new', 'Status') };
    expect(
      listBreaks(
        withQuery('SELECT 1 AS One FROM Orders', ambiguousModel),
        withQuery('SELECT Status FROM Orders, Stores', ambiguousModel),
      ),
    ).toEqual([]);
  });
});
