import { expect, test } from 'vitest';
import { createRetail, createSandbox, createRule } from './support.ts';

const modelsPath = '/api/v2/datamodels';

test('POST /datamodels: title is required, type defaults to extract (rest-api.md, "Datamodel")', async () => {
  const { send } = createSandbox();
  const created = await send('POST', modelsPath, { title: 'Retail' });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    title: 'Retail',
    type: 'extract',
    server: 'LocalHost',
    datasets: [],
    relations: [],
  });
  expect((await send('POST', modelsPath, { title: 'Support', type: 'live' })).body.type).toBe('live');
  for (const body of [{}, { title: '' }, { title: 7 }, { title: 'x', type: 'mixed' }, [], 'x', '{"title":']) {
    const refused = await send('POST', modelsPath, body);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ title: 'ValidationError', status: 400, sub: 1002 });
  }
  const getDetail = async (body: unknown) => (await send('POST', modelsPath, body)).body.detail;
  expect(await getDetail({ type: 'live' })).toBe('title: required');
  expect(await getDetail({ title: 7 })).toBe('title: expected a string');
  expect(await getDetail({ title: '' })).toBe('title: must not be empty');
});

test('POST /datamodels: a duplicate title is ElasticubeAlreadyExists 1011 (platform-facts.md, 2.7)', async () => {
  const { send } = createSandbox();
  await send('POST', modelsPath, { title: 'Retail' });
  const duplicate = await send('POST', modelsPath, { title: 'Retail' });
  expect(duplicate.status).toBe(400);
  expect(duplicate.body).toMatchObject({ title: 'ElasticubeAlreadyExists', sub: 1011 });
});

test('GET /datamodels returns an array, or one object if a title is given (platform-facts.md, 0), in both path dialects', async () => {
  const { send } = createSandbox();
  const ids: string[] = [];
  for (const title of ['Beta', 'Alpha', 'Gamma']) {
    ids.push((await send('POST', modelsPath, { title })).body.oid);
  }
  for (const path of [modelsPath, `${modelsPath}/schema`]) {
    const listTitles = async (query: string) =>
      (await send('GET', `${path}?${query}`)).body.map((m: { title: string }) => m.title);
    expect(await listTitles('')).toEqual(['Beta', 'Alpha', 'Gamma']);
    expect(await listTitles('sort=title')).toEqual(['Alpha', 'Beta', 'Gamma']);
    expect(await listTitles('sort=-title&limit=1&skip=1')).toEqual(['Beta']);
    expect((await send('GET', `${path}?fields=oid,title&limit=1`)).body).toEqual([
      { oid: ids[0], title: 'Beta' },
    ]);
    expect((await send('GET', `${path}?title=Alpha`)).body.oid).toBe(ids[1]);
    expect((await send('GET', `${path}?title=Nothing`)).status).toBe(404);
    expect((await send('GET', `${path}?limit=x`)).status).toBe(400);
  }
});

test('every datamodel resource reads the same in both path dialects (platform-facts.md, 0)', async () => {
  const sandbox = createSandbox();
  const { path, dataset, orders, ends, create } = await createRetail(sandbox);
  const relation = await create(`${path}/relations`, { columns: ends });
  const subpaths = [
    '',
    '/datasets',
    `/datasets/${dataset.oid}`,
    `/datasets/${dataset.oid}/tables`,
    `/datasets/${dataset.oid}/tables/${orders.oid}`,
    '/relations',
    `/relations/${relation.oid}`,
  ];
  for (const subpath of subpaths) {
    const plainReply = await sandbox.send('GET', `${path}${subpath}`);
    const schemaReply = await sandbox.send('GET', `${path}/schema${subpath}`);
    expect(plainReply.status).toBe(200);
    expect(schemaReply.text).toBe(plainReply.text);
  }
});

test('GET returns the whole hierarchy: Datamodel > Dataset > Table with Columns, and Relations (rest-api.md, "Resources and their fields")', async () => {
  const sandbox = createSandbox();
  const { path, ends, create } = await createRetail(sandbox);
  await create(`${path}/relations`, { columns: ends });
  const { body } = await sandbox.send('GET', path);
  expect(body.datasets.map((d: { name: string }) => d.name)).toEqual(['Files', 'Custom']);
  expect(body.datasets[0].schema.tables[0]).toMatchObject({
    name: 'Orders',
    columns: [{ id: 'Id' }, {}, {}],
  });
  expect(body.relations[0].columns).toHaveLength(2);
});

test('DELETE removes the datamodel entirely, including its rules (rest-api.md, "Datamodel API")', async () => {
  const sandbox = createSandbox();
  const { path, orders, datasetPath } = await createRetail(sandbox);
  const rulesPath = '/api/elasticubes/LocalHost/Retail/datasecurity';
  await sandbox.send('POST', rulesPath, [createRule()]);
  await sandbox.send('POST', '/api/elasticubes/set/Retail/datasecurity', [createRule()]);
  expect((await sandbox.send('DELETE', path)).status).toBe(200);
  for (const deletedPath of [
    path,
    `${path}/datasets`,
    datasetPath,
    `${datasetPath}/tables/${orders.oid}`,
    `${path}/relations`,
  ]) {
    expect((await sandbox.send('GET', deletedPath)).status).toBe(404);
  }
  expect((await sandbox.send('GET', rulesPath)).body).toEqual([]);
  // The cube set of the same name is a different rule subject.
  expect((await sandbox.send('GET', '/api/elasticubes/set/Retail/datasecurity')).body).toHaveLength(1);
  expect((await sandbox.send('DELETE', path)).status).toBe(404);
});

test('the Datamodel has no editable fields (rest-api.md, "Datamodel"): there is no PATCH', async () => {
  const sandbox = createSandbox();
  const { path } = await createRetail(sandbox);
  const reply = await sandbox.send('PATCH', path, { title: 'Other' });
  expect(reply.status).toBe(405);
  expect(reply.headers.get('allow')).toBe('GET, DELETE');
});

test('the server assigns the oid of a new resource, whatever was sent', async () => {
  const sandbox = createSandbox();
  const { datasetPath } = await createRetail(sandbox);
  const reply = await sandbox.send('POST', `${datasetPath}/tables`, {
    oid: 'mine',
    id: 'orders.csv',
    columns: [{ oid: 'mine', id: 'a', type: 8 }],
  });
  expect(reply.status).toBe(201);
  expect(reply.body.oid).not.toBe('mine');
  expect(reply.body.columns[0].oid).not.toBe('mine');
});
