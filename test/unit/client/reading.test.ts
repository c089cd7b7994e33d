import { describe, expect, test } from 'vitest';
import { isRawNumber, parseLossless, stringify } from '../../../src/base/json.ts';
import { getFailure, json, createTestClient } from './support.ts';

const createModel = (fields: object = {}) => ({ oid: 'm', title: 'Retail', ...fields });
const createRule = (fields: object = {}) => ({ table: 'T', column: 'C', ...fields });
const createBody = (text: string, type = 'application/json') => ({
  body: text,
  headers: { 'content-type': type },
});

describe('lists', () => {
  test.each([
    ['an array', [createModel()]],
    ['an object with an array and a total', { total: 1, datamodels: [createModel()] }],
    ['one object by itself', createModel({ datasets: [] })],
  ])('are read from %s', async (_name, response) => {
    const { client } = createTestClient(json(response));
    const { value, json: jsonItems } = await client.datamodels.list();
    expect(value.map(({ title }) => title)).toEqual(['Retail']);
    // The lossless JSON contains only the items.
    expect(jsonItems).toMatchObject([{ oid: 'm', title: 'Retail' }]);
  });

  test.each(['null', '7', '"text"', 'true', '{}', '{"a":1}', '1.0', '[1.0]', '[null]'])(
    '%s is not a list',
    async (text) => {
      const { client } = createTestClient(createBody(text));
      expect(await getFailure(client.customData.list())).toMatchObject({ code: 'answer-wrong-shape' });
    },
  );

  test('an invalid item is named by its position', async () => {
    const { client } = createTestClient(
      json({ total: 2, models: [createModel(), createModel({ title: 7 })] }),
    );
    const error = await getFailure(client.datamodels.list());
    expect(error).toMatchObject({
      name: 'PartialResponseError',
      path: ['models', 1, 'title'],
      expected: 'string',
    });
    expect(error.message).toContain('wrong-shape at models.1.title (string)');
  });

  test('an unknown title gives an empty list, however the server reports it', async () => {
    const responses = [
      json({ title: 'NotFound', detail: 'none' }, 404),
      json(null),
      createBody(''),
      json([]),
    ];
    for (const response of responses) {
      const { client, transport } = createTestClient(response);
      expect((await client.datamodels.list({ title: 'No & One' })).value).toEqual([]);
      expect(transport.requestLines[0]).toBe('GET /api/v2/datamodels?title=No%20%26%20One');
    }
  });

  test('limit and skip are sent together, and fields always contain oid and title', async () => {
    const { client, transport } = createTestClient(json([]));
    await client.datamodels.list({ fields: ['type'], sort: '-title', skip: 20, limit: 10 });
    expect(transport.requestLines).toEqual([
      'GET /api/v2/datamodels?fields=oid%2Ctitle%2Ctype&sort=-title&limit=10&skip=20',
    ]);
  });
});

test('null in place of any list is an error, and never read as an empty list', async () => {
  const lists: ((client: ReturnType<typeof createTestClient>['client']) => Promise<unknown>)[] = [
    (client) => client.datamodels.list(),
    (client) => client.datamodels.listSummaries(),
    (client) => client.tables.list({ datamodelId: 'm', datasetId: 'd' }),
    (client) => client.extractRules.list({ server: 'LocalHost', elasticube: 'Retail' }),
    (client) => client.liveRules.list({ title: 'Retail' }),
    (client) => client.viewpoints.list(),
    (client) => client.users.list(),
  ];
  for (const list of lists) {
    const { client } = createTestClient(json(null));
    expect(await getFailure(list(client))).toMatchObject({ code: 'answer-wrong-shape', expected: 'array' });
  }
});

describe('viewpoints are returned in pages [spec: viewpoint.total]', () => {
  const viewpoint = { id: 'v', name: 'Sales' };

  test.each([
    [{ total: 130, viewpoints: [viewpoint] }, 130],
    [{ items: [viewpoint], totalCount: 7 }, 7],
    [{ count: 3, data: [viewpoint], other: [] }, 3],
    [[viewpoint], undefined],
    [{ data: [viewpoint], total: 'many' }, undefined],
  ])('%j', async (response, total) => {
    const { client } = createTestClient(json(response));
    const { value } = await client.viewpoints.list();
    expect(value.viewpoints.map(({ id }) => id)).toEqual(['v']);
    expect(value.total).toBe(total);
  });

  test('every query parameter is sent [spec: viewpoint.query]', async () => {
    const { client, transport } = createTestClient(json([]));
    const search = { text: 'a b', visibility: { apps: ['slack'] } };
    await client.viewpoints.list({ search, with: ['visibility', 'details'], offset: 100, limit: 50 });
    await client.viewpoints.list({ with: 'details' });
    expect(transport.requestLines).toEqual([
      `GET /api/v1/infusion/viewpoints?search=${encodeURIComponent(JSON.stringify(search))}&with=visibility%2Cdetails&offset=100&limit=50`,
      'GET /api/v1/infusion/viewpoints?with=details',
    ]);
  });
});

describe('single items', () => {
  test('a datamodel without anything unusual is not copied', async () => {
    const columns = [{ oid: 'c', name: 'Date', type: 4, hidden: false }];
    const tables = [{ oid: 't', name: 'Orders', type: 'base', columns }];
    const datasets = [{ oid: 'd', type: 'extract', connection: { parameters: {} }, schema: { tables } }];
    const { client } = createTestClient(json({ oid: 'm', title: 'Retail', type: 'extract', datasets }));
    const { value, json: body } = await client.datamodels.get({ datamodelId: 'm' });
    // So the schema was not run: it returns a copy.
    expect(value).toBe(body);
  });

  test('null is a not-found error', async () => {
    const { client } = createTestClient(json(null));
    expect(await getFailure(client.datamodels.get({ datamodelId: 'm' }))).toMatchObject({
      code: 'not-found',
      isNotFound: true,
      status: 200,
    });
  });

  test.each([
    ['', 'empty', 'application/json'],
    ['  \n', 'empty', 'application/json'],
    ['{"oid":"m","title":"Re', 'truncated', 'application/json'],
    ['[{"oid"', 'truncated', 'application/json'],
    ['OK', 'not-json', 'text/plain'],
    ['{"oid" "m"}', 'not-json', 'application/json'],
    ['<!doctype html><title>Sign in</title>', 'html', 'text/html'],
    ['\n <html>Sign in</html>', 'html', 'application/json'],
    ['Sign in', 'html', 'text/html; charset=utf-8'],
    ['"text"', 'wrong-shape', 'application/json'],
    ['1.0', 'wrong-shape', 'application/json'],
    ['[]', 'wrong-shape', 'application/json'],
    ['{"oid":""}', 'wrong-shape', 'application/json'],
  ])('%j is %s', async (text, problem, type) => {
    const { client } = createTestClient(createBody(text, type));
    const error = await getFailure(client.datamodels.get({ datamodelId: 'm' }));
    expect(error).toMatchObject({ name: 'SchemaError', problem, code: `answer-${problem}`, status: 200 });
    expect(error.message).not.toMatch(/Sign in|"m"/);
    expect(error.cause).toBeUndefined();
  });

  test('JSON with a wrong content type is read anyway', async () => {
    const { client } = createTestClient(createBody('{"isauthenticated":true}', 'text/html'));
    expect((await client.session.check()).value.isauthenticated).toBe(true);
  });

  test('the session shows whether the token is valid [spec: auth.isauth]', async () => {
    const { client } = createTestClient(json({ isauthenticated: false, extra: 1 }));
    expect((await client.session.check()).value).toEqual({ isauthenticated: false, extra: 1 });
  });

  test('a group is the first item of the array, or undefined if the array is empty [spec: group.first]', async () => {
    const { client, transport } = createTestClient((_request, index) =>
      json(index === 0 ? [{ _id: 'a' }, { _id: 'b' }] : []),
    );
    expect((await client.groups.find('Sales & Co')).value?._id).toBe('a');
    expect((await client.groups.find('Nobody')).value).toBeUndefined();
    expect(transport.requestLines[0]).toBe('GET /api/v1/groups?fields=_id&name=Sales%20%26%20Co');
  });
});

describe('different spellings are read', () => {
  test('types in upper case, and expressions as text or as an object', async () => {
    const createTable = (expression: unknown) => ({ oid: 't', type: 'CUSTOM', expression });
    const { client } = createTestClient(
      json([createTable('SELECT 1'), createTable({ oid: 'e', expression: 'SELECT 2' }), createTable(null)]),
    );
    const { value } = await client.tables.list({ datamodelId: 'm', datasetId: 'd' });
    expect(value.map(({ type }) => type)).toEqual(['custom', 'custom', 'custom']);
    expect(value.map(({ expression }) => expression)).toEqual([
      'SELECT 1',
      { oid: 'e', expression: 'SELECT 2' },
      null,
    ]);
  });

  test('party and partyId, and members as texts or numbers', async () => {
    const shares = [{ party: 'a', type: 'user' }, { partyId: 'b', type: 'group' }, { type: 'default' }];
    const text = `[${JSON.stringify(createRule({ shares })).slice(0, -1)},"members":["x",7,1.0,9007199254740993]}]`;
    const { client } = createTestClient(createBody(text));
    const response = await client.extractRules.list({ server: 's', elasticube: 'e' });
    expect(response.value[0]?.shares).toEqual(shares);
    expect(response.value[0]?.members).toHaveLength(4);
    expect(response.text).toBe(text);
  });

  test('a build task with its ID under any key, and with a null status [spec: build.oid]', async () => {
    for (const task of [{ oid: 'b' }, { id: 'b' }, { _id: 'b', status: null }]) {
      const { client } = createTestClient(json(task, 201));
      expect((await client.builds.start({ datamodelId: 'm', buildType: 'full' })).value.oid).toBe('b');
    }
  });
});

describe('responses to writes are not specified, so anything is accepted [spec: datamodel.bodies-not-shown]', () => {
  test.each([
    ['', undefined],
    ['null', undefined],
    ['OK', undefined],
    ['{"success":true}', undefined],
    ['7', undefined],
    ['[]', undefined],
    ['{"oid":"n","title":"New"}', 'n'],
    ['{"id":"n","title":"New"}', 'n'],
    ['{"_id":"n","title":"New"}', 'n'],
  ])('%j', async (text, oid) => {
    const { client } = createTestClient({ ...createBody(text, 'text/plain'), status: 201 });
    const answer = await client.datamodels.create({ title: 'New' });
    expect(answer.value?.oid).toBe(oid);
    expect(answer.text).toBe(text);
  });

  test('204 without a body has no value', async () => {
    const { client } = createTestClient({ status: 204 });
    expect((await client.relations.delete({ datamodelId: 'm', relationId: 'r' })).value).toBeUndefined();
    expect(
      (await client.tables.create({ datamodelId: 'm', datasetId: 'd' }, { id: 'x' })).value,
    ).toBeUndefined();
  });

  test('created rules are a list, also of a single rule; undefined if they cannot be read', async () => {
    const read = async (text: string) => {
      const { client } = createTestClient(createBody(text));
      const newRule = createRule({ shares: [], members: ['a'] });
      return (await client.extractRules.create({ server: 's', elasticube: 'e' }, [newRule])).value?.map(
        ({ _id }) => _id,
      );
    };
    expect(await read(JSON.stringify([createRule({ _id: '1' }), createRule({ _id: '2' })]))).toEqual([
      '1',
      '2',
    ]);
    expect(await read(JSON.stringify(createRule({ _id: '1' })))).toEqual(['1']);
    expect(await read('{"success":true}')).toBeUndefined();
    expect(await read('')).toBeUndefined();
  });

  test('a web page is not a success: the write went somewhere else', async () => {
    const { client } = createTestClient(createBody('<html>Sign in</html>', 'text/html'));
    for (const call of [
      client.datamodels.create({ title: 'X' }),
      client.datamodels.delete({ datamodelId: 'm' }),
    ]) {
      expect(await getFailure(call)).toMatchObject({ problem: 'html', mayHaveTakenEffect: true });
    }
  });

  test('a truncated body is an error, with the warning that the write may have happened', async () => {
    const { client } = createTestClient(createBody('{"oid":"n","ti'));
    expect(await getFailure(client.datamodels.create({ title: 'X' }))).toMatchObject({
      problem: 'truncated',
      mayHaveTakenEffect: true,
      remedy: 'look-before-repeating',
    });
  });

  test('the status of the viewpoint service may have any form [spec: viewpoint.status-not-shown]', async () => {
    const read = async (text: string) => {
      const { client } = createTestClient(createBody(text, 'text/plain'));
      return (await client.viewpoints.status()).value;
    };
    expect(await read('{"status":"ok"}')).toEqual({ status: 'ok' });
    expect(await read('running')).toBe('running');
    expect(await read('')).toBeUndefined();
  });
});

test('unknown fields are kept, numbers stay as they were written', async () => {
  const text =
    '{"oid":"m","title":"R","huge":9007199254740993,"one":1.0,"__proto__":{"x":1},"deep":{"n":[1e3,-0,null]}}';
  const { client } = createTestClient(createBody(text));
  const answer = await client.datamodels.get({ datamodelId: 'm' });
  expect(answer.text).toBe(text);
  expect(stringify(parseLossless(answer.text))).toBe(text);
  expect(isRawNumber(answer.value['huge'])).toBe(true);
  expect(stringify(answer.value['deep'])).toBe('{"n":[1e3,-0,null]}');
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});
