import { describe, expect, test } from 'vitest';
import { createSandbox, partyIds, createRule } from './support.ts';

const cubeRulesPath = '/api/elasticubes/LocalHost/Retail/datasecurity';
const bulkPath = '/api/elasticubes/datasecurity';
const createRuleWithCube = (changes: Readonly<Record<string, unknown>> = {}) => ({
  server: 'LocalHost',
  elasticube: 'Retail',
  ...createRule(changes),
});

describe('POST', () => {
  test('server and cube come from the path; the response is the array of created rules with their _id (rest-api.md, "Data security, extract datamodels")', async () => {
    const { send } = createSandbox();
    const reply = await send('POST', cubeRulesPath, [createRule(), createRule({ column: 'City' })]);
    expect(reply.status).toBe(200);
    expect(reply.body).toHaveLength(2);
    expect(reply.body[0]).toMatchObject({
      ...createRuleWithCube(),
      shares: [{ party: partyIds.ann, type: 'user', partyName: 'Ann' }],
    });
    expect(reply.body[0]._id).toMatch(/^[0-9a-f]{24}$/);
    expect((await send('GET', cubeRulesPath)).body).toEqual(reply.body);
  });

  test('the bulk form writes across cubes, each rule with its server and cube (rest-api.md, "Data security, extract datamodels")', async () => {
    const { send } = createSandbox();
    const reply = await send('POST', bulkPath, [
      createRuleWithCube(),
      createRuleWithCube({ elasticube: 'Marketing' }),
    ]);
    expect(reply.status).toBe(200);
    expect((await send('GET', '/api/elasticubes/localhost/Marketing/datasecurity')).body).toHaveLength(1);
    const refused = await send('POST', bulkPath, [createRuleWithCube(), createRule()]);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('1/server');
  });

  test('POST adds, it does not replace (platform-facts.md, 3.1)', async () => {
    const { send } = createSandbox();
    await send('POST', cubeRulesPath, [createRule()]);
    await send('POST', cubeRulesPath, [createRule()]);
    expect((await send('GET', cubeRulesPath)).body).toHaveLength(2);
  });

  test('one POST is all or nothing (decisions.md, "Sandbox")', async () => {
    const { send } = createSandbox();
    const reply = await send('POST', cubeRulesPath, [createRule(), createRule(), createRule({ table: 7 })]);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 1002, status: 400, httpMessage: 'Bad Request' });
    expect(reply.body.error.message).toContain('2/table');
    expect((await send('GET', cubeRulesPath)).body).toEqual([]);
  });

  test.each([
    ['_id must not be sent on POST', { _id: 'x' }, '_id'],
    ['table is required', { table: undefined }, 'table'],
    ['column is required', { column: '' }, 'column'],
    ['datatype is required', { datatype: undefined }, 'datatype'],
    ['datatype is text or numeric', { datatype: 'datetime' }, 'datatype'],
    ['members is required, unless allMembers is used', { members: undefined }, 'members'],
    ['members is a list of strings', { members: [1] }, 'members/0'],
    ['members is an array', { members: 'North' }, 'members'],
    ['when allMembers is not used the value is null, not false', { allMembers: false }, 'allMembers'],
    ['allMembers is boolean or null', { allMembers: 'yes' }, 'allMembers'],
    ['exclusionary is a boolean', { exclusionary: 'no' }, 'exclusionary'],
    ['shares is required', { shares: undefined }, 'shares'],
    ['shares holds at least one party', { shares: [] }, 'shares'],
    ['a share is an object', { shares: ['x'] }, 'shares/0'],
    [
      'the type of a share is user, group or default',
      { shares: [{ party: 'x', type: 'role' }] },
      'shares/0/type',
    ],
    ['party is required when type is user', { shares: [{ type: 'user' }] }, 'shares/0/party'],
    ['party is required when type is group', { shares: [{ type: 'group', partyId: 'x' }] }, 'shares/0/party'],
  ])('%s (rest-api.md, "Data security rule, extract datamodel")', async (_rule, changes, field) => {
    const { send } = createSandbox();
    const reply = await send('POST', cubeRulesPath, [createRule(changes)]);
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain(`0/${field}:`);
  });

  test.each([
    ['only these', {}],
    ['all but these', { exclusionary: true }],
    ['everything', { members: [], allMembers: true }],
    ['everything, members left out', { members: undefined, allMembers: true }],
    ['nothing', { members: [], allMembers: false }],
    [
      'default: nothing to parties without a rule',
      { members: [], allMembers: false, shares: [{ type: 'default' }] },
    ],
    ['default: everything to them', { members: [], allMembers: true, shares: [{ type: 'default' }] }],
    [
      'many parties',
      {
        shares: [
          { party: partyIds.ann, type: 'user' },
          { party: partyIds.sales, type: 'group' },
        ],
      },
    ],
    ['numeric', { datatype: 'numeric', members: ['1', '2'] }],
    [
      'unknown table, column and members are not checked',
      { table: 'Ordrs', column: 'x y', members: ['\u0000', ''] },
    ],
  ])('a rule of kind "%s" is stored as sent (rest-api.md, "Kinds of rule")', async (_kind, changes) => {
    const { send } = createSandbox();
    const sent = JSON.parse(JSON.stringify(createRule(changes)));
    expect((await send('POST', cubeRulesPath, [sent])).body).toMatchObject([sent]);
    expect((await send('GET', cubeRulesPath)).body).toMatchObject([sent]);
  });

  test('an unknown user is kept, without a name (decisions.md, "Sandbox")', async () => {
    const { send } = createSandbox();
    const shares = [{ party: 'nobody', type: 'user' }];
    expect((await send('POST', cubeRulesPath, [createRule({ shares })])).body[0].shares).toEqual(shares);
  });

  test('the body is an array (rest-api.md, "Data security, extract datamodels"); an empty one is valid', async () => {
    const { send } = createSandbox();
    for (const body of [createRule(), 'x', 7, [7], [[createRule()]], null]) {
      expect(
        (await send('POST', cubeRulesPath, body === 'x' ? '"x"' : body === null ? 'null' : body)).status,
      ).toBe(400);
    }
    expect((await send('POST', cubeRulesPath, [])).body).toEqual([]);
  });

  test('fields that the guide does not show are kept', async () => {
    const { send } = createSandbox();
    const sent = JSON.stringify([createRule()]).replace('}]}', '}],"scope":{"n":1.0}}');
    expect((await send('POST', cubeRulesPath, sent)).text).toContain('"scope":{"n":1.0}');
  });
});

describe('GET', () => {
  test('returns the rules of one column; the names of table and column are case sensitive (rest-api.md, "Data security rule" 2)', async () => {
    const { send } = createSandbox();
    await send('POST', cubeRulesPath, [
      createRule(),
      createRule({ column: 'City' }),
      createRule({ table: 'Order Items/2' }),
    ]);
    const countRules = async (subpath: string) =>
      (await send('GET', `${cubeRulesPath}/${subpath}`)).body.length;
    expect(await countRules('Orders/Region')).toBe(1);
    expect(await countRules('Orders/region')).toBe(0);
    expect(await countRules(`${encodeURIComponent('Order Items/2')}/Region`)).toBe(1);
  });

  test('returns the rules of one user: those that name the user, or a group of the user', async () => {
    const { send } = createSandbox();
    await send('POST', cubeRulesPath, [
      createRule({ column: 'A' }),
      createRule({ column: 'B', shares: [{ party: partyIds.sales, type: 'group' }] }),
      createRule({ column: 'C', shares: [{ party: partyIds.finance, type: 'group' }] }),
      createRule({ column: 'D', members: [], allMembers: false, shares: [{ type: 'default' }] }),
      createRule({ column: 'E', shares: [{ party: 'stranger', type: 'user' }] }),
    ]);
    const getColumns = async (user: string) =>
      (await send('GET', `/api/elasticubes/LocalHost/Retail/${user}/datasecurity`)).body.map(
        (r: { column: string }) => r.column,
      );
    expect(await getColumns(partyIds.ann)).toEqual(['A', 'B']);
    expect(await getColumns(partyIds.bob)).toEqual(['C']);
    expect(await getColumns('stranger')).toEqual(['E']);
    expect(await getColumns('nobody')).toEqual([]);
  });

  test('LocalHost and localhost are one server; cube names are case sensitive (platform-facts.md, 3.1; rest-api.md, "Data security rule" 2)', async () => {
    const { send } = createSandbox();
    await send('POST', cubeRulesPath, [createRule()]);
    expect((await send('GET', '/api/elasticubes/localhost/Retail/datasecurity')).body).toHaveLength(1);
    expect((await send('GET', '/api/elasticubes/LocalHost/retail/datasecurity')).body).toEqual([]);
  });

  test('a cube set is the server "set" with the set’s name, case sensitive in payload and path (rest-api.md, "Data security rule, extract datamodel")', async () => {
    const { send } = createSandbox();
    await send('POST', '/api/elasticubes/set/All%20Shops/datasecurity', [createRule()]);
    await send('POST', bulkPath, [{ ...createRuleWithCube(), server: 'Set', elasticube: 'All Shops' }]);
    expect((await send('GET', '/api/elasticubes/set/All%20Shops/datasecurity')).body).toMatchObject([
      { server: 'set', elasticube: 'All Shops' },
    ]);
    expect((await send('GET', '/api/elasticubes/Set/All%20Shops/datasecurity')).body).toMatchObject([
      { server: 'Set' },
    ]);
    expect((await send('GET', '/api/elasticubes/set/all%20shops/datasecurity')).body).toEqual([]);
  });
});

describe('PUT', () => {
  test('updates the rule; _id is required (rest-api.md, "Data security rule" 1)', async () => {
    const { send } = createSandbox();
    const [stored] = (await send('POST', cubeRulesPath, [createRule()])).body;
    const path = `${bulkPath}/${stored._id}`;
    const changed = await send('PUT', path, { ...stored, members: ['South'], column: 'City' });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ _id: stored._id, members: ['South'], created: stored.created });
    expect((await send('GET', cubeRulesPath)).body).toEqual([changed.body]);
    expect((await send('GET', `${cubeRulesPath}/Orders/Region`)).body).toEqual([]);
    expect((await send('PUT', path, createRule())).status).toBe(400);
    expect((await send('PUT', path, { ...stored, _id: 'other' })).status).toBe(400);
    expect((await send('PUT', path, { _id: stored._id })).status).toBe(400);
    expect((await send('PUT', path, [stored])).status).toBe(400);
    expect((await send('PUT', `${bulkPath}/nothing`, { ...stored, _id: 'nothing' })).status).toBe(404);
  });

  test('keeps the server and the cube if they are omitted', async () => {
    const { send } = createSandbox();
    const [stored] = (await send('POST', cubeRulesPath, [createRule()])).body;
    const reply = await send('PUT', `${bulkPath}/${stored._id}`, {
      _id: stored._id,
      ...createRule({ members: ['South'] }),
    });
    expect(reply.body).toMatchObject({ server: 'LocalHost', elasticube: 'Retail', members: ['South'] });
  });
});

describe('DELETE', () => {
  test('deletes all rules of one column, named by ?table=&column= (platform-facts.md, 3.1)', async () => {
    const { send } = createSandbox();
    await send('POST', cubeRulesPath, [createRule(), createRule(), createRule({ column: 'City' })]);
    expect((await send('DELETE', `${cubeRulesPath}?table=Orders&column=Region`)).status).toBe(200);
    expect((await send('GET', cubeRulesPath)).body).toMatchObject([{ column: 'City' }]);
  });

  test.each(['', '?table=Orders', '?column=Region', '?table=&column='])(
    'without both names it is rejected and deletes nothing: "%s" (decisions.md, "Sandbox")',
    async (query) => {
      const { send } = createSandbox();
      await send('POST', cubeRulesPath, [createRule()]);
      expect((await send('DELETE', `${cubeRulesPath}${query}`)).status).toBe(400);
      expect((await send('GET', cubeRulesPath)).body).toHaveLength(1);
    },
  );

  test('deletes one rule by its _id (rest-api.md, "Data security, extract datamodels")', async () => {
    const { send } = createSandbox();
    const [first, second] = (await send('POST', cubeRulesPath, [createRule(), createRule()])).body;
    expect((await send('DELETE', `${bulkPath}/${first._id}`)).status).toBe(200);
    expect((await send('DELETE', `${bulkPath}/${first._id}`)).status).toBe(404);
    expect((await send('GET', cubeRulesPath)).body).toMatchObject([{ _id: second._id }]);
  });
});

test('only administrators create, change and delete rules; reading is for all (rest-api.md, "Authentication" 2)', async () => {
  const { send } = createSandbox();
  const [stored] = (await send('POST', cubeRulesPath, [createRule()])).body;
  const asUser = { as: 'user' } as const;
  const writes: [string, string, unknown?][] = [
    ['POST', cubeRulesPath, [createRule()]],
    ['POST', bulkPath, [createRuleWithCube()]],
    ['PUT', `${bulkPath}/${stored._id}`, stored],
    ['DELETE', `${bulkPath}/${stored._id}`],
    ['DELETE', `${cubeRulesPath}?table=Orders&column=Region`],
    ['POST', '/api/v1/elasticubes/live/Support/datasecurity', []],
    ['DELETE', '/api/v1/elasticubes/live/datasecurity/x'],
    ['DELETE', '/api/v1/elasticubes/live/Support/datasecurity/a/b'],
  ];
  for (const [method, path, body] of writes) {
    const reply = await send(method, path, body, asUser);
    expect(reply.status).toBe(403);
    expect(reply.body.error).toMatchObject({ status: 403, httpMessage: 'Forbidden' });
  }
  expect((await send('GET', cubeRulesPath, undefined, asUser)).body).toEqual([stored]);
});
