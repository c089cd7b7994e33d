import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createRuleCreationWrite } from '../../../../src/changes/rules/ruleWrites.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectInstance } from '../../../support/expectations.ts';
import { ChangeFixture, connectionId, createOperation, createTableUpdate, getFailure } from './support.ts';
import { orders } from './interruptTableChanges.ts';

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

test('a write in progress is completed after the user has canceled, and the next one is not sent', async () => {
  using fixture = new ChangeFixture();
  const { writer } = fixture.open();
  const updates = createOperation(
    ['Orders', 'Returns'].map((table) => createTableUpdate(table, { description: `New ${table}` })),
  );
  const abort = new AbortController();
  const reason = new Error('Canceled');
  fixture.getWriteFault = () => {
    abort.abort(reason);
    return undefined;
  };
  const { planHash } = await writer.plan(updates);
  const unknownWrites: number[] = [];
  const failure = expectInstance(
    await getFailure(
      writer.run(updates, {
        approval: writer.approve(planHash),
        signal: abort.signal,
        onResponseLost: (index) => unknownWrites.push(index),
      }),
    ),
    StoppedError,
  );
  expect(failure.cause).toBe(reason);
  expect(failure.report.writeStates.map(({ state }) => state)).toEqual(['done', 'failed']);
  // A server that is still busy with an abandoned request could carry it out after its outcome was verified.
  expect(unknownWrites).toEqual([]);
  expect(fixture.transport.requestLines.filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
});

test('a write whose response was lost is still verified by a rollback after a resume that the user canceled', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const updates = createOperation(
    ['Orders', 'Returns'].map((table) => createTableUpdate(table, { description: `New ${table}` })),
  );
  const { description: before } = await fixture.readObject(orders);
  const { planHash } = await writer.plan(updates);
  fixture.getWriteFault = () => {
    fixture.failsAfterRequest = true;
    return 'response-lost';
  };
  await getFailure(writer.run(updates, { approval: writer.approve(planHash) }));
  fixture.getWriteFault = () => undefined;
  fixture.failsAllRequests = false;
  fixture.failsAfterRequest = false;
  const readEntry = async () => {
    const [entry] = await history.readEntries(connectionId);
    return entry ?? expect.fail('No entry');
  };
  const interrupted = await readEntry();
  expect(interrupted.writeStates[0]?.state).toBe('unknown');

  const abort = new AbortController();
  const claim = history.claim.bind(history);
  vi.spyOn(history, 'claim').mockImplementation((entry) => {
    abort.abort(new Error('Canceled'));
    return claim(entry);
  });
  await getFailure(writer.resume(interrupted, { signal: abort.signal }));
  const canceled = await readEntry();
  expect(canceled.writeStates[0]?.state).toBe('unknown');
  await writer.rollBack(canceled);
  expect((await fixture.readObject(orders))['description']).toBe(before);
});
