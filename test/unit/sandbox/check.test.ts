import { expect, test } from 'vitest';
import { createRetail, createSandbox } from './support.ts';

const path = '/sandbox/check';

async function retail() {
  const sandbox = createSandbox();
  const made = await createRetail(sandbox);
  const table = (name: string, expression: string) =>
    made.made(`${made.customPath}/tables`, { name, type: 'custom', expression });
  const check = async (sql: string, columnOf?: string) =>
    (await sandbox.send('POST', path, { datamodel: made.model.oid, sql, columnOf })).body;
  return { ...sandbox, ...made, table, check };
}

test('the engine accepts the dialect and tells the columns', async () => {
  const { check } = await retail();
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
  ['SELECT 1; DROP TABLE Orders', 'the expression holds more than one statement'],
  ['SELECT 1) ; DELETE FROM Orders; SELECT (1', 'near ")": syntax error'],
  ['DELETE FROM Orders', 'near "DELETE": syntax error'],
  ['PRAGMA database_list', 'no such table: PRAGMA'],
  ["ATTACH 'x.sqlite' AS x", 'near "AS": syntax error'],
  [' ', 'the expression is empty'],
])('%s: %s', async (sql, message) => {
  const { check } = await retail();
  expect(await check(sql)).toEqual({ ok: false, message });
});

test('a column sees its table and no other', async () => {
  const { check } = await retail();
  expect(await check('[Total] * 2 + Lookup([Customers], [Id], [Customer], [Id])', 'Orders')).toEqual({
    ok: true,
    columns: [],
  });
  expect(await check('[Name]', 'Orders')).toEqual({ ok: false, message: 'no such column: Name' });
});

test("a column may be written with a SELECT of its own, as the vendor's demo does, and without FROM", async () => {
  const { check } = await retail();
  expect(await check("select [Total] + ' ' + [Id]", 'Orders')).toEqual({ ok: true, columns: [] });
  expect(await check('SELECT MAX([Total]) FROM [Orders]', 'Orders')).toEqual({
    ok: false,
    message: 'a column expression has no FROM clause',
  });
  expect(await check('SELECT [Total], [Id]', 'Orders')).toMatchObject({ ok: false });
});

test('custom tables are there before any build, and the one that is broken is blamed', async () => {
  const { check, table } = await retail();
  await table('Last', 'SELECT x + 1 AS y FROM Middle');
  await table('Middle', 'SELECT Total AS x FROM Orders');
  await table('Broken', 'SELECT Nope FROM Orders');
  await table('Unreadable', 'SELECT FROM');
  await table('Round', 'SELECT * FROM Round');
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

test('a query that would never end is not begun', async () => {
  const { check } = await retail();
  const endless =
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT (SELECT COUNT(*) FROM n) AS c';
  expect(await check(endless)).toEqual({ ok: true, columns: ['c'] });
});

test('it is for the administrator alone, needs a body of its shape and a datamodel that is there', async () => {
  const { send, model } = await retail();
  const body = { datamodel: model.oid, sql: 'SELECT 1' };
  expect((await send('POST', path, body, { as: 'user' })).status).toBe(403);
  expect((await send('POST', path, body, { as: 'nobody' })).status).toBe(401);
  expect((await send('POST', path, body, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  expect((await send('POST', path, { sql: 'SELECT 1' })).status).toBe(400);
  expect((await send('POST', path, { ...body, more: 1 })).status).toBe(400);
  expect((await send('POST', path, { ...body, datamodel: 'gone' })).status).toBe(404);
});
