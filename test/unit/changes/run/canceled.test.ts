import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createRuleCreationWrite } from '../../../../src/changes/rules/ruleWrites.ts';
import { ChangeFixture, connectionId, getFailure, createOperation } from './support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

const createRule = (column: string, member: string): JsonObject => ({
  table: 'Stores',
  column,
  datatype: 'text',
  members: [member],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'user', party: `5f00000000000000000000${member}` }],
});
/** Two writes, each with a batch of rules of its own: the user cancels after the first has begun. */
const twoCreations = createOperation([
  { ...createRuleCreationWrite(retail, [createRule('City', '11')]), batch: {} },
  { ...createRuleCreationWrite(retail, [createRule('Country', '22')]), batch: {} },
]);

test('a change that the user cancels is recorded as canceled, one that fails is not', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const abort = new AbortController();
  const { planHash } = await writer.plan(twoCreations);
  const approval = writer.approve(planHash);
  await getFailure(
    writer.run(twoCreations, { approval, signal: abort.signal, onBegin: () => abort.abort() }),
  );
  const [canceled] = await history.readEntries(connectionId);
  expect(canceled).toMatchObject({ end: 'stopped', isCanceled: true });

  fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['POST'] }]);
  await getFailure(
    writer.run(twoCreations, { approval: writer.approve((await writer.plan(twoCreations)).planHash) }),
  );
  const [failed] = await history.readEntries(connectionId);
  expect(failed?.end).toBe('stopped');
  expect(failed?.isCanceled).toBeUndefined();
});
