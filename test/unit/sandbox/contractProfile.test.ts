import { describe, expect, test } from 'vitest';
import {
  createColumn,
  createSandbox,
  createCsvConnection,
  createLiveRule,
  partyIds,
  createRule,
  type TestSandbox,
} from './support.ts';

const modelsPath = '/api/v2/datamodels';
const buildsPath = '/api/v2/builds';
const customDataPath = '/api/v1/custom_data';
const cubeRulesPath = '/api/elasticubes/LocalHost/Retail/datasecurity';
const liveRulesPath = '/api/v1/elasticubes/live/Support/datasecurity';

const built = [
  { title: 'Retail', type: 'extract' },
  { title: 'Support', type: 'live' },
] as const;
const createContractSandbox = () => createSandbox({ profile: 'contract', built });

/** A model with a base table and a custom dataset, created through the paths of the contract. */
async function createDraft({ send }: TestSandbox) {
  const create = async (path: string, body: unknown) => {
    const reply = await send('POST', path, body);
    expect([path, reply.status]).toEqual([path, 201]);
    return reply.body;
  };
  const model = await create(modelsPath, { title: 'Draft' });
  const schemaPath = `${modelsPath}/${model.oid}/schema`;
  const files = await create(`${schemaPath}/datasets`, {
    name: 'Files',
    type: 'extract',
    connection: createCsvConnection('orders.csv'),
  });
  const queries = await create(`${schemaPath}/datasets`, { name: 'Queries', type: 'custom' });
  const orders = await create(`${schemaPath}/datasets/${files.oid}/tables`, {
    id: 'orders.csv',
    name: 'Orders',
    columns: [createColumn('Id', 8), createColumn('Name'), createColumn('At', 4)],
  });
  const tablesPath = `${schemaPath}/datasets/${queries.oid}/tables`;
  return { model, schemaPath, files, orders, tablesPath, create };
}

test('signed in or not, the session check returns 200 (platform-facts.md, 6.1, isauth)', async () => {
  const { send } = createContractSandbox();
  const check = async (options: object) => {
    const { status, body } = await send('GET', '/api/auth/isauth', undefined, options);
    return [status, body];
  };
  expect(await check({})).toEqual([200, { isAuthenticated: true }]);
  expect(await check({ as: 'user' })).toEqual([200, { isAuthenticated: true }]);
  expect(await check({ as: 'nobody' })).toEqual([200, { isAuthenticated: false }]);
  expect(await check({ as: 'nobody', headers: { authorization: 'Bearer wrong' } })).toEqual([
    200,
    { isAuthenticated: false },
  ]);
  expect((await send('GET', `${modelsPath}/schema`, undefined, { as: 'nobody' })).status).toBe(401);
});

test('datamodels are found under /schema only; a path without it is unknown, whatever the method', async () => {
  const sandbox = createContractSandbox();
  const { model, schemaPath, files } = await createDraft(sandbox);
  expect((await sandbox.send('GET', `${modelsPath}/schema`)).status).toBe(200);
  expect((await sandbox.send('GET', schemaPath)).status).toBe(200);
  for (const path of [
    modelsPath,
    `${modelsPath}/${model.oid}`,
    `${modelsPath}/${model.oid}/datasets`,
    `${modelsPath}/${model.oid}/datasets/${files.oid}/tables`,
    `${modelsPath}/${model.oid}/relations`,
  ]) {
    const reply = await sandbox.send('GET', path);
    expect([path, reply.status, reply.body.logref]).toEqual([path, 404, 'BE#001004']);
  }
});

test('the list of models accepts fields, sort, limit, skip and title, and returns a list even with `title`', async () => {
  const { send } = createContractSandbox();
  const list = async (query: string) => (await send('GET', `${modelsPath}/schema?${query}`)).body;
  expect(await list('fields=title&sort=-title&limit=1&skip=1')).toEqual([{ title: 'Retail' }]);
  expect(await list('fields=title&title=Support')).toEqual([{ title: 'Support' }]);
  expect(await list('title=Nothing')).toMatchObject({ status: 404 });
});

test('a deletion returns 200 with a title and a status (platform-facts.md, 6.3)', async () => {
  const sandbox = createContractSandbox();
  const { model, schemaPath, files, orders, create } = await createDraft(sandbox);
  const end = { dataset: files.oid, table: orders.oid, column: orders.columns[0].oid };
  const relation = await create(`${schemaPath}/relations`, { columns: [end, end] });
  for (const path of [
    `${schemaPath}/relations/${relation.oid}`,
    `${schemaPath}/datasets/${files.oid}/tables/${orders.oid}`,
    `${schemaPath}/datasets/${files.oid}`,
    `${modelsPath}/${model.oid}`,
  ]) {
    const reply = await sandbox.send('DELETE', path);
    expect([path, reply.status, reply.body]).toEqual([path, 200, { title: 'Success', status: 200 }]);
  }
});

describe('custom tables (platform-facts.md, "TableInput" and "TableOutput")', () => {
  const sql = 'SELECT o.[Id], o.[At] AS Moment, count(*) AS "How Many" FROM [Orders] o GROUP BY o.[Id]';
  const getNamesAndTypes = (table: { columns: { name: string; type: number }[] }) =>
    table.columns.map(({ name, type }) => [name, type]);

  test('return their columns and the oid of their SQL at once', async () => {
    const { tablesPath, create } = await createDraft(createContractSandbox());
    const table = await create(tablesPath, { id: 'counts', name: 'Counts', type: 'custom', expression: sql });
    expect(getNamesAndTypes(table)).toEqual([
      ['Id', 8],
      ['Moment', 4],
      ['How Many', 18],
    ]);
    expect(table.expression).toEqual({
      oid: expect.any(String),
      expression: sql,
      lastUpdated: table.lastUpdated,
    });
    // Through another custom table, and with a duplicate name.
    const next = await create(tablesPath, {
      id: 'next',
      type: 'custom',
      columns: [],
      expression: 'SELECT [Id], [Moment], [Id] FROM [Counts] LIMIT 5;',
    });
    expect(getNamesAndTypes(next).map(([, type]) => type)).toEqual([8, 4, 8]);
    expect(new Set(next.columns.map((each: { name: string }) => each.name)).size).toBe(3);
  });

  test.each(['SELECT [Nothing] FROM [Orders]', 'SELECT', 'SELECT 1; SELECT 2', 'DELETE FROM [Orders]'])(
    'have no columns if the SQL cannot be read: %s',
    async (expression) => {
      const { tablesPath, create } = await createDraft(createContractSandbox());
      expect((await create(tablesPath, { id: 'x', type: 'custom', expression })).columns).toEqual([]);
    },
  );

  test('require an id', async () => {
    const sandbox = createContractSandbox();
    const { tablesPath } = await createDraft(sandbox);
    const reply = await sandbox.send('POST', tablesPath, { name: 'Counts', type: 'custom', expression: sql });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ title: 'ValidationError', detail: 'id: required', sub: 1002 });
  });

  test('accept their SQL as text and as an object; columns of the same name stay the same', async () => {
    const sandbox = createContractSandbox();
    const { tablesPath, create } = await createDraft(sandbox);
    const table = await create(tablesPath, { id: 'counts', type: 'custom', expression: sql });
    const path = `${tablesPath}/${table.oid}`;
    const asText = await sandbox.send('PATCH', path, { expression: 'SELECT [Id], [Name] FROM [Orders]' });
    expect(getNamesAndTypes(asText.body)).toEqual([
      ['Id', 8],
      ['Name', 18],
    ]);
    expect(asText.body.columns[0].oid).toBe(table.columns[0].oid);
    expect(asText.body.expression.oid).toBe(table.expression.oid);
    const sent = { ...asText.body.expression, expression: 'SELECT [Name] FROM [Orders]' };
    const asObject = await sandbox.send('PATCH', path, { expression: sent });
    expect(getNamesAndTypes(asObject.body)).toEqual([['Name', 18]]);
    expect(asObject.body.expression).toMatchObject({
      oid: table.expression.oid,
      expression: 'SELECT [Name] FROM [Orders]',
    });
    const broken = await sandbox.send('PATCH', path, { expression: 'SELECT [Nothing] FROM [Orders]' });
    expect(getNamesAndTypes(broken.body)).toEqual([['Name', 18]]);
  });

  test('the SQL of a column has an oid too, wherever its table is returned', async () => {
    const sandbox = createContractSandbox();
    const { schemaPath, files, orders } = await createDraft(sandbox);
    const path = `${schemaPath}/datasets/${files.oid}/tables/${orders.oid}`;
    const columns = [
      ...orders.columns,
      { id: 'Upper', isCustom: true, type: 18, expression: 'UPPER([Name])' },
    ];
    const changed = (await sandbox.send('PATCH', path, { columns })).body.columns[3];
    expect(changed.expression).toEqual({
      oid: expect.any(String),
      expression: 'UPPER([Name])',
      lastUpdated: changed.lastUpdated,
    });
    const read = async (url: string) => (await sandbox.send('GET', url)).body;
    expect((await read(path)).columns[3]).toEqual(changed);
    expect((await read(schemaPath)).datasets[0].schema.tables[0].columns[3]).toEqual(changed);
    expect((await read(`${schemaPath}/datasets`))[0].schema.tables[0].columns[3]).toEqual(changed);
    const sentBack = { columns: (await read(path)).columns };
    expect((await sandbox.send('PATCH', path, sentBack)).body.columns[3].expression).toMatchObject({
      oid: changed.expression.oid,
      expression: 'UPPER([Name])',
    });
  });

  test('have no columns before a build in the guide profile', async () => {
    const { send } = createSandbox();
    const model = (await send('POST', modelsPath, { title: 'Draft' })).body;
    const datasets = `${modelsPath}/${model.oid}/datasets`;
    const dataset = (await send('POST', datasets, { name: 'Queries', type: 'custom' })).body;
    const table = { name: 'One', type: 'custom', expression: 'SELECT 1 AS one' };
    const created = (await send('POST', `${datasets}/${dataset.oid}/tables`, table)).body;
    expect([created.columns, Object.keys(created.expression)]).toEqual([[], ['oid', 'expression']]);
  });
});

describe('build tasks (platform-facts.md, "BuildOutput")', () => {
  const start = async (sandbox: TestSandbox, changes: object = {}) => {
    const { model } = await createDraft(sandbox);
    const reply = await sandbox.send('POST', buildsPath, {
      datamodelId: model.oid,
      buildType: 'full',
      rowLimit: 0,
      ...changes,
    });
    expect(reply.status).toBe(201);
    return reply.body;
  };

  test('have the fields of the contract and no error text', async () => {
    const sandbox = createContractSandbox();
    sandbox.engine.outcome = { status: 'failed', message: 'no such table' };
    const task = await start(sandbox, { buildType: 'schema_changes' });
    expect(task).toEqual({
      oid: expect.any(String),
      datamodelId: expect.any(String),
      buildType: 'schema-changes',
      status: 'pending',
      datamodelTitle: 'Draft',
      datamodelType: 'extract',
      indexSize: 'short',
      instanceId: expect.any(String),
      schemaLastUpdate: expect.any(String),
      created: expect.any(String),
      started: null,
      completed: null,
      rowLimit: 0,
      source: 'rest',
    });
    await sandbox.clock.advance(10);
    const [listed] = (await sandbox.send('GET', buildsPath)).body;
    expect(listed).toMatchObject({
      ...task,
      status: 'failed',
      started: expect.any(String),
      completed: expect.any(String),
    });
    expect(Object.keys(listed)).toEqual(Object.keys(task));
  });

  test('the first request for a task that was just accepted finds nothing, the next one does', async () => {
    const sandbox = createContractSandbox();
    const { oid } = await start(sandbox);
    const first = await sandbox.send('GET', `${buildsPath}/${oid}`);
    expect([first.status, first.body]).toEqual([
      400,
      {
        title: 'Failed to get build process <>',
        reason: `BE#983754 Data source not found for build id: ${oid}`,
      },
    ]);
    expect((await sandbox.send('GET', `${buildsPath}/${oid}`)).status).toBe(200);
    const laterTask = await sandbox.send('POST', buildsPath, {
      datamodelId: (await sandbox.send('GET', `${buildsPath}/${oid}`)).body.datamodelId,
      buildType: 'full',
    });
    await sandbox.clock.advance(1000);
    expect((await sandbox.send('GET', `${buildsPath}/${laterTask.body.oid}`)).status).toBe(200);
  });

  test('errors are a title and a reason', async () => {
    const { send } = createContractSandbox();
    const reply = await send('GET', `${buildsPath}/nothing`);
    expect([reply.status, reply.body]).toEqual([
      404,
      { title: 'NotFound', reason: 'The build task "nothing" doesn\'t exist' },
    ]);
    expect((await send('POST', buildsPath, {})).body).toMatchObject({ title: 'ValidationError' });
  });

  test('canceling a running build returns 200 with a result, canceling a waiting one 204 without a body', async () => {
    const sandbox = createContractSandbox();
    sandbox.engine.outcome = undefined;
    const { oid, datamodelId } = await start(sandbox);
    const waitingBuild = (await sandbox.send('POST', buildsPath, { datamodelId, buildType: 'full' })).body;
    await sandbox.clock.advance(10);
    const cancel = async (id: string) => {
      const { status, text } = await sandbox.send('DELETE', `${buildsPath}/${id}`);
      return [status, text === '' ? undefined : JSON.parse(text)];
    };
    expect(await cancel(waitingBuild.oid)).toEqual([204, undefined]);
    expect(await cancel(oid)).toEqual([200, { status: 'OK', statusCode: 200, error: null }]);
    expect(await cancel(oid)).toEqual([
      200,
      { status: 'FAILED_TO_GET_BUILD_PROCESS', statusCode: 404, error: 'The build has ended' },
    ]);
    const all = await sandbox.send('DELETE', `${buildsPath}?datamodelId=${datamodelId}`);
    expect([all.status, all.text]).toEqual([204, '']);
  });
});

test('users are listed with the IDs of their groups, which can be expanded; nothing else can (platform-facts.md, 6.2)', async () => {
  const { send } = createContractSandbox();
  const query = `ids=${partyIds.ann}&fields=_id,groups`;
  expect((await send('GET', `/api/v1/users?${query}`)).body).toEqual([
    { _id: partyIds.ann, groups: [partyIds.sales] },
  ]);
  const expanded = (await send('GET', `/api/v1/users?${query}&expand=groups`)).body;
  expect(expanded).toMatchObject([{ groups: [{ _id: partyIds.sales, name: 'Sales' }] }]);
  expect((await send('GET', '/api/v1/users?expand=dashboards')).status).toBe(404);
});

describe('custom data (platform-facts.md, 6.2)', () => {
  test('a query or a change without a match returns 404', async () => {
    const { send } = createContractSandbox();
    const changeWithoutMatch = { queryForSearch: { app: 'x' }, objectForUpdate: { done: true } };
    for (const [method, path, body] of [
      ['GET', `${customDataPath}/query?query=${encodeURIComponent('{"app":"x"}')}`, undefined],
      ['PATCH', `${customDataPath}/query`, changeWithoutMatch],
      ['DELETE', `${customDataPath}/query`, { app: 'x' }],
    ] as const) {
      const reply = await send(method, path, body);
      expect([method, reply.status, reply.body.error.message]).toEqual([method, 404, 'Documents not found']);
    }
    expect((await send('GET', customDataPath)).body).toEqual([]);
  });

  test('a query returns its matches, a change the number of changed objects', async () => {
    const { send } = createContractSandbox();
    expect((await send('POST', customDataPath, { app: 'x', n: 1 })).status).toBe(201);
    await send('POST', customDataPath, { app: 'x', n: 2 });
    const query = `${customDataPath}/query?query=${encodeURIComponent('{"app":"x"}')}`;
    expect((await send('GET', query)).body).toHaveLength(2);
    const change = { queryForSearch: { app: 'x' }, objectForUpdate: { done: true } };
    expect((await send('PATCH', `${customDataPath}/query`, change)).body).toEqual({ ok: 1, n: 2 });
    expect((await send('DELETE', `${customDataPath}/query`, { n: 1 })).body).toEqual({ ok: 1, n: 1 });
  });
});

describe('rules', () => {
  test('of a datamodel that was never built or published are rejected by every endpoint', async () => {
    const { send } = createSandbox({ profile: 'contract' });
    await send('POST', modelsPath, { title: 'Retail' });
    await send('POST', modelsPath, { title: 'Support', type: 'live' });
    const ruleWithCube = { ...createRule(), server: 'LocalHost', elasticube: 'Retail' };
    for (const [method, path, body] of [
      ['GET', cubeRulesPath, undefined],
      ['GET', `${cubeRulesPath}/Orders/Region`, undefined],
      ['GET', `/api/elasticubes/LocalHost/Retail/${partyIds.ann}/datasecurity`, undefined],
      ['POST', cubeRulesPath, [createRule()]],
      ['POST', '/api/elasticubes/datasecurity', [ruleWithCube]],
      ['PUT', '/api/elasticubes/datasecurity/x', { ...ruleWithCube, _id: 'x' }],
      ['DELETE', `${cubeRulesPath}?table=Orders&column=Region`, undefined],
    ] as const) {
      const reply = await send(method, path, body);
      expect([path, reply.status, reply.body.error.message]).toEqual([
        path,
        404,
        'Elasticube has not been found',
      ]);
    }
    for (const [method, path, body] of [
      ['GET', liveRulesPath, undefined],
      ['POST', liveRulesPath, createLiveRule()],
      ['DELETE', `${liveRulesPath}/Orders/Region`, undefined],
    ] as const) {
      const reply = await send(method, path, body);
      expect([path, reply.status, reply.body.error.message]).toEqual([path, 404, '[object Object]']);
      const unknown = await send(method, path.replace('Support', 'Nothing'), body);
      expect([unknown.status, unknown.body.error.message]).toEqual([404, 'Live elasticube not found']);
    }
  });

  test('of a cube set and of a built datamodel are accepted', async () => {
    const { send } = createContractSandbox();
    expect((await send('POST', cubeRulesPath, [createRule()])).status).toBe(200);
    expect((await send('GET', '/api/elasticubes/Set/Shops/datasecurity')).status).toBe(200);
  });

  test('PUT requires server and elasticube in the body', async () => {
    const { send } = createContractSandbox();
    const [stored] = (await send('POST', cubeRulesPath, [createRule()])).body;
    const path = `/api/elasticubes/datasecurity/${stored._id}`;
    const reply = await send('PUT', path, { ...createRule(), _id: stored._id });
    expect([reply.status, reply.body.error.message]).toEqual([400, 'server: required in the body']);
    expect((await send('PUT', path, stored)).status).toBe(200);
  });

  test('a live rule is sent and returned as one object, with 201, and has fields of its own', async () => {
    const { send } = createContractSandbox();
    const created = await send('POST', liveRulesPath, createLiveRule({ exclusionary: true }));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      dataSourceId: expect.stringMatching(/^[0-9a-f]{24}$/),
      exclusionary: true,
      members: ['North'],
    });
    expect((await send('GET', liveRulesPath)).body).toEqual([created.body]);
    const cityRule = (await send('POST', liveRulesPath, createLiveRule({ column: 'City' }))).body;
    expect([cityRule.exclusionary, cityRule.dataSourceId]).toEqual([false, created.body.dataSourceId]);
    const removed = await send('DELETE', `/api/v1/elasticubes/live/datasecurity/${cityRule._id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    const column = await send('DELETE', `${liveRulesPath}/Orders/Region`);
    expect([column.status, column.text]).toEqual([204, '']);
  });

  test('a live rule without required fields is rejected with 422, which names them; so is an array', async () => {
    const { send } = createContractSandbox();
    const { allMembers: _, members: __, ...incomplete } = createLiveRule();
    const reply = await send('POST', liveRulesPath, incomplete);
    expect([reply.status, reply.body.error.message]).toEqual([
      422,
      'Mandatory fields are missing: allMembers, members',
    ]);
    expect((await send('POST', liveRulesPath, [createLiveRule()])).status).toBe(422);
    expect((await send('GET', liveRulesPath)).body).toEqual([]);
  });

  describe('several live rules in one request', () => {
    const addManyPath = `${liveRulesPath}/addMany`;

    test('are sent and returned as an array, with 201', async () => {
      const { send } = createContractSandbox();
      const created = await send('POST', addManyPath, [
        createLiveRule(),
        createLiveRule({ column: 'City', exclusionary: true }),
      ]);
      expect([created.status, created.body.length, created.body[1].exclusionary]).toEqual([201, 2, true]);
      expect((await send('GET', liveRulesPath)).body).toEqual(created.body);
    });

    test('are stored all or none, each checked against the previous ones', async () => {
      const { send } = createContractSandbox();
      const overwritingRule = createLiveRule({ members: ['South'] });
      expect((await send('POST', addManyPath, [createLiveRule(), overwritingRule])).status).toBe(201);
      expect((await send('GET', liveRulesPath)).body).toMatchObject([{ members: ['South'] }]);
      const ann = { partyId: partyIds.ann, type: 'user' };
      const bob = { partyId: partyIds.bob, type: 'user' };
      const refused = await send('POST', addManyPath, [
        createLiveRule({ shares: [bob] }),
        createLiveRule({ shares: [ann, bob] }),
      ]);
      expect([refused.status, refused.body.error.code]).toEqual([400, 30_003]);
      expect((await send('GET', liveRulesPath)).body).toHaveLength(1);
    });

    test('are rejected with the names of missing fields', async () => {
      const { send } = createContractSandbox();
      const { allMembers: _, live: __, members: ___, ...incomplete } = createLiveRule({ allMembers: true });
      const reply = await send('POST', addManyPath, [createLiveRule(), incomplete]);
      expect([reply.status, reply.body.error.message]).toEqual([
        422,
        '1: Mandatory fields are missing: allMembers, live',
      ]);
      expect((await send('POST', addManyPath, createLiveRule())).status).toBe(400);
    });

    test('are unknown to the guide profile', async () => {
      const { send } = createSandbox();
      expect((await send('POST', addManyPath, [createLiveRule()])).status).toBe(404);
    });
  });
});
