import { describe, expect, test } from 'vitest';
import { builtInUsers } from '../../../src/sandbox/seeds/seed.ts';
import { createSandbox, type SendOptions, type TestSandbox } from './support.ts';

const path = '/api/v1/infusion/viewpoints';
const sharedVisibility = { apps: ['slack'], groups: ['Sales'], users: [] };
const details = {
  datasource: { id: 'r', title: 'Retail', fullname: 'LocalHost/Retail', modelType: 'live' },
  columns: [
    { table: 'Orders', column: 'Total', dim: '[Orders.Total]', datatype: 'numeric', agg: 'sum' },
    { table: 'Orders', column: 'Region', dim: '[Orders.Region]', datatype: 'text' },
  ],
};

const create = async (
  { send }: TestSandbox,
  body: Readonly<Record<string, unknown>>,
  options?: SendOptions,
) => (await send('POST', path, { description: '', ...body }, options)).body;

const getNames = (reply: { body: { viewpoints: { name: string }[] } }): string[] =>
  reply.body.viewpoints.map(({ name }) => name);

test('GET /infusion/status needs no authorization, the other viewpoint endpoints do (rest-api.md, "Authentication" 5)', async () => {
  const { send } = createSandbox();
  expect((await send('GET', '/api/v1/infusion/status', undefined, { as: 'nobody' })).status).toBe(200);
  expect((await send('GET', path, undefined, { as: 'nobody' })).status).toBe(401);
});

describe('POST', () => {
  test('name and description are required (rest-api.md, "POST /infusion/viewpoints")', async () => {
    const { send } = createSandbox();
    for (const body of [
      {},
      { name: 'A' },
      { description: 'B' },
      { name: '', description: '' },
      { name: 1, description: '' },
      [],
    ]) {
      expect((await send('POST', path, body)).status).toBe(400);
    }
    expect((await send('POST', path, { name: 'A', description: '', details: 'x' })).status).toBe(400);
    expect((await send('POST', path, { name: 'A', description: '', visibility: [] })).status).toBe(400);
  });

  test('returns the viewpoint with its server-generated fields', async () => {
    const { send, clock } = createSandbox();
    const { status, body } = await send('POST', path, {
      name: 'A',
      description: 'B',
      details,
      id: 'mine',
      createdBy: 'me',
    });
    expect(status).toBe(201);
    const now = new Date(clock.now()).toISOString();
    const { _id: user } = builtInUsers.administrator;
    expect(body).toMatchObject({
      name: 'A',
      createdBy: user,
      updatedBy: user,
      createdAt: now,
      updatedAt: now,
      details,
    });
    expect(body.id).toMatch(/^[0-9a-f]{24}$/);
    expect((await send('GET', `${path}/${body.id}`)).body).toEqual(body);
  });

  test('is unpublished unless the visibility has enabled (rest-api.md, "Viewpoint publication")', async () => {
    const sandbox = createSandbox();
    const getEnabled = async (name: string, body: Readonly<Record<string, unknown>>) => {
      const created = await create(sandbox, { name, ...body });
      return [created.enabled, created.visibility.enabled];
    };
    expect(await getEnabled('A', {})).toEqual([false, false]);
    expect(await getEnabled('B', { enabled: true })).toEqual([false, false]);
    expect(await getEnabled('C', { visibility: { ...sharedVisibility } })).toEqual([false, false]);
    expect(await getEnabled('D', { visibility: { ...sharedVisibility, enabled: true } })).toEqual([
      true,
      true,
    ]);
  });

  test('the name is unique (rest-api.md, "Viewpoint")', async () => {
    const sandbox = createSandbox();
    await create(sandbox, { name: 'A' });
    const reply = await sandbox.send('POST', path, { name: 'A', description: '' });
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain('name');
    expect((await sandbox.send('POST', path, { name: 'a', description: '' })).status).toBe(201);
  });

  test('the content is not validated (rest-api.md, "POST /infusion/viewpoints")', async () => {
    const { send } = createSandbox();
    const body =
      '{"name":"A","description":"","details":{"columns":[{"infusion":{"uid":true}},{"infusion":{"uid":true},"n":1.0}],"datasource":7},"visibility":{"apps":["x"]},"more":[1e2]}';
    const reply = await send('POST', path, body);
    expect(reply.status).toBe(201);
    expect(reply.text).toContain('"n":1.0');
    expect(reply.text).toContain('"more":[1e2]');
  });

  // The platform leaves these limits to the author of the viewpoint, so the sandbox must not enforce them.
  test.each([
    ['uid [spec: limit.uid]', 'uid'],
    ['defaultMeasure [spec: limit.default-measure]', 'defaultMeasure'],
    ['defaultDate [spec: limit.default-date]', 'defaultDate'],
  ])('a viewpoint with two columns of infusion.%s is stored unchanged', async (_title, flag) => {
    const sandbox = createSandbox();
    const columns = details.columns.map((column) => ({ ...column, infusion: { [flag]: true } }));
    const { id } = await create(sandbox, { name: 'A', details: { ...details, columns } });
    const { body } = await sandbox.send('GET', `${path}/${id}`);
    expect(body.details.columns).toEqual(columns);
  });
});

describe('GET list', () => {
  async function createMany(count: number): Promise<TestSandbox> {
    const sandbox = createSandbox();
    for (let index = 0; index < count; index += 1) {
      await create(sandbox, { name: `V${String(index).padStart(3, '0')}` });
    }
    return sandbox;
  }

  test('is ordered by ID, 100 rows by default, with the total count (rest-api.md, "Limits")', async () => {
    const { send } = await createMany(103);
    const { body } = await send('GET', path);
    expect(body).toMatchObject({ total: 103, offset: 0, limit: 100 });
    expect(body.viewpoints).toHaveLength(100);
    const ids = body.viewpoints.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
    expect(body.viewpoints[0]).not.toHaveProperty('details');
    expect(body.viewpoints[0]).not.toHaveProperty('visibility');
  });

  test('offset skips, limit bounds; there is no maximum (rest-api.md, "GET /infusion/viewpoints")', async () => {
    const { send } = await createMany(5);
    expect(getNames(await send('GET', `${path}?offset=3`))).toEqual(['V003', 'V004']);
    expect(getNames(await send('GET', `${path}?offset=1&limit=2`))).toEqual(['V001', 'V002']);
    expect(getNames(await send('GET', `${path}?limit=1000000`))).toHaveLength(5);
    expect((await send('GET', `${path}?limit=0`)).body).toMatchObject({ total: 5, viewpoints: [] });
    expect(getNames(await send('GET', `${path}?offset=9`))).toEqual([]);
    for (const invalidQuery of ['limit=-1', 'limit=x', 'offset=1.5', 'offset=1e400']) {
      expect((await send('GET', `${path}?${invalidQuery}`)).status).toBe(400);
    }
  });

  test('the parameter `with` adds visibility, details, or both (rest-api.md, "GET /infusion/viewpoints"); visibility is there even if nothing is shared', async () => {
    const sandbox = createSandbox();
    await create(sandbox, { name: 'A', details });
    const getFirst = async (query: string) =>
      (await sandbox.send('GET', `${path}?${query}`)).body.viewpoints[0];
    expect(await getFirst('with=visibility')).toMatchObject({
      visibility: { apps: [], groups: [], users: [], enabled: false },
    });
    expect(await getFirst('with=visibility')).not.toHaveProperty('details');
    expect(await getFirst('with=details')).toMatchObject({ details });
    expect(await getFirst('with=visibility,details')).toMatchObject({ details, visibility: {} });
    expect((await sandbox.send('GET', `${path}?with=everything`)).status).toBe(400);
  });
});

describe('search (rest-api.md, "ViewpointSearch")', () => {
  async function findNames(search: unknown, sandbox?: TestSandbox): Promise<string[]> {
    const { send } = sandbox ?? (await createLibrary());
    const text = typeof search === 'string' ? search : JSON.stringify(search);
    const reply = await send('GET', `${path}?search=${encodeURIComponent(text)}`);
    expect(reply.body.total).toBe(reply.body.viewpoints.length);
    return getNames(reply);
  }

  async function createLibrary(): Promise<TestSandbox> {
    const sandbox = createSandbox();
    await create(sandbox, {
      name: 'Revenue',
      description: 'by Region',
      details,
      visibility: { ...sharedVisibility, enabled: true },
    });
    await sandbox.clock.advance(10_000);
    await create(sandbox, {
      name: 'Returns',
      description: 'Revenue lost',
      visibility: { ...sharedVisibility, apps: ['teams', 'slack'] },
    });
    await sandbox.clock.advance(10_000);
    await create(sandbox, { name: 'Stock_%', description: 'in stores' });
    return sandbox;
  }

  test('the ID must match exactly', async () => {
    const sandbox = await createLibrary();
    const { viewpoints } = (await sandbox.send('GET', path)).body;
    expect(await findNames({ id: viewpoints[1].id }, sandbox)).toEqual(['Returns']);
    expect(await findNames({ id: viewpoints[1].id.slice(1) }, sandbox)).toEqual([]);
  });

  test.each<[unknown, string[]]>([
    [{ name: 'Re' }, ['Revenue', 'Returns']],
    [{ name: 're' }, []],
    [{ name: '_%' }, ['Stock_%']],
    [{ description: 'Revenue' }, ['Returns']],
    [{ description: 'revenue' }, []],
    [{ text: 'Revenue' }, ['Revenue', 'Returns']],
    [{ text: 'stores', name: 'Re' }, []],
    [{ visibility: { apps: ['slack'] } }, ['Revenue', 'Returns']],
    [{ visibility: { apps: ['slack', 'teams'] } }, ['Returns']],
    [{ visibility: { enabled: true } }, ['Revenue']],
    [{ visibility: { enabled: false } }, ['Returns', 'Stock_%']],
    [{ visibility: { groups: ['Sales'], users: ['x'] } }, []],
    [{ details: { datasource: { title: 'Retail' } } }, ['Revenue']],
    [{ details: { columns: [{ column: 'Region' }, { agg: 'sum' }] } }, ['Revenue']],
    [{ details: { columns: [{ column: 'Region', agg: 'sum' }] } }, []],
    [{ details: {} }, ['Revenue', 'Returns', 'Stock_%']],
    [{}, ['Revenue', 'Returns', 'Stock_%']],
  ])('%j', async (search, expected) => {
    expect(await findNames(search)).toEqual(expected);
  });

  test('lastUpdate accepts before and after, either or both, as timestamp or ISO datetime', async () => {
    const sandbox = await createLibrary();
    const [first = 0, second = 0, third = 0] = (await sandbox.send('GET', path)).body.viewpoints.map(
      ({ updatedAt }: { updatedAt: string }) => Date.parse(updatedAt),
    );
    const toIsoText = (time: number) => new Date(time).toISOString();
    expect(await findNames({ lastUpdate: { after: first } }, sandbox)).toEqual(['Returns', 'Stock_%']);
    expect(await findNames({ lastUpdate: { before: toIsoText(second) } }, sandbox)).toEqual(['Revenue']);
    expect(await findNames({ lastUpdate: { after: toIsoText(first), before: third } }, sandbox)).toEqual([
      'Returns',
    ]);
    expect(await findNames({ lastUpdate: { after: String(second) } }, sandbox)).toEqual(['Stock_%']);
    expect(await findNames({ lastUpdate: {} }, sandbox)).toHaveLength(3);
  });

  test('pages a search, with the number of all matches as its total', async () => {
    const { send } = await createLibrary();
    const search = encodeURIComponent(JSON.stringify({ visibility: { apps: ['slack'] } }));
    const { body } = await send('GET', `${path}?search=${search}&offset=1&limit=1`);
    expect(body).toMatchObject({ total: 2, viewpoints: [{ name: 'Returns' }] });
  });

  test.each([
    '{',
    '[]',
    '7',
    '{"color":"red"}',
    '{"name":1}',
    '{"lastUpdate":{"after":"soon"}}',
    '{"visibility":[]}',
  ])('%s is rejected', async (search) => {
    const { send } = createSandbox();
    expect((await send('GET', `${path}?search=${encodeURIComponent(search)}`)).status).toBe(400);
  });
});

describe('PUT', () => {
  test('changes the root fields that are sent, for example only name (rest-api.md, "PUT /infusion/viewpoints")', async () => {
    const sandbox = createSandbox();
    const created = await create(sandbox, {
      name: 'A',
      details,
      visibility: { ...sharedVisibility, enabled: true },
      more: 1,
    });
    await sandbox.clock.advance(1000);
    const reply = await sandbox.send('PUT', `${path}/${created.id}`, { name: 'B' }, { as: 'user' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ...created,
      name: 'B',
      updatedBy: builtInUsers.user._id,
      updatedAt: new Date(sandbox.clock.now()).toISOString(),
    });
    expect((await sandbox.send('GET', `${path}/${created.id}`)).body).toEqual(reply.body);
  });

  test('complex properties are replaced as a whole (rest-api.md, "PUT /infusion/viewpoints")', async () => {
    const sandbox = createSandbox();
    const { id } = await create(sandbox, {
      name: 'A',
      details,
      visibility: { ...sharedVisibility, users: ['u'] },
    });
    const reply = await sandbox.send('PUT', `${path}/${id}`, {
      details: { columns: [] },
      visibility: { apps: ['teams'], groups: ['Finance'] },
    });
    expect(reply.body.details).toEqual({ columns: [] });
    expect(reply.body.visibility).toEqual({
      apps: ['teams'],
      groups: ['Finance'],
      users: [],
      enabled: false,
    });
  });

  test.each([
    ['no app', { apps: [], groups: ['Sales'] }, 400],
    ['neither user nor group', { apps: ['slack'], groups: [], users: [] }, 400],
    ['an app and a user', { apps: ['slack'], users: ['u'] }, 200],
    ['an app and a group', { apps: ['slack'], groups: ['g'] }, 200],
    ['nothing at all, to unshare', { apps: [], groups: [], users: [] }, 200],
    ['apps that are no array', { apps: 'slack', groups: ['g'] }, 400],
  ])(
    'changing visibility needs an app and a user or group (rest-api.md, "Limits"): %s',
    async (_case, visibility, status) => {
      const sandbox = createSandbox();
      const { id } = await create(sandbox, { name: 'A', visibility: sharedVisibility });
      expect((await sandbox.send('PUT', `${path}/${id}`, { visibility })).status).toBe(status);
    },
  );

  test('sharing and publishing are separate (rest-api.md, "Viewpoint"): each leaves the other unchanged', async () => {
    const sandbox = createSandbox();
    const { id } = await create(sandbox, { name: 'A', visibility: sharedVisibility });
    const put = async (body: unknown) => (await sandbox.send('PUT', `${path}/${id}`, body)).body;
    expect(await put({ visibility: { ...sharedVisibility, enabled: true } })).toMatchObject({
      enabled: true,
      visibility: { enabled: true },
    });
    expect(await put({ visibility: { ...sharedVisibility, users: ['u'] } })).toMatchObject({
      enabled: true,
      visibility: { users: ['u'] },
    });
    expect(await put({ enabled: false })).toMatchObject({
      enabled: false,
      visibility: { users: ['u'], enabled: false },
    });
  });

  test('rejects a taken name, wrong types and unknown IDs', async () => {
    const sandbox = createSandbox();
    await create(sandbox, { name: 'A' });
    const { id } = await create(sandbox, { name: 'B' });
    for (const body of [
      { name: 'A' },
      { name: '' },
      { name: null },
      { description: 1 },
      { details: [] },
      { enabled: 'yes' },
      [],
    ]) {
      expect((await sandbox.send('PUT', `${path}/${id}`, body)).status).toBe(400);
    }
    expect((await sandbox.send('PUT', `${path}/${id}`, { name: 'B' })).status).toBe(200);
    expect((await sandbox.send('PUT', `${path}/nothing`, { name: 'C' })).status).toBe(404);
  });
});

test('DELETE removes the viewpoint (rest-api.md, "DELETE /infusion/viewpoints")', async () => {
  const sandbox = createSandbox();
  const { id } = await create(sandbox, { name: 'A' });
  expect((await sandbox.send('DELETE', `${path}/${id}`)).status).toBe(200);
  expect((await sandbox.send('GET', `${path}/${id}`)).status).toBe(404);
  expect((await sandbox.send('DELETE', `${path}/${id}`)).status).toBe(404);
  await create(sandbox, { name: 'A' });
});

test('x-tenent-id limits every call to the viewpoints of that tenant (rest-api.md, "Viewpoint API")', async () => {
  const sandbox = createSandbox();
  const firstTenant = { headers: { 'x-tenent-id': 'T1' } };
  const secondTenant = { headers: { 'x-tenent-id': 'T2' } };
  const created = await create(sandbox, { name: 'A' }, firstTenant);
  await create(sandbox, { name: 'B' });
  expect(created.tenantId).toBe('T1');
  expect(getNames(await sandbox.send('GET', path, undefined, firstTenant))).toEqual(['A']);
  expect(getNames(await sandbox.send('GET', path, undefined, secondTenant))).toEqual([]);
  expect(getNames(await sandbox.send('GET', path))).toEqual(['A', 'B']);
  const viewpointPath = `${path}/${created.id}`;
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { name: 'X' }],
    ['DELETE', undefined],
  ] as const) {
    expect((await sandbox.send(method, viewpointPath, body, secondTenant)).status).toBe(404);
  }
  expect((await sandbox.send('PUT', viewpointPath, { tenantId: 'T2' }, firstTenant)).body.tenantId).toBe(
    'T1',
  );
  expect((await sandbox.send('DELETE', viewpointPath, undefined, firstTenant)).status).toBe(200);
});
