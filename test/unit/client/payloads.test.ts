import { describe, expect, test } from 'vitest';
import { getUnsentTableProperties } from '../../../src/client/payloads/modelPayloads.ts';
import { type JsonObject, parseLossless } from '../../../src/base/json.ts';
import {
  getFailure,
  json,
  createTestClient,
  getPayloadProblem,
  createClientWithLastBody,
} from './support.ts';

describe('datamodels', () => {
  test('only the title and the type, extract by default, are sent [spec: datamodel.title] [spec: datamodel.type-default]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.datamodels.create({ title: 'A', oid: 'x', datasets: [] });
    expect(getBody()).toEqual({ title: 'A', type: 'extract' });
    await client.datamodels.create({ title: 'B', type: 'LIVE' });
    expect(getBody()).toEqual({ title: 'B', type: 'live' });
    expect(await getPayloadProblem(client.datamodels.create({ title: '' }))).toBe(
      'missing-property at title',
    );
    expect(await getPayloadProblem(client.datamodels.create({ title: 'C', type: 'mixed' }))).toBe(
      'wrong-type at type',
    );
  });
});

describe('datasets', () => {
  const path = { datamodelId: 'm', datasetId: 'd' };
  const connection = {
    provider: 'CSV',
    parameters: { files: ['a.csv'] },
    id: 'i',
    owner: 'o',
    autoRefresh: true,
    protectedParameters: {},
    uiParams: null,
  };
  const writableConnection = { provider: 'CSV', parameters: { files: ['a.csv'] }, uiParams: null };

  test('PATCH: only the connection is sent, without its read-only properties [spec: dataset.connection-only] [spec: dataset.connection-read-only]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.datasets.update(path, { oid: 'd', name: 'renamed', connection });
    expect(getBody()).toEqual({ connection: writableConnection });
    expect(await getPayloadProblem(client.datasets.update(path, { name: 'x' }))).toBe(
      'missing-property at connection',
    );
  });

  test('POST: name, type and connection are sent; no connection for the custom type [spec: dataset.custom-without-connection]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.datasets.create({ datamodelId: 'm' }, { name: 'a', type: 'EXTRACT', connection, oid: 'x' });
    expect(getBody()).toEqual({ name: 'a', type: 'extract', connection: writableConnection });
    await client.datasets.create({ datamodelId: 'm' }, { name: 'b', type: 'custom', connection });
    expect(getBody()).toEqual({ name: 'b', type: 'custom' });
    expect(
      await getPayloadProblem(client.datasets.create({ datamodelId: 'm' }, { name: 'b', type: 'live' })),
    ).toBe('missing-property at connection');
    expect(
      await getPayloadProblem(client.datasets.create({ datamodelId: 'm' }, { name: 'b', type: 'mixed' })),
    ).toBe('wrong-type at type');
  });

  test('encrypted parameters are sent back only if that is requested', async () => {
    const { client, getBody } = createClientWithLastBody();
    const secret = { connection: { provider: 'X', parameters: 'ENCRYPTED' } };
    const error = await getFailure(client.datasets.update(path, secret));
    expect(error.message).toContain('encrypted-parameters at connection.parameters');
    expect(error.message).not.toContain('ENCRYPTED');
    await client.datasets.update(path, secret, { sendEncryptedParameters: true });
    expect(getBody()).toEqual(secret);
  });
});

describe('tables', () => {
  const path = { datamodelId: 'm', datasetId: 'd', tableId: 't' };
  const columns = [
    { oid: 'c1', id: 'a', name: 'A', type: 8, semanticIndex: null },
    { id: 'b', name: 'B', type: 18 },
  ];

  test('PATCH: only table properties are sent, columns as a whole with their oids [spec: table.patch-foreign] [spec: datamodel.columns-replace]', async () => {
    const { client, getBody } = createClientWithLastBody();
    const document = { oid: 't', vTag: 'v', lastUpdated: 'now', name: 'N', hidden: false, columns };
    await client.tables.update(path, document);
    expect(getBody()).toEqual({ name: 'N', hidden: false, columns });
    expect(getUnsentTableProperties(document)).toEqual(['oid', 'vTag', 'lastUpdated']);
  });

  test('PATCH: at least one table property is required [spec: table.patch-one]', async () => {
    const { client } = createClientWithLastBody();
    expect(await getPayloadProblem(client.tables.update(path, { vTag: 'v' }))).toBe('no-table-property');
    expect(await getPayloadProblem(client.tables.update(path, {}))).toBe('no-table-property');
    expect(await getPayloadProblem(client.tables.update(path, { columns: [5] }))).toBe(
      'wrong-type at columns.0',
    );
  });

  test('an expression is sent in the form in which it was received', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.tables.update(path, { expression: { oid: 'e', expression: 'SELECT 1', lastUpdated: 'x' } });
    expect(getBody()).toEqual({ expression: { oid: 'e', expression: 'SELECT 1', lastUpdated: 'x' } });
    await client.tables.update(path, { expression: 'SELECT 1' });
    expect(getBody()).toEqual({ expression: 'SELECT 1' });
    await client.tables.update(path, { expression: null });
    expect(getBody()).toEqual({ expression: null });
  });

  test('POST: a base table needs an id and has columns without oids [spec: table.id]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.tables.create(path, { id: 'a.csv', oid: 't', columns });
    expect(getBody()).toEqual({ id: 'a.csv', columns: columns.map(({ oid: _oid, ...column }) => column) });
    expect(await getPayloadProblem(client.tables.create(path, { name: 'X' }))).toBe('missing-property at id');
  });

  test('POST: the SQL of a custom column is sent as text, like that of a table, however it was read', async () => {
    const { client, getBody } = createClientWithLastBody();
    const column = { id: 'c', name: 'C', type: 8, isCustom: true };
    const expressionAsRead = { oid: 'e', expression: '[A] + 1', lastUpdated: null };
    await client.tables.create(path, { id: 'a.csv', columns: [{ ...column, expression: expressionAsRead }] });
    expect(getBody()).toEqual({ id: 'a.csv', columns: [{ ...column, expression: '[A] + 1' }] });
    // Text stays text, and a column without SQL is unchanged.
    const others = [
      { ...column, expression: '[A]' },
      { ...column, expression: null },
      { ...column, expression: { from: 'elsewhere' } },
    ];
    await client.tables.create(path, { id: 'a.csv', columns: others });
    expect(getBody()).toEqual({ id: 'a.csv', columns: others });
  });

  test('POST: a custom table needs an expression and has no columns [spec: table.custom-expression] [spec: table.custom-columns]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.tables.create(path, {
      type: 'CUSTOM',
      name: 'X',
      expression: { expression: 'SELECT 1' },
      columns,
    });
    expect(getBody()).toEqual({ id: 'X', type: 'custom', name: 'X', expression: 'SELECT 1' });
    await client.tables.create(path, { type: 'custom', id: 'custom-1', expression: 'SELECT 1' });
    expect(getBody()).toEqual({ id: 'custom-1', type: 'custom', expression: 'SELECT 1' });
    expect(
      await getPayloadProblem(client.tables.create(path, { type: 'custom', expression: 'SELECT 1' })),
    ).toBe('missing-property at id');
    expect(await getPayloadProblem(client.tables.create(path, { type: 'custom', name: 'X' }))).toBe(
      'missing-property at expression',
    );
    expect(await getPayloadProblem(client.tables.create(path, { type: 'view', id: 'X' }))).toBe(
      'wrong-type at type',
    );
  });
});

describe('a custom table on a server that requires columns', () => {
  const table = { type: 'custom', name: 'X', expression: 'SELECT 1' };
  const path = { datamodelId: 'm', datasetId: 'd' };
  /** The server accepts custom tables only with columns, and rejects others with this error body. */
  const createColumnsRequiringClient = (status: number, errorBody: unknown) =>
    createTestClient(({ method, body }) => {
      if (method === 'GET') {
        return json([]);
      }
      const sent = JSON.parse(body ?? '{}') as { columns?: unknown };
      return Array.isArray(sent.columns) ? json({ oid: 't', ...sent }, 201) : json(errorBody, status);
    });
  const getSentColumnFlags = (transport: {
    readonly requests: readonly { method: string; body?: string }[];
  }) =>
    transport.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => 'columns' in JSON.parse(body ?? '{}'));

  test.each([
    [400, { title: 'Validation error', detail: 'Missing required property: columns' }],
    [422, { error: { message: '"columns" is required' } }],
  ])(
    'is sent again with columns after a refusal with %i, and the requirement is remembered',
    async (status, errorBody) => {
      const { client, transport } = createColumnsRequiringClient(status, errorBody);
      expect((await client.tables.create(path, table)).value?.oid).toBe('t');
      await client.tables.create(path, table);
      expect(getSentColumnFlags(transport)).toEqual([false, true, true]);
      expect(JSON.parse(transport.lastRequest.body ?? '')).toEqual({ id: 'X', ...table, columns: [] });
    },
  );

  test.each([
    [400, { title: 'Bad expression' }],
    [404, { title: 'columns' }],
    [500, { title: 'columns' }],
  ])('is not sent again after %i with %j', async (status, errorBody) => {
    const { client, transport } = createColumnsRequiringClient(status, errorBody);
    expect(await getFailure(client.tables.create(path, table))).toMatchObject({ status });
    expect(getSentColumnFlags(transport)).toEqual([false]);
  });

  test('a base table is not sent again', async () => {
    const { client, transport } = createColumnsRequiringClient(400, { title: 'columns are missing' });
    await getFailure(client.tables.create(path, { id: 'a.csv' }));
    expect(getSentColumnFlags(transport)).toEqual([false]);
  });

  test('its columns are read from the response', async () => {
    const { client } = createTestClient(
      json({ oid: 't', columns: [{ oid: 'c', id: 'Country', type: 18 }] }, 201),
    );
    const { value } = await client.tables.create(path, table);
    expect(value?.columns).toEqual([{ oid: 'c', id: 'Country', type: 18 }]);
  });
});

describe('relations', () => {
  const createEnd = (column: string, more: object = {}) => ({ dataset: 'd', table: 't', column, ...more });

  test('all columns are sent with all their fields, and nothing else [spec: datamodel.relation-columns]', async () => {
    const { client, getBody } = createClientWithLastBody();
    const columns = [createEnd('a', { isDropped: null }), createEnd('b')];
    await client.relations.update({ datamodelId: 'm', relationId: 'r' }, { oid: 'r', type: null, columns });
    expect(getBody()).toEqual({ columns });
  });

  test('at least two columns are required, each with its three oids [spec: relation.two-columns]', async () => {
    const { client } = createClientWithLastBody();
    const create = (columns: unknown) =>
      getPayloadProblem(client.relations.create({ datamodelId: 'm' }, { columns }));
    expect(await create([createEnd('a')])).toBe('too-few-columns at columns');
    expect(await create([createEnd('a'), { table: 't', column: 'c' }])).toBe(
      'missing-property at columns.1.dataset',
    );
    expect(await create(undefined)).toBe('missing-property at columns');
  });
});

describe('builds', () => {
  test('only the given fields are sent [spec: build.fields]', async () => {
    const { client, getBody } = createClientWithLastBody();
    const getSentBuild = async (build: object) => {
      await getFailure(client.builds.start(build as never));
      return getBody();
    };
    expect(await getSentBuild({ datamodelId: 'm', buildType: 'full' })).toEqual({
      datamodelId: 'm',
      buildType: 'full',
    });
    expect(
      await getSentBuild({
        datamodelId: 'm',
        buildType: 'by_table',
        rowLimit: 0,
        schemaOrigin: 'running',
        x: 1,
      }),
    ).toEqual({
      datamodelId: 'm',
      buildType: 'by_table',
      rowLimit: 0,
      schemaOrigin: 'running',
    });
  });

  test.each([
    [{ buildType: 'full' }, 'missing-property at datamodelId'],
    [{ datamodelId: 'm', buildType: 'all' }, 'wrong-type at buildType'],
    [{ datamodelId: 'm', buildType: 'full', schemaOrigin: 'first' }, 'wrong-type at schemaOrigin'],
    [{ datamodelId: 'm', buildType: 'full', rowLimit: -1 }, 'wrong-type at rowLimit'],
    [{ datamodelId: 'm', buildType: 'full', rowLimit: 1.5 }, 'wrong-type at rowLimit'],
  ])('%j is rejected', async (build, problem) => {
    expect(await getPayloadProblem(createClientWithLastBody().client.builds.start(build as never))).toBe(
      problem,
    );
  });

  test('canceling all always names the datamodel in the query', async () => {
    const { client, transport } = createClientWithLastBody();
    await client.builds.cancelAll({ datamodelId: 'm 1' });
    expect(transport.requestLines).toEqual(['DELETE /api/v2/builds?datamodelId=m%201']);
    expect(await getPayloadProblem(client.builds.cancelAll({ datamodelId: '' }))).toBe(
      'missing-property at datamodelId',
    );
  });
});

describe('custom data', () => {
  test('objects and filters are sent unchanged [spec: custom.stored-whole]', async () => {
    const { client, getBodyText } = createClientWithLastBody();
    const text = '{"a":1.0,"b":[{"c":9007199254740993}],"d":null}';
    await client.customData.create(parseLossless(text) as JsonObject);
    expect(getBodyText()).toBe(text);
    await client.customData.deleteMatching({});
    expect(getBodyText()).toBe('{}');
  });

  test('a change needs both the filter and the object [spec: custom.patch-both]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.customData.updateMatching({ queryForSearch: { a: 1 }, objectForUpdate: { b: 2 } });
    expect(getBody()).toEqual({ queryForSearch: { a: 1 }, objectForUpdate: { b: 2 } });
    expect(await getPayloadProblem(client.customData.updateMatching({ queryForSearch: {} }))).toBe(
      'missing-property at objectForUpdate',
    );
    expect(await getPayloadProblem(client.customData.updateMatching({ objectForUpdate: {} }))).toBe(
      'missing-property at queryForSearch',
    );
    expect(await getPayloadProblem(client.customData.query(undefined as never))).toBe('missing-property');
  });

  test('values that JSON cannot represent are rejected', async () => {
    const { client } = createClientWithLastBody();
    const circularObject: Record<string, unknown> = {};
    circularObject['self'] = circularObject;
    expect(await getPayloadProblem(client.customData.create(circularObject))).toBe('not-json');
    expect(await getPayloadProblem(client.customData.query(circularObject))).toBe('not-json');
    expect(await getPayloadProblem(client.customData.create({ big: 1n }))).toBe('not-json');
  });
});

describe('viewpoints', () => {
  const path = { viewpointId: 'v' };
  const details = { datasource: { title: 'R' }, columns: [{ table: 'T', column: 'C', odd: 1.5 }] };

  test('POST: name and description are required, the content is not checked [spec: viewpoint.required] [spec: viewpoint.not-validated]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.viewpoints.create({
      id: 'v',
      tenantId: 't',
      createdBy: 'x',
      name: 'N',
      description: '',
      details: { odd: 1 },
    });
    expect(getBody()).toEqual({ name: 'N', description: '', details: { odd: 1 } });
    expect(await getPayloadProblem(client.viewpoints.create({ name: '', description: 'd' }))).toBe(
      'missing-property at name',
    );
    expect(await getPayloadProblem(client.viewpoints.create({ name: 'N' }))).toBe(
      'missing-property at description',
    );
  });

  test('PUT: the fields to change are sent, complex ones as a whole [spec: viewpoint.put-partial] [spec: viewpoint.complex-whole]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.viewpoints.update(path, { name: 'Only the name' });
    expect(getBody()).toEqual({ name: 'Only the name' });
    await client.viewpoints.update(path, { details, updatedAt: 'now' });
    expect(getBody()).toEqual({ details });
    expect(await getPayloadProblem(client.viewpoints.update(path, { details: { columns: [] } }))).toBe(
      'incomplete-details at details.datasource',
    );
    expect(await getPayloadProblem(client.viewpoints.update(path, { updatedBy: 'me' }))).toBe(
      'missing-property',
    );
  });

  test.each([
    [{ apps: ['slack'] }, 'visibility-needs-party at visibility'],
    [{ apps: [], users: ['u'] }, 'visibility-needs-app at visibility.apps'],
    [{ groups: ['Sales'] }, 'visibility-needs-app at visibility.apps'],
  ])('visibility %j is rejected [spec: viewpoint.visibility-change]', async (visibility, problem) => {
    expect(
      await getPayloadProblem(createClientWithLastBody().client.viewpoints.update(path, { visibility })),
    ).toBe(problem);
  });

  test.each([
    { apps: ['slack'], users: ['u'] },
    { apps: ['slack'], groups: ['Sales'], users: [] },
    { apps: [], groups: [], users: [] },
    { enabled: true },
  ])('visibility %j is sent', async (visibility) => {
    const { client, getBody } = createClientWithLastBody();
    await client.viewpoints.update(path, { visibility });
    expect(getBody()).toEqual({ visibility });
  });
});
