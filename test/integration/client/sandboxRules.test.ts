import { describe, expect, test } from 'vitest';
import { writeRuleBatches } from '../../../src/changes/run/ruleBatches.ts';
import { createCubeRuleWriter } from '../../../src/changes/run/ruleWriters.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { createClientCalls } from '../../support/clientCalls.ts';
import { getProfile } from '../../../src/sandbox/profiles/profiles.ts';
import { people } from '../../../src/sandbox/seeds/people.ts';
import { createBuiltModel } from '../../support/createBuiltModel.ts';
import { sandboxProfile } from '../../support/profile.ts';
import { useSandbox } from './sandboxFixture.ts';
import { expectApiErrorWithoutSecrets, createRealClient } from './realClient.ts';
import { expectDefined } from '../../support/expectations.ts';

const platform = useSandbox();
const { missingEndpoints, allowsAnonymous: isAnonymous } = getProfile(sandboxProfile).paths;

test('the session is checked, and a group is found by its name [spec: auth.isauth] [spec: group.first]', () =>
  platform.expectSuccesses(['session.check', 'groups.find'], async () => {
    expect((await platform.client.session.check()).value.isauthenticated).toBe(true);
    expect((await platform.client.groups.find('Sales')).value?._id).toMatch(/^[\da-f]{24}$/);
    expect((await platform.client.groups.find('Nobody')).value).toBeUndefined();
  }));

test('users are listed with their groups, and groups with their names (platform-facts.md, 6.2)', () =>
  platform.expectSuccesses(['users.list', 'groups.list'], async () => {
    const { users, groups } = platform.client;
    const all = (await groups.list()).value;
    const sales = all.find(({ name }) => name === 'Sales');
    expect(sales?._id).toMatch(/^[\da-f]{24}$/);
    const people = (await users.list({ fields: ['userName', 'groups'] })).value;
    const chiara = people.find(({ userName }) => userName === 'chiara.rossi@sandbox.local');
    expect(chiara?.groups).toContain(sales?._id);
    expect(Object.keys(chiara ?? {}).sort()).toEqual(['_id', 'groups', 'userName']);
    expect((await users.list({ limit: 2, skip: 1 })).value.map(({ _id }) => _id)).toEqual(
      people.slice(1, 3).map(({ _id }) => _id),
    );
    const [expanded] = (await users.list({ ids: [chiara?._id ?? ''], expand: ['groups'] })).value;
    expect(expanded?.groups).toEqual(chiara?.groups);
    expect((await groups.list({ ids: [sales?._id ?? ''], fields: ['name'] })).value).toEqual([
      { _id: sales?._id, name: 'Sales' },
    ]);

    const plainUser = createRealClient(platform.sandbox.url, platform.sandbox.userToken);
    expect((await expectApiErrorWithoutSecrets(plainUser.client.users.list(), plainUser.log, [])).code).toBe(
      'forbidden',
    );
    expect((await plainUser.client.groups.list()).value).toHaveLength(all.length);
    plainUser.client.dispose();
  }));

describe('tokens', () => {
  test('every authenticated endpoint refuses a wrong token', async () => {
    // The dialect that the client would detect; the sandbox answers paths of the other dialect without checking the token.
    const dialect = sandboxProfile === 'guide' ? 'plain' : 'schema';
    const wrongTokenUser = createRealClient(platform.sandbox.url, 'wrong-token', { deps: { dialect } });
    const calls = (Object.keys(endpoints) as EndpointId[])
      .filter(
        (id) => !('allowsAnonymous' in endpoints[id]) && !isAnonymous(id) && !missingEndpoints.includes(id),
      )
      .map((id) => createClientCalls(wrongTokenUser.client)[id]);
    const codes = await Promise.all(
      calls.map(
        async (call) =>
          (await expectApiErrorWithoutSecrets(call(), wrongTokenUser.log, ['wrong-token'])).code,
      ),
    );
    expect(new Set(codes)).toEqual(new Set(['unauthorized']));
    wrongTokenUser.client.dispose();
  });

  test('a plain user reads rules and writes custom data, but writes no rules [spec: auth.rules-administrator] [spec: service.custom-data-shared]', async () => {
    const plainUser = createRealClient(platform.sandbox.url, platform.sandbox.userToken);
    const cube = { server: 'LocalHost', elasticube: 'Retail' };
    const calls = createClientCalls(plainUser.client);
    const writes = (Object.keys(calls) as EndpointId[]).filter(
      (id) => 'requiresAdministrator' in endpoints[id] && !missingEndpoints.includes(id),
    );
    expect(writes).toHaveLength(9 - missingEndpoints.length);
    for (const id of writes) {
      const error = await expectApiErrorWithoutSecrets(calls[id](), plainUser.log, [
        platform.sandbox.userToken,
      ]);
      expect([id, error.code]).toEqual([id, 'administrator-required']);
    }
    expect((await plainUser.client.extractRules.list(cube)).value.length).toBeGreaterThan(0);
    await plainUser.client.customData.create({ app: 'plain-user' });
    expect((await plainUser.client.customData.query({ app: 'plain-user' })).value).toHaveLength(1);
    plainUser.client.dispose();
  });

  test('the status of the viewpoint service needs no token [spec: auth.status-anonymous]', async () => {
    const anonymous = createRealClient(platform.sandbox.url, '', {
      deps: { tokenSource: () => Promise.resolve(undefined) },
    });
    expect((await anonymous.client.viewpoints.status()).value).toMatchObject({ status: 'ok' });
    expect(
      (await expectApiErrorWithoutSecrets(anonymous.client.viewpoints.list(), anonymous.log, [])).code,
    ).toBe('signed-out');
    anonymous.client.dispose();
  });
});

describe('data security of extract datamodels', () => {
  const cube = { server: 'LocalHost', elasticube: 'Rule Tests' };
  const createRule = (members: readonly string[], overrides: object = {}) => ({
    table: 'Stores',
    column: 'Region',
    datatype: 'text',
    members,
    allMembers: null,
    shares: [{ party: 'user-1', type: 'user' }],
    ...overrides,
  });

  test('rules of every kind are created, read, changed and deleted [spec: kind.default] [spec: kind.user-group] [spec: kind.both-scopes] [spec: rule.id-get] [spec: rule.exclusionary]', () =>
    platform.expectSuccesses(
      [
        'extractRules.list',
        'extractRules.listByColumn',
        'extractRules.listByUser',
        'extractRules.create',
        'extractRules.update',
        'extractRules.deleteByColumn',
        'extractRules.delete',
      ],
      async () => {
        await createBuiltModel(platform.client, cube.elasticube);
        const userAndGroup = [
          { party: 'user-1', type: 'user' },
          { party: 'group-1', type: 'group' },
        ];
        const nothing = createRule([], { allMembers: false, shares: [{ type: 'default' }] });
        const everything = createRule([], { allMembers: true, shares: [{ party: 'user-2', type: 'user' }] });
        const created = expectDefined(
          (
            await platform.client.extractRules.create(cube, [
              nothing,
              everything,
              createRule(['North', 'South'], { shares: userAndGroup }),
              createRule(['Secret'], { column: 'Name', exclusionary: true }),
            ])
          ).value,
        );
        expect(created.map(({ _id }) => typeof _id)).toEqual(['string', 'string', 'string', 'string']);
        const { value: all } = await platform.client.extractRules.list(cube);
        expect(all.every(({ _id }) => typeof _id === 'string')).toBe(true);
        expect(all.map(({ allMembers }) => allMembers)).toEqual([false, true, null, null]);
        expect(all[0]?.shares).toMatchObject([{ type: 'default' }]);
        expect(all[2]).toMatchObject({ members: ['North', 'South'], shares: userAndGroup });
        expect(all[3]?.exclusionary).toBe(true);
        const regionColumn = { ...cube, table: 'Stores', column: 'Region' };
        expect((await platform.client.extractRules.listByColumn(regionColumn)).value).toHaveLength(3);
        expect(
          (await platform.client.extractRules.listByColumn({ ...regionColumn, column: 'region' })).value,
        ).toEqual([]);
        expect(
          (await platform.client.extractRules.listByUser({ ...cube, user: 'user-2' })).value,
        ).toHaveLength(1);
        const ruleId = String(created[2]?._id);
        await platform.client.extractRules.update({ ruleId }, { ...all[2], members: ['West'] });
        expect((await platform.client.extractRules.list(cube)).value[2]).toMatchObject({
          _id: ruleId,
          members: ['West'],
        });
        await platform.client.extractRules.delete({ ruleId });
        await platform.client.extractRules.deleteByColumn(cube, { table: 'Stores', column: 'Region' });
        const remainingRules = (await platform.client.extractRules.list(cube)).value;
        expect(remainingRules.map(({ column }) => column)).toEqual(['Name']);
        expect((await platform.expectFailure(platform.client.extractRules.delete({ ruleId }))).code).toBe(
          'not-found',
        );
      },
    ));

  test('one request creates rules of a cube and of a cube set, whose name is case-sensitive [spec: rule.cube-set] [spec: rule.case-sensitive]', () =>
    platform.expectSuccesses(['extractRules.createMany'], async () => {
      const cubeSet = { server: 'set', elasticube: 'All Shops' };
      const ruleOfOtherUser = { ...cubeSet, shares: [{ party: 'user-2', type: 'user' }] };
      await platform.client.extractRules.createMany([
        createRule(['a'], cube),
        createRule(['b'], cubeSet),
        createRule(['c'], ruleOfOtherUser),
      ]);
      expect((await platform.client.extractRules.list(cubeSet)).value).toHaveLength(2);
      expect(
        (await platform.client.extractRules.list({ ...cubeSet, elasticube: 'all shops' })).value,
      ).toEqual([]);
    }));

  test('2,000 rules are sent through a gateway that times out before or after the server adds them: none is lost or duplicated [spec: rule.bulk-size]', async () => {
    const bulkCube = { server: 'LocalHost', elasticube: 'Bulk' };
    await createBuiltModel(platform.client, bulkCube.elasticube);
    const rules = Array.from({ length: 2000 }, (_each, index) =>
      createRule([`m${index}`], { column: `C${index}` }),
    );
    await platform.sandbox.setFaults([
      { kind: 'status', status: 504, methods: ['POST'], every: 3, when: 'after' },
      { kind: 'status', status: 504, methods: ['POST'], every: 5, when: 'before' },
      { kind: 'bodyLimit', bytes: 60_000, methods: ['POST'] },
    ]);
    const options = { maxBytes: 80_000, clock: systemClock, verifyDelayMs: 1 };
    const report = await writeRuleBatches(createCubeRuleWriter(platform.client, bulkCube), rules, options);
    await platform.sandbox.setFaults([]);
    expect(report.failed).toEqual([]);
    expect(report.written).toHaveLength(2000);
    const stored = (await platform.client.extractRules.list(bulkCube)).value;
    expect(stored).toHaveLength(2000);
    expect(new Set(stored.map(({ column }) => column)).size).toBe(2000);
  });
});

describe('data security of live datamodels', () => {
  const path = { title: 'Support Desk' };
  const createUserRule = ({ _id }: { readonly _id: string }, members: readonly string[]) => ({
    table: 'Tickets',
    column: 'Extra',
    datatype: 'text',
    members,
    allMembers: null,
    shares: [{ partyId: _id, type: 'user' }],
  });
  const countRules = async (): Promise<number> => (await platform.client.liveRules.list(path)).value.length;

  test('are created in the form that the server accepts, and deleted [spec: live.fullname] [spec: live.live]', () =>
    platform.expectSuccesses(
      ['liveRules.list', 'liveRules.create', 'liveRules.delete', 'liveRules.deleteByColumn'],
      async () => {
        const before = await countRules();
        const firstRule = createUserRule(people.chiara, ['a']);
        const created = expectDefined([
          ...((await platform.client.liveRules.create(path, [firstRule])).value ?? []),
          ...((await platform.client.liveRules.create(path, [createUserRule(people.daniel, ['b'])])).value ??
            []),
        ]);
        expect(created.map(({ members }) => members)).toEqual([['a'], ['b']]);
        expect(created[0]).toMatchObject({
          fullname: 'live:Support Desk',
          live: true,
          shares: firstRule.shares,
        });
        const newRules = [createUserRule(people.farid, ['c']), createUserRule(people.jonas, ['d'])];
        const createdRules = expectDefined((await platform.client.liveRules.create(path, newRules)).value);
        expect(createdRules.map(({ members }) => members)).toEqual([['c'], ['d']]);
        expect(await countRules()).toBe(before + 4);
        await platform.client.liveRules.delete({ ruleId: String(created[0]?._id) });
        expect(await countRules()).toBe(before + 3);
        await platform.client.liveRules.deleteByColumn({ ...path, table: 'Tickets', column: 'Extra' });
        expect(await countRules()).toBe(before);
      },
    ));

  test('several in one request are created only by a server that supports several', async () => {
    const before = await countRules();
    const call = platform.client.liveRules.createMany(path, [createUserRule(people.chiara, ['a'])]);
    if (missingEndpoints.includes('liveRules.createMany')) {
      expect((await platform.expectFailure(call)).code).toBe('not-found');
      expect(await countRules()).toBe(before);
      return;
    }
    expect((await call).value?.map(({ members }) => members)).toEqual([['a']]);
    expect(await countRules()).toBe(before + 1);
    await platform.client.liveRules.deleteByColumn({ ...path, table: 'Tickets', column: 'Extra' });
  });
});
