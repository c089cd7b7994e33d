import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRetail, createSandbox } from './support.ts';

const path = '/sandbox/check';

async function createRetailSandbox() {
  const sandbox = createSandbox();
  const fixture = await createRetail(sandbox);
  const createTable = (name: string, expression: string) =>
    fixture.create(`${fixture.customPath}/tables`, { name, type: 'custom', expression });
  const check = async (sql: string, columnTable?: string) =>
    (await sandbox.send('POST', path, { datamodel: fixture.model.oid, sql, columnOf: columnTable })).body;
  return { ...sandbox, ...fixture, createTable, check };
}

test('the engine accepts the dialect and returns the columns', async () => {
  const { check } = await createRetailSandbox();
  expect(
    await check(
      'SELECT o.[Id], c.Name + \'!\' AS "Loud" FROM Orders o JOIN `Customers` c ON c.Id = o.Customer;',
    ),
  ).toEqual({ ok: true, columns: ['Id', 'Loud'] });
  expect(await check('WITH a AS (SELECT 1 AS x) SELECT * FROM a UNION SELECT 2 ORDER BY 1 -- end')).toEqual({
    ok: true,
    columns: ['x'],
  });
});

test.each([
  ['SELECT Nope FROM Orders', 'no such column: Nope'],
  ['SELECT * FROM Nope', 'no such table: Nope'],
  ['SELECT FROM Orders', 'near "FROM": syntax error'],
  ['SELECT Id FROM Orders, Customers', 'ambiguous column name: Id'],
  ['SELECT 1; DROP TABLE Orders', 'the expression contains more than one statement'],
  ['SELECT 1) ; DELETE FROM Orders; SELECT (1', 'near ")": syntax error'],
  ['DELETE FROM Orders', 'only a SELECT or a single value is allowed'],
  ['PRAGMA database_list', 'only a SELECT or a single value is allowed'],
  ["ATTACH 'x.sqlite' AS x", 'only a SELECT or a single value is allowed'],
  [' ', 'the expression is empty'],
])('the SQL %j fails with the message %j', async (sql, message) => {
  const { check } = await createRetailSandbox();
  expect(await check(sql)).toEqual({ ok: false, message });
});

test('a column expression sees its own table, and others only through Lookup', async () => {
  const { check } = await createRetailSandbox();
  expect(await check('[Total] * 2 + Lookup([Customers], [Id], [Customer], [Id])', 'Orders')).toEqual({
    ok: true,
    columns: [],
  });
  expect(await check('[Name]', 'Orders')).toEqual({ ok: false, message: 'no such column: Name' });
});

test("a column may be a SELECT of one value, as in the vendor's demo, but without a FROM clause", async () => {
  const { check } = await createRetailSandbox();
  expect(await check("select [Total] + ' ' + [Id]", 'Orders')).toEqual({ ok: true, columns: [] });
  expect(await check('SELECT MAX([Total]) FROM [Orders]', 'Orders')).toEqual({
    ok: false,
    message: "a column expression can't have a FROM clause",
  });
  expect(await check('SELECT [Total], [Id]', 'Orders')).toMatchObject({ ok: false });
});

test('custom tables exist before any build, and an error names the broken one', async () => {
  const { check, createTable } = await createRetailSandbox();
  await createTable('Last', 'SELECT x + 1 AS y FROM Middle');
  await createTable('Middle', 'SELECT Total AS x FROM Orders');
  await createTable('Broken', 'SELECT Nope FROM Orders');
  await createTable('Unreadable', 'SELECT FROM');
  await createTable('Round', 'SELECT * FROM Round');
  expect(await check('SELECT y FROM Last')).toEqual({ ok: true, columns: ['y'] });
  expect(await check('SELECT * FROM Broken')).toEqual({
    ok: false,
    message: 'no such column: Nope',
    table: 'Broken',
  });
  expect(await check('SELECT * FROM unreadable')).toMatchObject({ ok: false, table: 'Unreadable' });
  expect(await check('SELECT * FROM Round')).toMatchObject({
    ok: false,
    message: expect.stringMatching(/circular/),
  });
});

test("a stored text that closes the engine's own statement and attaches a file writes nothing", async () => {
  const { check, createTable } = await createRetailSandbox();
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-check-'));
  try {
    const file = join(folder, 'written.sqlite');
    await createTable(
      'Harmless',
      `SELECT 1 AS a) AS "dm$own"; ATTACH '${file}' AS x; CREATE TABLE x.t (a); CREATE VIEW v AS SELECT * FROM (SELECT 1 AS a`,
    );
    expect(await check('SELECT 1 AS one')).toEqual({ ok: true, columns: ['one'] });
    expect(await check('SELECT * FROM Harmless')).toMatchObject({ ok: false, table: 'Harmless' });
    expect(existsSync(file)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  'SELECT * FROM sqlite_master',
  'SELECT * FROM main.sqlite_schema',
  "SELECT * FROM pragma_table_info('Orders')",
  'SELECT * FROM pragma_database_list',
  'SELECT * FROM dbstat',
  "SELECT * FROM json_each('[1]')",
])('%s is rejected: it does not read a table of the datamodel', async (sql) => {
  const { check } = await createRetailSandbox();
  expect(await check(sql)).toEqual({
    ok: false,
    message: expect.stringMatching(/isn't a table of the datamodel|no such table/),
  });
});

test.each([
  ["'x'), [Id] = ('overwritten'", /one value/],
  ['1), (2', /one value|syntax error/],
  ['1) FROM Customers /*', /own table.*Customers/],
  ['1) FROM Customers; --', /own table.*Customers/],
  ['(SELECT MAX([Name]) FROM Customers)', /own table.*Customers/],
  ['(SELECT COUNT(*) FROM Customers)', /own table.*Customers/],
  ['(SELECT MAX(type) FROM sqlite_master)', /isn't a table of the datamodel/],
  ['MAX([Total])', /misuse of aggregate/],
])('a column expression is refused unless it is one value from its own table: %s', async (sql, message) => {
  const { check } = await createRetailSandbox();
  expect(await check(sql, 'Orders')).toEqual({ ok: false, message: expect.stringMatching(message) });
});

test('a column may query its own table, and compute over its rows', async () => {
  const { check } = await createRetailSandbox();
  for (const sql of ['[Total] / (SELECT SUM(Total) FROM Orders)', 'RANKASC([Customer], [Total])']) {
    expect(await check(sql, 'Orders')).toEqual({ ok: true, columns: [] });
  }
});

test('a query that would never end is checked without running it', async () => {
  const { check } = await createRetailSandbox();
  const endless =
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT (SELECT COUNT(*) FROM n) AS c';
  expect(await check(endless)).toEqual({ ok: true, columns: ['c'] });
});

test('the check is for administrators only, and requires a valid body and an existing datamodel', async () => {
  const { send, model } = await createRetailSandbox();
  const body = { datamodel: model.oid, sql: 'SELECT 1' };
  expect((await send('POST', path, body, { as: 'user' })).status).toBe(403);
  expect((await send('POST', path, body, { as: 'nobody' })).status).toBe(401);
  expect((await send('POST', path, body, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  expect((await send('POST', path, { sql: 'SELECT 1' })).status).toBe(400);
  expect((await send('POST', path, { ...body, more: 1 })).status).toBe(400);
  expect((await send('POST', path, { ...body, datamodel: 'gone' })).status).toBe(404);
});
