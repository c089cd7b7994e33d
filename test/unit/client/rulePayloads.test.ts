import { describe, expect, test } from 'vitest';
import { type JsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { refused, writer } from './support.ts';

const cube = { server: 'LocalHost', elasticube: 'Retail' };
const rule = (more: object = {}) => ({
  table: 'T',
  column: 'C',
  datatype: 'text',
  members: ['a'],
  allMembers: null,
  shares: [{ party: 'u', type: 'user' }],
  ...more,
});

describe('rules of extract datamodels', () => {
  test('POST: no _id, no place, no server-generated fields; party; the rest unchanged [spec: rule.id-post] [spec: rule.place-in-path]', async () => {
    const { client, body } = writer();
    await client.extractRules.create(cube, [
      {
        ...rule({ exclusionary: true, custom: { kept: 1 } }),
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
    expect(body()).toEqual([
      {
        ...rule({ exclusionary: true, custom: { kept: 1 } }),
        shares: [{ party: 'g', type: 'group', more: 1 }, { type: 'default' }],
      },
    ]);
  });

  test('bulk POST: each rule names its cube, in the given spelling [spec: rule.place-in-body] [spec: rule.cube-set]', async () => {
    const { client, body } = writer();
    await client.extractRules.createMany([rule({ server: 'set', elasticube: 'My Set' }), rule(cube)]);
    expect(body()).toMatchObject([{ server: 'set', elasticube: 'My Set' }, cube]);
    expect(await refused(client.extractRules.createMany([rule(cube), rule({ server: 'x' })]))).toBe(
      'missing-property at 1.elasticube',
    );
  });

  test('PUT: with its _id, which is that of the path [spec: rule.id-put]', async () => {
    const { client, body, transport } = writer();
    await client.extractRules.update({ ruleId: 'r1' }, rule(cube));
    expect(body()).toEqual({ _id: 'r1', ...rule(cube) });
    expect(transport.last.method).toBe('PUT');
    expect(await refused(client.extractRules.update({ ruleId: 'r1' }, rule({ _id: 'r2' })))).toBe(
      'id-mismatch at _id',
    );
  });

  test('unused allMembers is null, never left out [spec: rule.all-members-null]', async () => {
    const { client, body } = writer();
    const { allMembers: _left, ...bare } = rule();
    await client.extractRules.create(cube, [
      bare,
      rule({ allMembers: true, members: undefined }),
      rule({ allMembers: false, members: [] }),
    ]);
    expect(body().map((each: JsonObject) => each['allMembers'])).toEqual([null, true, false]);
  });

  test('members are strings, numbers as they are written [spec: rule.members-strings]', async () => {
    const { client, sent } = writer();
    const document = parseLossless(
      stringify(rule()).replace('["a"]', '["a",1.0,9007199254740993,5]'),
    ) as JsonObject;
    await client.extractRules.create(cube, [document]);
    expect(sent()).toContain('"members":["a","1.0","9007199254740993","5"]');
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
  ])('%j is rejected: %s [spec: rule.required] [spec: rule.party-required]', async (more, words) => {
    expect(await refused(writer().client.extractRules.create(cube, [rule(more)]))).toBe(words);
  });

  test('an empty list, or items that are not objects, are rejected', async () => {
    const { client, transport } = writer();
    expect(await refused(client.extractRules.create(cube, []))).toBe('empty-list');
    expect(await refused(client.extractRules.create(cube, [null as never]))).toBe('missing-property at 0');
    expect(await refused(client.extractRules.createMany([7 as never]))).toBe('wrong-type at 0');
    expect(transport.requests).toEqual([]);
  });

  test('the rules of a column are deleted by both names, never by one', async () => {
    const { client, transport } = writer();
    await client.extractRules.deleteByColumn(cube, { table: 'My T', column: 'C' });
    expect(transport.lines).toEqual([
      'DELETE /api/elasticubes/LocalHost/Retail/datasecurity?table=My%20T&column=C',
    ]);
    await refused(client.extractRules.deleteByColumn(cube, { table: 'T', column: '' }));
    await refused(client.extractRules.deleteByColumn(cube, { table: '', column: 'C' }));
    expect(transport.requests).toHaveLength(1);
  });
});

describe('rules of live datamodels', () => {
  test('fullname with its prefix, live true, partyId, no _id, no exclusionary [spec: live.fullname] [spec: live.live]', async () => {
    const { client, body } = writer();
    await client.liveRules.create({ title: 'Support' }, [
      rule({ _id: 'x', exclusionary: false, live: false }),
    ]);
    expect(body()).toEqual({
      ...rule(),
      shares: [{ partyId: 'u', type: 'user' }],
      fullname: 'live:Support',
      live: true,
    });
  });

  test.each([undefined, null])(
    'members %s of a rule for all values are sent as an empty list',
    async (members) => {
      const { client, body } = writer();
      await client.liveRules.create({ title: 'S' }, [rule({ members, allMembers: true })]);
      expect(body()).toMatchObject({ members: [], allMembers: true });
    },
  );

  test('an exclusionary rule keeps its flag: without it, it would show what it should hide', async () => {
    const { client, body } = writer();
    await client.liveRules.create({ title: 'S' }, [rule({ exclusionary: true, dataSourceId: 'd' })]);
    expect(body()).toMatchObject({ exclusionary: true });
    expect(body()).not.toHaveProperty('dataSourceId');
  });

  test.each(['Support', 'live:Other', 5])('fullname %j is rejected', async (fullname) => {
    const { client } = writer();
    expect(await refused(client.liveRules.create({ title: 'Support' }, [rule({ fullname })]))).toBe(
      'fullname-mismatch at 0.fullname',
    );
  });
});
