import { describe, expect, test } from 'vitest';
import { type JsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { getPayloadProblem, createClientWithLastBody } from './support.ts';

const cube = { server: 'LocalHost', elasticube: 'Retail' };
const createRule = (fields: object = {}) => ({
  table: 'T',
  column: 'C',
  datatype: 'text',
  members: ['a'],
  allMembers: null,
  shares: [{ party: 'u', type: 'user' }],
  ...fields,
});

describe('rules of extract datamodels', () => {
  test('POST: party is sent, without _id, server, elasticube and server-generated fields; the rest is unchanged [spec: rule.id-post] [spec: rule.place-in-path]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.extractRules.create(cube, [
      {
        ...createRule({ exclusionary: true, custom: { kept: 1 } }),
        ...cube,
        _id: 'x',
        created: 'now',
        lastModified: 'now',
        importedIdIdentifier: 'i',
        shares: [
          { partyId: 'g', partyName: 'Sales', type: 'group', more: 1 },
          { type: 'default', partyId: null },
        ],
      },
    ]);
    expect(getBody()).toEqual([
      {
        ...createRule({ exclusionary: true, custom: { kept: 1 } }),
        shares: [{ party: 'g', type: 'group', more: 1 }, { type: 'default' }],
      },
    ]);
  });

  test('bulk POST: each rule names its cube, in the given spelling [spec: rule.place-in-body] [spec: rule.cube-set]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.extractRules.createMany([
      createRule({ server: 'set', elasticube: 'My Set' }),
      createRule(cube),
    ]);
    expect(getBody()).toMatchObject([{ server: 'set', elasticube: 'My Set' }, cube]);
    expect(
      await getPayloadProblem(
        client.extractRules.createMany([createRule(cube), createRule({ server: 'x' })]),
      ),
    ).toBe('missing-property at 1.elasticube');
  });

  test('PUT: the _id of the path is sent [spec: rule.id-put]', async () => {
    const { client, getBody, transport } = createClientWithLastBody();
    await client.extractRules.update({ ruleId: 'r1' }, createRule(cube));
    expect(getBody()).toEqual({ _id: 'r1', ...createRule(cube) });
    expect(transport.lastRequest.method).toBe('PUT');
    expect(
      await getPayloadProblem(client.extractRules.update({ ruleId: 'r1' }, createRule({ _id: 'r2' }))),
    ).toBe('id-mismatch at _id');
  });

  test('unused allMembers is sent as null [spec: rule.all-members-null]', async () => {
    const { client, getBody } = createClientWithLastBody();
    const { allMembers: _allMembers, ...ruleWithoutAllMembers } = createRule();
    await client.extractRules.create(cube, [
      ruleWithoutAllMembers,
      createRule({ allMembers: true, members: undefined }),
      createRule({ allMembers: false, members: [] }),
    ]);
    expect(getBody().map((each: JsonObject) => each['allMembers'])).toEqual([null, true, false]);
  });

  test('members are strings, numbers as they are written [spec: rule.members-strings]', async () => {
    const { client, getBodyText } = createClientWithLastBody();
    const document = parseLossless(
      stringify(createRule()).replace('["a"]', '["a",1.0,9007199254740993,5]'),
    ) as JsonObject;
    await client.extractRules.create(cube, [document]);
    expect(getBodyText()).toContain('"members":["a","1.0","9007199254740993","5"]');
  });

  test.each([
    [{ table: undefined }, 'missing-property at 0.table'],
    [{ column: 5 }, 'wrong-type at 0.column'],
    [{ shares: undefined }, 'missing-property at 0.shares'],
    [{ shares: [{ type: 'user' }] }, 'missing-property at 0.shares.0.party'],
    [{ shares: [{ type: 'group', party: '' }] }, 'missing-property at 0.shares.0.party'],
    [{ shares: [{ type: 'team', party: 'x' }] }, 'wrong-type at 0.shares.0.type'],
    [{ shares: [{ party: 'x' }] }, 'missing-property at 0.shares.0.type'],
    [{ members: undefined }, 'missing-property at 0.members'],
    [{ members: 'a' }, 'wrong-type at 0.members'],
  ])('%j is rejected: %s [spec: rule.required] [spec: rule.party-required]', async (more, problem) => {
    expect(
      await getPayloadProblem(
        createClientWithLastBody().client.extractRules.create(cube, [createRule(more)]),
      ),
    ).toBe(problem);
  });

  test('an empty list, or items that are not objects, are rejected', async () => {
    const { client, transport } = createClientWithLastBody();
    expect(await getPayloadProblem(client.extractRules.create(cube, []))).toBe('empty-list');
    expect(await getPayloadProblem(client.extractRules.create(cube, [null as never]))).toBe(
      'missing-property at 0',
    );
    expect(await getPayloadProblem(client.extractRules.createMany([7 as never]))).toBe('wrong-type at 0');
    expect(transport.requests).toEqual([]);
  });

  test('the rules of a column are deleted by both names, never by one', async () => {
    const { client, transport } = createClientWithLastBody();
    await client.extractRules.deleteByColumn(cube, { table: 'My T', column: 'C' });
    expect(transport.requestLines).toEqual([
      'DELETE /api/elasticubes/LocalHost/Retail/datasecurity?table=My%20T&column=C',
    ]);
    await getPayloadProblem(client.extractRules.deleteByColumn(cube, { table: 'T', column: '' }));
    await getPayloadProblem(client.extractRules.deleteByColumn(cube, { table: '', column: 'C' }));
    expect(transport.requests).toHaveLength(1);
  });
});

describe('rules of live datamodels', () => {
  test('fullname with its prefix, live and partyId are sent, but neither _id nor a false exclusionary [spec: live.fullname] [spec: live.live]', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.liveRules.create({ title: 'Support' }, [
      createRule({ _id: 'x', exclusionary: false, live: false }),
    ]);
    expect(getBody()).toEqual({
      ...createRule(),
      shares: [{ partyId: 'u', type: 'user' }],
      fullname: 'live:Support',
      live: true,
    });
  });

  test.each([undefined, null])(
    'members %s of a rule for all values are sent as an empty list',
    async (members) => {
      const { client, getBody } = createClientWithLastBody();
      await client.liveRules.create({ title: 'S' }, [createRule({ members, allMembers: true })]);
      expect(getBody()).toMatchObject({ members: [], allMembers: true });
    },
  );

  test('an exclusionary rule keeps its flag: without it, it would show what it should hide', async () => {
    const { client, getBody } = createClientWithLastBody();
    await client.liveRules.create({ title: 'S' }, [createRule({ exclusionary: true, dataSourceId: 'd' })]);
    expect(getBody()).toMatchObject({ exclusionary: true });
    expect(getBody()).not.toHaveProperty('dataSourceId');
  });

  test.each(['Support', 'live:Other', 5])('fullname %j is rejected', async (fullname) => {
    const { client } = createClientWithLastBody();
    expect(
      await getPayloadProblem(client.liveRules.create({ title: 'Support' }, [createRule({ fullname })])),
    ).toBe('fullname-mismatch at 0.fullname');
  });
});
