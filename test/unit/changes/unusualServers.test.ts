import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { changeRules } from '../../../src/changes/rules/changeRules.ts';
import { parseRuleDocuments } from '../../../src/changes/rules/parsedRuleDocument.ts';
import { getNextPhase } from '../../../src/changes/rules/rulePhase.ts';
import { createReverseTarget } from '../../../src/changes/rules/reverseTarget.ts';
import { type RuleEdit, createRuleTarget } from '../../../src/changes/rules/ruleTarget.ts';
import { getRuleEdits } from '../../../src/changes/rules/ruleEdits.ts';
import { createLiveRuleReplacementWrites } from '../../../src/changes/rules/ruleWrites.ts';
import { FakeRuleServer, getFakeFailure, type SamePartiesEffect } from '../../fakes/fakeRuleServer.ts';

type SubjectKind = 'extract' | 'live';
const unknownBehavior = { alwaysAdds: false, rejectsSecondRule: false, canDeleteSingleRules: false };

function createRule(
  kind: SubjectKind,
  id: string | undefined,
  party: string,
  fields: JsonObject = {},
): JsonObject {
  const [type = '', name] = party.split(':');
  const partyField = kind === 'live' ? 'partyId' : 'party';
  return {
    ...(id === undefined ? {} : { _id: id }),
    table: 'T',
    column: 'C',
    datatype: 'text',
    members: ['a'],
    allMembers: null,
    shares: party === '' ? [] : [{ type, ...(name === undefined ? {} : { [partyField]: name }) }],
    ...fields,
  };
}

/** A server with its own way of storing rules. */
function createServer(
  kind: SubjectKind,
  samePartiesEffect: SamePartiesEffect,
  rules: readonly JsonObject[],
  normalize = (each: JsonObject) => each,
) {
  const server = new FakeRuleServer(rules, { kind, getSamePartiesEffect: () => samePartiesEffect });
  const setRules = server.setRules.bind(server);
  server.setRules = (all) => setRules(all.map(normalize));
  return server;
}

async function run(
  server: FakeRuleServer,
  kind: SubjectKind,
  edits: readonly RuleEdit[],
): Promise<{ readonly end: string; readonly hasConcurrentChanges?: boolean }> {
  try {
    const { hasConcurrentChanges } = await changeRules(server, createRuleTarget(kind, server.rules, edits), {
      behavior: unknownBehavior,
      classifyFailure: getFakeFailure,
    });
    return { end: 'done', hasConcurrentChanges };
  } catch (error) {
    return { end: (error as Error).name };
  }
}

const removeUnknownParties = (each: JsonObject): JsonObject => ({
  ...each,
  shares: (each['shares'] as JsonObject[]).filter(({ party, partyId }) => (party ?? partyId) !== 'gone'),
});
const createDenyAllRule = (kind: SubjectKind) =>
  createRule(kind, 'd', 'default', { members: [], allMembers: false });

describe.each(['extract', 'live'] as const)('the rules of %s datamodels:', (kind) => {
  test('a rule that the server confirmed, but changed, is sent only once', async () => {
    const server = createServer(kind, 'add', [createDenyAllRule(kind)], removeUnknownParties);
    const after = createRule(kind, undefined, 'group:g');
    const shares = [...(after['shares'] as JsonObject[]), { type: 'user', party: 'gone', partyId: 'gone' }];
    await run(server, kind, [{ after: { ...after, shares }, writeIndex: 0 }]);
    expect(server.requestCount).toBe(1);
    expect(server.rules).toHaveLength(2);
  });

  test('an outdated list does not cause a second request', async () => {
    const server = createServer(kind, 'add', [createDenyAllRule(kind)]);
    server.list = () => Promise.resolve([createDenyAllRule(kind)]);
    await run(server, kind, [{ after: createRule(kind, undefined, 'group:g'), writeIndex: 0 }]);
    expect(server.requestCount).toBe(1);
  });

  test('a deletion of the rules of a column is not done while a rule without an ID remains', async () => {
    const before = [createDenyAllRule(kind), createRule(kind, undefined, 'group:g')];
    const server = createServer(kind, 'add', before);
    const { end } = await run(
      server,
      kind,
      before.map((each) => ({ before: each, writeIndex: 0 })),
    );
    expect([end, server.rules.length]).not.toEqual(['done', 1]);
  });

  test('a change of parties with an unknown type does not count as done without a request', async () => {
    const before = createRule(kind, 'a', '', { shares: [{ type: 'role', partyId: 'x' }] });
    const server = createServer(kind, 'add', [createDenyAllRule(kind), before]);
    const after = { ...before, shares: [{ type: 'role', partyId: 'y' }] };
    const { end } = await run(server, kind, [{ before, after, writeIndex: 0 }]);
    expect([end, server.requestCount]).not.toEqual(['done', 0]);
  });

  test('two rules that lost their parties do not show how a POST is interpreted', async () => {
    const oldRule = createRule(kind, 'e', 'group:g');
    const server = createServer(kind, 'overwrite', [
      createRule(kind, 'a', ''),
      createRule(kind, 'b', ''),
      oldRule,
    ]);
    const { end } = await run(server, kind, [
      { after: createRule(kind, undefined, 'group:g', { members: ['b'] }), writeIndex: 0 },
    ]);
    expect(end).not.toBe('done');
    expect(server.rules).toContainEqual(oldRule);
  });
});

test('a change does not end as done if its POST unexpectedly overwrote another rule', async () => {
  // The server used to add, and overwrites now: two rules for the same parties remain from that time.
  const oldRule = createRule('live', 'e', 'group:g');
  const duplicates = ['x', 'y'].map((id) => createRule('live', id, 'group:h', { members: [id] }));
  const server = createServer('live', 'overwrite', [createDenyAllRule('live'), ...duplicates, oldRule]);
  const { end } = await run(server, 'live', [
    { after: createRule('live', undefined, 'group:g', { members: ['b'] }), writeIndex: 0 },
  ]);
  expect(end).not.toBe('done');
});

test('a field that a user removes from a live rule is absent from the replacement', async () => {
  const before = createRule('live', 'o', 'group:g', { note: 'old' });
  const server = createServer('live', 'overwrite', [createDenyAllRule('live'), before]);
  const subject = { kind: 'live', title: 'M' } as const;
  const writes = createLiveRuleReplacementWrites(subject, before, createRule('live', undefined, 'group:g'));
  const { edits } = getRuleEdits({ subject, writeIndices: [0, 1] }, writes, server.rules);
  await run(server, 'live', edits);
  expect(server.rules.map(({ note = null }) => note)).toEqual([null, null]);
});

test.each(['add', 'overwrite-new-id'] as const)(
  'a rule that the server stored without its exclusion is removed when the change is undone (%s)',
  async (samePartiesEffect) => {
    const before = createRule('live', 'o', 'group:g');
    const dropExclusionary = ({ exclusionary: _exclusionary, ...each }: JsonObject): JsonObject => each;
    const server = createServer(
      'live',
      samePartiesEffect,
      [createDenyAllRule('live'), before],
      dropExclusionary,
    );
    const after = createRule('live', undefined, 'group:g', { members: ['b'], exclusionary: true });
    const target = createRuleTarget('live', server.rules, [{ before, after, writeIndex: 0 }]);
    const createdIds = new Set<string>();
    const onRulesCreated = (ids: readonly string[]) =>
      Promise.resolve(ids.forEach((id) => createdIds.add(id)));
    const options = { behavior: unknownBehavior, classifyFailure: getFakeFailure, onRulesCreated };
    await changeRules(server, target, options).catch(() => undefined);
    const reverseTarget = createReverseTarget(
      parseRuleDocuments(server.rules),
      target,
      new Set(),
      createdIds,
    );
    await changeRules(server, reverseTarget, options).catch(() => undefined);
    // Without its exclusion, the rule would show `b`, which neither the old nor the new rule shows.
    expect(server.rules.map(({ members }) => members)).not.toContainEqual(['b']);
  },
);

test('the next requests for thousands of regrouped live rules are found in linear time', () => {
  const countReads = (count: number): number => {
    let readCount = 0;
    const rules = Array.from({ length: count }, (_none, index) =>
      createRule('live', `o${index}`, `user:p${index}`),
    );
    const parsedRules = parseRuleDocuments([createDenyAllRule('live'), ...rules]).map((each) =>
      Object.defineProperty({ ...each }, 'parties', { get: () => ((readCount += 1), each.parties) }),
    );
    const edits = rules.map((before, index) => {
      const shares = [...(before['shares'] as JsonObject[]), { type: 'user', partyId: `q${index}` }];
      return { before, after: { ...before, shares }, writeIndex: 0 };
    });
    const target = createRuleTarget('live', [createDenyAllRule('live'), ...rules], edits);
    getNextPhase(
      parsedRules,
      target,
      { denyScopes: new Set(), sentRules: new Set() },
      { alwaysAdds: false, rejectsSecondRule: true, canDeleteSingleRules: false },
    );
    return readCount;
  };
  expect(countReads(400) / countReads(200)).toBeLessThan(2.5);
});

test('no temporary deny rule remains if the server returns the IDs of new rules in another order', async () => {
  const before = [createRule('live', 'g', 'group:g'), createRule('live', 'u', 'user:u')];
  const server = createServer('live', 'add', before);
  const create = server.create.bind(server);
  server.create = async (...args) => (await create(...args)).toReversed();
  const edits = before.map(({ _id, ...each }) => ({
    before: { ...each, _id: _id ?? null },
    after: { ...each, members: ['b'] },
    writeIndex: 0,
  }));
  const { end } = await run(server, 'live', edits);
  expect(server.states.some((rules) => rules.length > before.length)).toBe(true);
  expect([end, server.rules.map(({ members }) => members)]).toEqual(['done', [['b'], ['b']]]);
});
