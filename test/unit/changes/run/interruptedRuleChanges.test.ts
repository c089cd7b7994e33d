import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { readInterruptedChanges } from '../../../../src/changes/journal/interruptedChanges.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { killWindow, runKilled } from './simulateInterruption.ts';
import { advanceUntilSettled, ChangeFixture, connectionId, getFailure, type WriteFault } from './support.ts';

const path = { server: 'LocalHost', elasticube: 'Shop' } as const;
const shop = { kind: 'extract', ...path } as const;

const createStatusRule = (group: { readonly _id: string }, members: readonly string[]): JsonObject => ({
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members,
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'group', party: group._id }],
});

/** Shows more values to three groups: three requests, and none of them is a temporary deny rule. */
async function createChange(fixture: ChangeFixture) {
  const parties = [groups.sales, groups.finance, groups.support];
  await fixture.client.extractRules.create(
    path,
    parties.map((group) => createStatusRule(group, ['Open'])),
  );
  const current = getObjects(await fixture.read({ kind: 'rules', subject: shop }));
  return createBulkRuleOperation({ connectionId, within: [] }, shop, {
    adds: parties.map((group) => createStatusRule(group, ['Open', 'Shipped'])),
    deletes: current.map((rule, index) => ({ rule, index })),
  });
}

/** Starts the change. `getWriteFault` gets the number of each of its requests, from 1. */
async function start(fixture: ChangeFixture, getWriteFault: (count: number) => WriteFault | undefined) {
  const operation = await createChange(fixture);
  const { writer } = fixture.open();
  const { planHash } = await writer.plan(operation);
  let count = 0;
  fixture.getWriteFault = () => {
    count += 1;
    return getWriteFault(count);
  };
  return advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) }));
}

/** Starts the change in a process that is killed at one of its requests, counted from 1. */
async function startAndKill(
  fixture: ChangeFixture,
  killedAt: number,
  loss: 'request-lost' | 'response-lost',
) {
  const operation = await createChange(fixture);
  const { writer } = fixture.open();
  const { planHash } = await writer.plan(operation);
  const run = () =>
    advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) }));
  expect(await runKilled(fixture, { killedAt, loss }, run)).toBe(true);
}

/** Resumes the change in another process: the server refuses each request. */
async function resumeRefused(fixture: ChangeFixture, options?: Pick<RunOptions, 'signal'>) {
  const { writer, history } = fixture.open();
  const [entry] = await history.readEntries(connectionId);
  fixture.getWriteFault = () => 'refusal';
  const resumed = advanceUntilSettled(fixture, writer.resume(expectDefined(entry), options));
  const error = expectInstance(await getFailure(resumed), StoppedError);
  return { error, interrupted: await readInterruptedChanges(history, connectionId) };
}

/** Checks that the change of a killed process stays interrupted if the server refuses each request to finish it. */
async function expectChangedRules(fixture: ChangeFixture): Promise<void> {
  const { error, interrupted } = await resumeRefused(fixture);
  expect(error).toMatchObject({ cause: { status: 403 }, changedNothing: false });
  expect(error.report.writeStates).toMatchObject([
    { state: 'failed', partly: true },
    { state: 'failed', partly: true },
  ]);
  expect(interrupted).toMatchObject([{ id: error.report.entryId, end: 'stopped' }]);
}

describe.each(['guide', 'contract'] as const)('a change of rules, profile %s', (profile) => {
  const createFixture = () => new ChangeFixture({ profile, built: [{ title: 'Shop', type: 'extract' }] });

  test('that was killed after some responses counts as having changed rules, even if its resume is refused', async () => {
    using fixture = createFixture();
    await getFailure(start(fixture, (count) => (count === 3 ? 'refusal' : undefined)));
    await killWindow(fixture, ({ line, state }) => line !== 'result' && line !== 'end' && state !== 'failed');
    await expectChangedRules(fixture);
  });

  test('that was killed after a request without a response counts as having changed rules, even if its resume is refused', async () => {
    using fixture = createFixture();
    await startAndKill(fixture, 1, 'response-lost');
    await expectChangedRules(fixture);
  });

  test('that was killed counts as having changed rules, even if the user cancels its resume at once', async () => {
    using fixture = createFixture();
    await startAndKill(fixture, 3, 'request-lost');
    const reason = new Error('Canceled');
    const { error, interrupted } = await resumeRefused(fixture, { signal: AbortSignal.abort(reason) });
    expect(error).toMatchObject({ cause: reason, changedNothing: false });
    expect(interrupted).toHaveLength(1);
  });

  test('that was killed before its first request arrived counts as having changed nothing so far', async () => {
    using fixture = createFixture();
    await startAndKill(fixture, 1, 'request-lost');
    const { error, interrupted } = await resumeRefused(fixture);
    expect(error).toMatchObject({ changedNothing: true, mayTakeEffectLater: true });
    expect(interrupted).toEqual([]);
  });

  test('whose first response was lost, and whose other requests were refused, counts as having changed rules', async () => {
    using fixture = createFixture();
    const run = start(fixture, (count) => (count === 1 ? 'response-lost' : 'refusal'));
    const error = expectInstance(await getFailure(run), StoppedError);
    expect(error).toMatchObject({ cause: { status: 403 }, changedNothing: false });
  });
});
