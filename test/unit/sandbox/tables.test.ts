import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Statement } from '../../../src/sandbox/store/database.ts';
import { createColumn, createRetail, createSandbox } from './support.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('POST /tables', () => {
  test.each([
    ['id is required on creation of a base table', { columns: [createColumn('a')] }, 'id'],
    ['columns are present for base tables', { id: 'orders.csv' }, 'columns'],
    ['a column of a base table has a type', { id: 'orders.csv', columns: [{ id: 'a' }] }, 'columns/0/type'],
    [
      'a column type is an integer code',
      { id: 'orders.csv', columns: [{ id: 'a', type: 1.5 }] },
      'columns/0/type',
    ],
    [
      'a column type is a number',
      { id: 'orders.csv', columns: [{ id: 'a', type: 'int' }] },
      'columns/0/type',
    ],
    ['a column has an id', { id: 'orders.csv', columns: [{ type: 8 }] }, 'columns/0/id'],
    ['columns is an array', { id: 'orders.csv', columns: {} }, 'columns'],
    ['hidden is a boolean', { id: 'orders.csv', columns: [], hidden: 'yes' }, 'hidden'],
    ['type is base or custom', { id: 'orders.csv', columns: [], type: 'view' }, 'type'],
    ['a custom table lives in a custom dataset', { id: 'x', type: 'custom', expression: 'SELECT 1' }, 'type'],
    ['the id equals the name of a file for a file connector', { id: 'other.csv', columns: [] }, 'id'],
    [
      'a custom column has an expression',
      { id: 'orders.csv', columns: [{ id: 'c', isCustom: true }] },
      'columns/0/expression',
    ],
    ['configOptions is an object', { id: 'orders.csv', columns: [], configOptions: 'x' }, 'configOptions'],
  ])('%s (rest-api.md, "Table" and "Column")', async (_rule, body, field) => {
    const sandbox = createSandbox();
    const { datasetPath } = await createRetail(sandbox);
    const reply = await sandbox.send('POST', `${datasetPath}/tables`, body);
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain(`${field}:`);
  });

  test('name defaults to id, type to base (rest-api.md, "Table")', async () => {
    const sandbox = createSandbox();
    const { datasetPath } = await createRetail(sandbox);
    const { body } = await sandbox.send('POST', `${datasetPath}/tables`, {
      id: 'orders.csv',
      columns: [createColumn('a')],
    });
    expect(body).toMatchObject({
      id: 'orders.csv',
      name: 'orders.csv',
      type: 'base',
      hidden: false,
      expression: null,
      columns: [{ id: 'a', name: 'a', type: 18, hidden: false, isCustom: null }],
    });
    expect(body.vTag).toMatch(uuid);
  });

  test('buildBehavior applies to extract tables only (rest-api.md, "Table")', async () => {
    const sandbox = createSandbox();
    const { orders, create } = await createRetail(sandbox);
    expect(orders.buildBehavior).toEqual({ type: 'sync', accumulativeConfig: null });
    const { oid } = await create('/api/v2/datamodels', { title: 'L', type: 'live' });
    const connection = { provider: 'sql', parameters: {} };
    const dataset = await create(`/api/v2/datamodels/${oid}/datasets`, {
      name: 'D',
      type: 'live',
      connection,
    });
    const path = `/api/v2/datamodels/${oid}/datasets/${dataset.oid}/tables`;
    expect((await create(path, { id: 't', columns: [createColumn('a')] })).buildBehavior).toBeNull();
  });

  test('a file connector without a list of files accepts any id; so does another provider', async () => {
    const sandbox = createSandbox();
    const { path, create } = await createRetail(sandbox);
    for (const [name, connection] of [
      ['A', { provider: 'CSV', parameters: {} }],
      ['B', { provider: 'sql', parameters: { files: ['x'] } }],
      ['C', { provider: 'CSV', parameters: { files: [{ path: 'deep/down/t.csv' }] } }],
    ] as const) {
      const dataset = await create(`${path}/datasets`, { name, type: 'extract', connection });
      const reply = await sandbox.send('POST', `${path}/datasets/${dataset.oid}/tables`, {
        id: 't.csv',
        columns: [],
      });
      expect(reply.status).toBe(201);
    }
  });

  test('a custom table needs an expression, as text or as an object; GET returns {oid, expression} (platform-facts.md, 2.2)', async () => {
    const sandbox = createSandbox();
    const { customPath } = await createRetail(sandbox);
    const post = async (body: unknown) => await sandbox.send('POST', `${customPath}/tables`, body);
    const text = await post({ name: 'A', type: 'custom', expression: 'SELECT 1 AS x' });
    expect(text.body).toMatchObject({
      type: 'custom',
      columns: [],
      expression: { expression: 'SELECT 1 AS x' },
    });
    expect(text.body.expression.oid).toMatch(uuid);
    const object = await post({
      name: 'B',
      type: 'custom',
      expression: { expression: 'SELECT 2' },
      columns: [],
    });
    expect(object.body.expression.expression).toBe('SELECT 2');
    expect((await post({ name: 'C', type: 'custom' })).status).toBe(400);
    expect((await post({ name: 'C', type: 'custom', expression: '  ' })).status).toBe(400);
    expect((await post({ type: 'custom', expression: 'SELECT 1' })).status).toBe(400);
    expect(
      (await post({ name: 'C', type: 'custom', expression: 'SELECT 1', columns: [createColumn('x')] }))
        .status,
    ).toBe(400);
    expect((await post({ id: 'orders.csv', columns: [] })).status).toBe(400);
  });

  test('table expressions are accepted unchecked (decisions.md, "Sandbox")', async () => {
    const sandbox = createSandbox();
    const { customPath } = await createRetail(sandbox);
    const body = { name: 'Bad', type: 'custom', expression: 'SELEKT nothing' };
    expect((await sandbox.send('POST', `${customPath}/tables`, body)).status).toBe(201);
  });

  test('fields that the guide does not show are kept to the digit (rest-api.md, "What is not described")', async () => {
    const sandbox = createSandbox();
    const { datasetPath } = await createRetail(sandbox);
    const sent =
      '{"id":"orders.csv","columns":[{"id":"a","type":8,"size":1.0,"precision":12345678901234567890,"odd":{"x":[null,1e400]}}],"further":-0}';
    const reply = await sandbox.send('POST', `${datasetPath}/tables`, sent);
    for (const part of [
      '"size":1.0',
      '"precision":12345678901234567890',
      '"x":[null,1e400]',
      '"further":-0',
    ]) {
      expect(reply.text).toContain(part);
      expect((await sandbox.send('GET', `${datasetPath}/tables/${reply.body.oid}`)).text).toContain(part);
      expect((await sandbox.send('GET', datasetPath)).text).toContain(part);
    }
  });
});

describe('PATCH /tables', () => {
  test('a property that does not belong to a Table is an error (rest-api.md, "Errors" 1)', async () => {
    const sandbox = createSandbox();
    const { datasetPath, orders } = await createRetail(sandbox);
    const reply = await sandbox.send('PATCH', `${datasetPath}/tables/${orders.oid}`, {
      name: 'X',
      color: 'red',
    });
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain('color');
    expect((await sandbox.send('GET', `${datasetPath}/tables/${orders.oid}`)).body.name).toBe('Orders');
  });

  test('at least one Table property must be present; read-only ones are ignored (rest-api.md, "Datamodel API" 1)', async () => {
    const sandbox = createSandbox();
    const { datasetPath, orders } = await createRetail(sandbox);
    const path = `${datasetPath}/tables/${orders.oid}`;
    expect((await sandbox.send('PATCH', path, {})).status).toBe(400);
    expect(
      (await sandbox.send('PATCH', path, { vTag: 'x', oid: 'y', createdAt: 'z', lastUpdated: 'w' })).status,
    ).toBe(400);
    const reply = await sandbox.send('PATCH', path, { oid: 'mine', vTag: 'mine', description: 'All orders' });
    expect(reply.body).toMatchObject({ oid: orders.oid, name: 'Orders', description: 'All orders' });
    expect(reply.body.vTag).not.toBe('mine');
    expect(reply.body.vTag).not.toBe(orders.vTag);
  });

  test('the columns array replaces the stored one (rest-api.md, "Datamodel API" 2)', async () => {
    const sandbox = createSandbox();
    const { datasetPath, orders } = await createRetail(sandbox);
    const path = `${datasetPath}/tables/${orders.oid}`;
    const [id, customer] = orders.columns;
    const reply = await sandbox.send('PATCH', path, {
      columns: [{ oid: customer.oid, hidden: true }, createColumn('Added'), id],
    });
    expect(reply.status).toBe(200);
    const { columns } = reply.body;
    expect(columns.map((c: { id: string }) => c.id)).toEqual(['Customer', 'Added', 'Id']);
    // A partially sent column keeps its other properties.
    expect(columns[0]).toMatchObject({ oid: customer.oid, hidden: true, type: 8, indexed: true });
    expect(columns[2].oid).toBe(id.oid);
    expect(columns[1].oid).toMatch(uuid);
    expect([id.oid, customer.oid]).not.toContain(columns[1].oid);
  });

  test('an unknown or duplicate column oid is rejected', async () => {
    const sandbox = createSandbox();
    const { datasetPath, orders } = await createRetail(sandbox);
    const path = `${datasetPath}/tables/${orders.oid}`;
    const [id] = orders.columns;
    expect((await sandbox.send('PATCH', path, { columns: [{ ...id, oid: 'strange' }] })).status).toBe(400);
    expect((await sandbox.send('PATCH', path, { columns: [id, id] })).status).toBe(400);
    expect((await sandbox.send('GET', path)).body.columns).toHaveLength(3);
  });

  test.each([
    ['columns', { columns: null }],
    ['columns/0', { columns: ['x'] }],
    ['columns/0/type', { columns: [{ id: 'new' }] }],
    ['name', { name: null }],
    ['name', { name: '' }],
    ['id', { id: null }],
    ['id', { id: 'other.csv' }],
    ['type', { type: 'custom' }],
    ['hidden', { hidden: 1 }],
    ['buildBehavior', { buildBehavior: { type: 5 } }],
  ])('an invalid %s is rejected: %j', async (field, body) => {
    const sandbox = createSandbox();
    const { datasetPath, orders } = await createRetail(sandbox);
    const reply = await sandbox.send('PATCH', `${datasetPath}/tables/${orders.oid}`, body);
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain(field);
  });

  test('a rename keeps the oid and leaves SQL expressions alone (rest-api.md, "Datamodel API" 5)', async () => {
    const sandbox = createSandbox();
    const { datasetPath, customPath, orders, create } = await createRetail(sandbox);
    const sql = 'SELECT [Total] FROM [Orders]';
    const view = await create(`${customPath}/tables`, { name: 'V', type: 'custom', expression: sql });
    const renamed = await sandbox.send('PATCH', `${datasetPath}/tables/${orders.oid}`, { name: 'Sales' });
    expect(renamed.body).toMatchObject({ oid: orders.oid, id: 'orders.csv', name: 'Sales' });
    expect((await sandbox.send('GET', `${customPath}/tables/${view.oid}`)).body.expression.expression).toBe(
      sql,
    );
  });

  test('the expression of a custom table keeps its oid and cannot be emptied', async () => {
    const sandbox = createSandbox();
    const { customPath, create } = await createRetail(sandbox);
    const view = await create(`${customPath}/tables`, { name: 'V', type: 'custom', expression: 'SELECT 1' });
    const path = `${customPath}/tables/${view.oid}`;
    const changed = await sandbox.send('PATCH', path, { expression: 'SELECT 2' });
    expect(changed.body.expression).toEqual({ oid: view.expression.oid, expression: 'SELECT 2' });
    expect((await sandbox.send('PATCH', path, { expression: null })).status).toBe(400);
    expect((await sandbox.send('PATCH', path, { expression: '' })).status).toBe(400);
  });

  test('accumulative buildBehavior and connector settings are stored as sent (rest-api.md, "Table")', async () => {
    const sandbox = createSandbox();
    const { datasetPath, orders } = await createRetail(sandbox);
    const change = {
      buildBehavior: {
        type: 'accumulativeSync',
        accumulativeConfig: {
          column: orders.columns[0].oid,
          type: 'lastStored',
          lastDays: null,
          keepOnlyDays: null,
        },
      },
      configOptions: { delimiter: ';' },
      hidden: true,
      tags: ['a'],
    };
    const reply = await sandbox.send('PATCH', `${datasetPath}/tables/${orders.oid}`, change);
    expect(reply.body).toMatchObject(change);
  });
});

test('GET of a table runs one SQL statement', async () => {
  const sandbox = createSandbox();
  const { orders, datasetPath } = await createRetail(sandbox);
  const statementSpies = (
    ['run', 'getRow', 'getRows', 'getRowsWithParameters', 'getDocument', 'getDocuments'] as const
  ).map((name) => vi.spyOn(Statement.prototype, name));
  onTestFinished(() => void vi.restoreAllMocks());
  expect((await sandbox.send('GET', `${datasetPath}/tables/${orders.oid}`)).body).toEqual(orders);
  expect(statementSpies.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
});

test('DELETE deletes the table; a relation to it stays and shows the loss (rest-api.md, "Datamodel API" 4)', async () => {
  const sandbox = createSandbox();
  const { path, datasetPath, customers, ends, create } = await createRetail(sandbox);
  const relation = await create(`${path}/relations`, { columns: ends });
  expect((await sandbox.send('DELETE', `${datasetPath}/tables/${customers.oid}`)).status).toBe(200);
  expect((await sandbox.send('GET', `${datasetPath}/tables`)).body).toHaveLength(1);
  const { body } = await sandbox.send('GET', `${path}/relations/${relation.oid}`);
  expect(body.columns).toMatchObject([{ isDropped: null }, { isDropped: true }]);
});

test('unknown oids on the way to a table are 404 (platform-facts.md, 2.7)', async () => {
  const sandbox = createSandbox();
  const { path, datasetPath, customPath, orders } = await createRetail(sandbox);
  for (const unknown of [
    `${datasetPath}/tables/nothing`,
    `${path}/datasets/nothing/tables`,
    `${path}/datasets/nothing/tables/${orders.oid}`,
    `${datasetPath}/tables/${orders.oid}`.replace(path, '/api/v2/datamodels/nothing'),
    `${customPath}/tables/${orders.oid}`,
  ]) {
    const reply = await sandbox.send('GET', unknown);
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ title: 'NotFound', status: 404 });
  }
  expect((await sandbox.send('PATCH', `${datasetPath}/tables/nothing`, { name: 'x' })).status).toBe(404);
  expect((await sandbox.send('DELETE', `${datasetPath}/tables/nothing`)).status).toBe(404);
  expect((await sandbox.send('POST', `${path}/datasets/nothing/tables`, {})).status).toBe(404);
});
