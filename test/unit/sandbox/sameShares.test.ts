import { describe, expect, test } from 'vitest';
import type { SameSharesMode } from '../../../src/sandbox/profiles/profile.ts';
import { createSandbox, createLiveRule, partyIds, createRule, type TestSandbox } from './support.ts';

const cubeRulesPath = '/api/elasticubes/LocalHost/Retail/datasecurity';
const liveRulesPath = '/api/v1/elasticubes/live/Support/datasecurity';
const liveRulePath = '/api/v1/elasticubes/live/datasecurity';

const forAnn = { party: partyIds.ann, type: 'user' };
const forBob = { party: partyIds.bob, type: 'user' };
const forSales = { party: partyIds.sales, type: 'group' };

/** Posts one extract rule after the other; returns the response to each and the rules that are stored then. */
async function postExtractRules(sameShares: SameSharesMode, ...rules: readonly object[]) {
  const sandbox = createSandbox({ sameShares });
  const responses = [];
  for (const sent of rules) {
    responses.push((await sandbox.send('POST', cubeRulesPath, [sent])).body[0]);
  }
  return { responses, stored: (await sandbox.send('GET', cubeRulesPath)).body };
}

describe('a rule with exactly the shares of another one of its table and column (platform-facts.md, 6.1 and 6.2)', () => {
  const first = createRule({ shares: [forAnn, forSales] });
  const second = createRule({ shares: [forSales, forAnn], members: ['South'] });

  test('is added', async () => {
    const { stored } = await postExtractRules('add', first, second);
    expect(stored).toMatchObject([{ members: ['North'] }, { members: ['South'] }]);
  });

  test('overwrites the stored rule, which keeps its _id', async () => {
    const { responses, stored } = await postExtractRules('overwrite', first, second);
    expect(stored).toEqual([responses[1]]);
    expect(stored).toMatchObject([
      { _id: responses[0]._id, created: responses[0].created, members: ['South'], allMembers: null },
    ]);
  });

  test('overwrites the stored rule, which gets another _id', async () => {
    const { responses, stored } = await postExtractRules('overwrite-new-id', first, second);
    expect(stored).toEqual([responses[1]]);
    expect(stored[0]._id).not.toBe(responses[0]._id);
  });

  test('partyId equals party, and the name of a party is ignored', async () => {
    const { stored } = await postExtractRules(
      'overwrite',
      createRule({ shares: [forAnn] }),
      createRule({
        shares: [{ ...forAnn, partyId: partyIds.ann, partyName: 'Somebody' }],
        members: ['South'],
      }),
    );
    expect(stored).toMatchObject([{ members: ['South'] }]);
  });

  test.each([
    ['one party more', { shares: [forAnn, forSales, forBob] }],
    ['one party less', { shares: [forAnn] }],
    ['the ID of the group as a user', { shares: [forAnn, { ...forSales, type: 'user' }] }],
    ['another table', { table: 'orders' }],
    ['another column', { column: 'region' }],
  ])('%s makes a different rule', async (_what, changes) => {
    const { stored } = await postExtractRules('overwrite', first, { ...first, ...changes });
    expect(stored).toHaveLength(2);
  });

  test.each([
    ['add', 3],
    ['overwrite', 1],
    ['overwrite-new-id', 1],
  ] as const)('in the same POST is handled in the order of the rules: %s', async (sameShares, count) => {
    const { send } = createSandbox({ sameShares });
    const sent = ['North', 'South', 'West'].map((member) => createRule({ members: [member] }));
    const posted = await send('POST', cubeRulesPath, sent);
    expect(posted.body).toHaveLength(3);
    const stored = (await send('GET', cubeRulesPath)).body;
    expect(stored).toHaveLength(count);
    expect(stored.at(-1)).toEqual(posted.body[2]);
  });

  test('does not overwrite a rule of another cube; the bulk endpoint overwrites like the endpoint of one cube', async () => {
    const { send } = createSandbox({ sameShares: 'overwrite' });
    await send('POST', cubeRulesPath, [createRule()]);
    const createRuleOfCube = (elasticube: string) =>
      createRule({ server: 'localhost', elasticube, members: ['South'] });
    const posted = await send('POST', '/api/elasticubes/datasecurity', [
      createRuleOfCube('Retail'),
      createRuleOfCube('Other'),
    ]);
    expect((await send('GET', cubeRulesPath)).body).toEqual([posted.body[0]]);
    expect((await send('GET', cubeRulesPath.replace('Retail', 'Other'))).body).toEqual([posted.body[1]]);
  });

  test.each([
    ['add', ['North', 'South']],
    ['overwrite', ['South']],
    ['overwrite-new-id', ['South']],
  ] as const)('of a live datamodel is handled in the same way: %s', async (sameShares, members) => {
    const { send } = createSandbox({ sameShares });
    await send('POST', liveRulesPath, createLiveRule());
    await send('POST', liveRulesPath, createLiveRule({ members: ['South'] }));
    await send('POST', liveRulesPath.replace('Support', 'Other'), createLiveRule({ fullname: 'live:Other' }));
    const stored = (await send('GET', liveRulesPath)).body;
    expect(stored.flatMap((each: { members: string[] }) => each.members)).toEqual(members);
  });

  test('a rejected POST leaves everything unchanged', async () => {
    const { send } = createSandbox({ sameShares: 'overwrite' });
    const [stored] = (await send('POST', cubeRulesPath, [createRule()])).body;
    const refused = await send('POST', cubeRulesPath, [
      createRule({ members: ['South'] }),
      createRule({ table: 7 }),
    ]);
    expect(refused.status).toBe(400);
    expect((await send('GET', cubeRulesPath)).body).toEqual([stored]);
  });

  test('the guide profile adds and the contract profile overwrites, unless configured otherwise', async () => {
    for (const [profile, count] of [
      ['guide', 2],
      ['contract', 1],
    ] as const) {
      const { send, store } = createSandbox({ profile });
      await send('POST', '/api/elasticubes/set/Shops/datasecurity', [createRule(), createRule()]);
      expect(store.rules.getAll()).toHaveLength(count);
    }
  });
});

describe('live rules in profile contract (platform-facts.md, 6.2, codes of POST and DELETE)', () => {
  const built = [{ title: 'Support', type: 'live' }] as const;
  const nothingToAll = { members: [], allMembers: false, shares: [{ type: 'default' }] };
  const ann = { partyId: partyIds.ann, type: 'user' };
  const bob = { partyId: partyIds.bob, type: 'user' };

  const getErrorCode = async ({ send }: TestSandbox, changes: object): Promise<number | undefined> => {
    const reply = await send('POST', liveRulesPath, createLiveRule({ ...changes }));
    return reply.status < 300 ? undefined : reply.body.error.code;
  };

  test.each([
    ['a default rule is for nobody else', { ...nothingToAll, shares: [{ type: 'default' }, ann] }, 30_001],
    [
      'a default rule names nobody',
      { shares: [{ type: 'default', partyId: partyIds.ann }], members: [] },
      30_001,
    ],
    ['a default rule lists no members', { shares: [{ type: 'default' }] }, 30_001],
    ['a party twice in one rule', { shares: [ann, ann] }, 30_003],
    ['an unknown user', { shares: [{ partyId: 'nobody', type: 'user' }] }, 30_004],
    ['a group that is a user', { shares: [{ partyId: partyIds.ann, type: 'group' }] }, 30_004],
    ['a known user', { shares: [ann] }, undefined],
    ['a default rule', nothingToAll, undefined],
  ])('%s', async (_what, changes, expected) => {
    const sandbox = createSandbox({ profile: 'contract', built });
    expect(await getErrorCode(sandbox, changes)).toBe(expected);
    expect(sandbox.store.rules.getAll()).toHaveLength(expected === undefined ? 1 : 0);
  });

  test.each(['add', 'overwrite', 'overwrite-new-id'] as const)(
    'a rule with a party of another rule of its column is rejected, unless the shares of both are the same: %s',
    async (sameShares) => {
      const sandbox = createSandbox({ profile: 'contract', sameShares, built });
      expect(await getErrorCode(sandbox, { shares: [ann] })).toBeUndefined();
      expect(await getErrorCode(sandbox, { shares: [ann] })).toBeUndefined();
      expect(await getErrorCode(sandbox, { shares: [ann, bob] })).toBe(30_003);
      expect(await getErrorCode(sandbox, { shares: [bob] })).toBeUndefined();
      expect(await getErrorCode(sandbox, { shares: [bob, ann] })).toBe(30_003);
      expect(await getErrorCode(sandbox, { shares: [ann, bob], column: 'City' })).toBeUndefined();
    },
  );

  test('a default rule is deleted after the others, by its _id; the DELETE of the column deletes all', async () => {
    const { send, store } = createSandbox({ profile: 'contract', built });
    const post = async (changes: object): Promise<void> => {
      expect((await send('POST', liveRulesPath, createLiveRule({ ...changes }))).status).toBeLessThan(300);
    };
    await post(nothingToAll);
    await post({});
    await post({ ...nothingToAll, column: 'City' });
    const [defaultId, annId, onlyDefaultId] = store.rules
      .getAll()
      .map(({ rule: stored }) => stored['_id'] as string);
    const refused = await send('DELETE', `${liveRulePath}/${defaultId}`);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: 30_006, status: 400 });
    expect((await send('DELETE', `${liveRulePath}/${onlyDefaultId}`)).status).toBeLessThan(300);
    expect((await send('DELETE', `${liveRulePath}/${annId}`)).status).toBeLessThan(300);
    expect((await send('DELETE', `${liveRulePath}/${defaultId}`)).status).toBeLessThan(300);
    await post(nothingToAll);
    await post({});
    expect((await send('DELETE', `${liveRulesPath}/Orders/Region`)).status).toBeLessThan(300);
    expect(store.rules.getAll()).toEqual([]);
  });

  test('neither the guide profile nor the extract endpoint has these rejections', async () => {
    const guide = createSandbox();
    expect(
      await getErrorCode(guide, { shares: [ann, ann, { partyId: 'nobody', type: 'user' }] }),
    ).toBeUndefined();
    expect(
      await getErrorCode(guide, { ...nothingToAll, shares: [{ type: 'default' }, ann] }),
    ).toBeUndefined();
    const contract = createSandbox({ profile: 'contract', built });
    const setRulesPath = '/api/elasticubes/set/Shops/datasecurity';
    const shares = [forAnn, { party: 'nobody', type: 'user' }];
    expect((await contract.send('POST', setRulesPath, [createRule(), createRule({ shares })])).status).toBe(
      200,
    );
  });
});
