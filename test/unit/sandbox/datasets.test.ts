import { describe, expect, test } from 'vitest';
import { createRetail, createSandbox, createCsvConnection } from './support.ts';

const modelsPath = '/api/v2/datamodels';
const connection = createCsvConnection('a.csv');

describe('POST /datasets', () => {
  test.each([
    ['extract', 'extract', 201],
    ['extract', 'custom', 201],
    ['extract', 'live', 400],
    ['live', 'live', 201],
    ['live', 'custom', 201],
    ['live', 'extract', 400],
  ])(
    'in a %s datamodel a dataset of type %s returns %i (rest-api.md, "Dataset")',
    async (modelType, type, status) => {
      const { send } = createSandbox();
      const { oid } = (await send('POST', modelsPath, { title: 'M', type: modelType })).body;
      const body = type === 'custom' ? { name: 'D', type } : { name: 'D', type, connection };
      expect((await send('POST', `${modelsPath}/${oid}/datasets`, body)).status).toBe(status);
    },
  );

  test('connection is omitted for the custom type, and required otherwise (rest-api.md, "Dataset")', async () => {
    const sandbox = createSandbox();
    const { path, custom } = await createRetail(sandbox);
    expect(custom.connection).toBeNull();
    const post = async (body: unknown) => (await sandbox.send('POST', `${path}/datasets`, body)).status;
    expect(await post({ name: 'A', type: 'custom', connection })).toBe(400);
    expect(await post({ name: 'B', type: 'extract' })).toBe(400);
    expect(await post({ type: 'custom' })).toBe(400);
    expect(await post({ name: 'C' })).toBe(400);
    expect(await post({ name: 'D', type: 'extract', connection: 'text' })).toBe(400);
  });

  test('a duplicate dataset name is a ValidationError 1002 (platform-facts.md, 2.7)', async () => {
    const sandbox = createSandbox();
    const { path } = await createRetail(sandbox);
    const reply = await sandbox.send('POST', `${path}/datasets`, {
      name: 'Files',
      type: 'extract',
      connection,
    });
    expect(reply.body).toMatchObject({ status: 400, title: 'ValidationError', sub: 1002 });
  });
});

describe('PATCH /datasets', () => {
  test('only connection can be modified, and it is replaced as a whole (rest-api.md, "Dataset")', async () => {
    const sandbox = createSandbox();
    const { datasetPath, dataset } = await createRetail(sandbox);
    const changed = await sandbox.send('PATCH', datasetPath, {
      connection: { provider: 'CSV', parameters: { files: ['new.csv'] } },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.connection).toMatchObject({
      oid: dataset.connection.oid,
      parameters: { files: ['new.csv'] },
    });
    expect(changed.body.connection).not.toHaveProperty('schema');
    expect(changed.body.schema.tables).toHaveLength(2);
    for (const body of [
      { name: 'Other' },
      { type: 'custom' },
      {},
      { connection: 1 },
      { connection, name: 'x' },
      [],
    ]) {
      expect((await sandbox.send('PATCH', datasetPath, body)).status).toBe(400);
    }
  });

  test.each(['id', 'owner', 'autoRefresh', 'protectedParameters'])(
    'the read-only connection property %s must not be sent (rest-api.md, "Dataset")',
    async (name) => {
      const sandbox = createSandbox();
      const { datasetPath } = await createRetail(sandbox);
      const reply = await sandbox.send('PATCH', datasetPath, { connection: { ...connection, [name]: null } });
      expect(reply.status).toBe(400);
      expect(reply.body.detail).toContain(`connection/${name}`);
    },
  );

  test('other read-only properties are ignored (rest-api.md, "Datamodel API" 1)', async () => {
    const sandbox = createSandbox();
    const { datasetPath, dataset } = await createRetail(sandbox);
    const reply = await sandbox.send('PATCH', datasetPath, { oid: 'mine', lastUpdated: 'never', connection });
    expect(reply.status).toBe(200);
    expect(reply.body.oid).toBe(dataset.oid);
    expect(reply.body.lastUpdated).not.toBe('never');
  });

  test('a custom dataset has no connection to modify', async () => {
    const sandbox = createSandbox();
    const { customPath } = await createRetail(sandbox);
    expect((await sandbox.send('PATCH', customPath, { connection })).status).toBe(400);
  });
});

test('DELETE deletes the dataset and its tables; relations to them stay (rest-api.md, "Datamodel API" 4)', async () => {
  const sandbox = createSandbox();
  const { path, datasetPath, orders, ends, create } = await createRetail(sandbox);
  const relation = await create(`${path}/relations`, { columns: ends });
  expect((await sandbox.send('DELETE', datasetPath)).status).toBe(200);
  expect((await sandbox.send('GET', datasetPath)).status).toBe(404);
  expect((await sandbox.send('GET', `${datasetPath}/tables/${orders.oid}`)).status).toBe(404);
  const { body } = await sandbox.send('GET', `${path}/relations/${relation.oid}`);
  expect(body.columns).toMatchObject([
    { ...ends[0], isDropped: true },
    { ...ends[1], isDropped: true },
  ]);
});

test('a dataset of another datamodel is not found', async () => {
  const sandbox = createSandbox();
  const { dataset } = await createRetail(sandbox);
  const other = (await sandbox.send('POST', modelsPath, { title: 'Other' })).body;
  expect((await sandbox.send('GET', `${modelsPath}/${other.oid}/datasets/${dataset.oid}`)).status).toBe(404);
  expect((await sandbox.send('DELETE', `${modelsPath}/${other.oid}/datasets/${dataset.oid}`)).status).toBe(
    404,
  );
  expect(
    (await sandbox.send('PATCH', `${modelsPath}/${other.oid}/datasets/${dataset.oid}`, { connection }))
      .status,
  ).toBe(404);
  expect((await sandbox.send('GET', `${modelsPath}/nothing/datasets`)).status).toBe(404);
});
