import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  applyChange,
  resumeChange,
  rollBackChange,
  runApproved,
  type RuleChangeResult,
} from '../../../../src/changes/bulkRules/runChange.ts';
import { hashDocument } from '../../../../src/changes/model/documentHash.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import { ConflictError, PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import type { RunProgress } from '../../../../src/changes/run/trackProgress.ts';
import { ChangeFixture, connectionId, getFailure } from '../run/support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' } as const;
const rulesRef = { kind: 'rules', subject } as const;
const location = { connectionId, within: [] };

const createRule = (value: string, user: string) => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: [value],
  allMembers: null,
  shares: [{ type: 'user', party: user }],
});
const threeRules = ['anna', 'ben', 'carl'].map((user) => createRule('North', user));

const readRules = async (fixture: ChangeFixture) => getObjects(await fixture.read(rulesRef));
const readUsers = async (fixture: ChangeFixture) =>
  (await readRules(fixture))
    .flatMap(({ shares }) => getObjects(shares).map(({ party }) => getText(party)))
    .toSorted();

/** The change that adds rules, as a preview of the current rules proposes it. */
async function createAddition(fixture: ChangeFixture, rules = threeRules) {
  const hash = hashDocument('rules', await fixture.read(rulesRef));
  return {
    operation: createBulkRuleOperation(location, subject, { adds: rules, deletes: [] }),
    expectedVersions: [{ ref: rulesRef, hash }],
  };
}

function createRunner(fixture: ChangeFixture) {
  const { writer, history } = fixture.open();
  const deps = { writer, clock: fixture.sandbox.clock };
  const progress: RunProgress[] = [];
  const begunEntryIds: string[] = [];
  const handle = {
    signal: new AbortController().signal,
    onProgress: (each: RunProgress) => progress.push(each),
    onBegin: (entryId: string) => begunEntryIds.push(entryId),
  };
  return { deps, handle, history, progress, begunEntryIds };
}

/** Waits for a change, and skips its pauses. */
async function skipPauses<T>({ sandbox: { clock } }: ChangeFixture, run: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const watched = run.finally(() => {
    state.isOver = true;
  });
  watched.catch(() => undefined);
  while (!state.isOver) {
    await clock.advance(clock.nextDelay ?? 0);
    await setImmediate();
  }
  return watched;
}

/** Stops a change that replaces Ben's rule when the rule of another user can't be deleted. */
async function stopChange(fixture: ChangeFixture) {
  await fixture.client.extractRules.create(subject, threeRules);
  const [anna, ben, carl] = await readRules(fixture);
  const operation = createBulkRuleOperation(location, subject, {
    adds: [createRule('South', 'dora')],
    updates: [{ before: ben ?? {}, after: { ...ben, members: ['South'] } }],
    deletes: [anna, carl].map((rule) => ({ index: 0, rule: rule ?? {} })),
  });
  fixture.getWriteFault = (line) => (line.startsWith('DELETE') ? 'refusal' : undefined);
  const runner = createRunner(fixture);
  const hash = hashDocument('rules', await fixture.read(rulesRef));
  const run = await skipPauses(
    fixture,
    applyChange(runner.deps, { operation, expectedVersions: [{ ref: rulesRef, hash }] }, runner.handle),
  );
  fixture.getWriteFault = () => undefined;
  const [entry] = await runner.history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('There is no entry');
  }
  return { run, entry, runner };
}

const getCounts = (progress: readonly RunProgress[]) => progress.map(({ done, total }) => [done, total]);

describe('a change of rules', () => {
  test('counts the rules that are written, and reports the ID under which it is recorded', async () => {
    using fixture = new ChangeFixture();
    const { deps, handle, progress, begunEntryIds } = createRunner(fixture);
    const startedAt = deps.clock.now();
    const run = await applyChange(deps, await createAddition(fixture), handle);
    expect(getCounts(progress).at(-1)).toEqual([3, 3]);
    expect(getCounts(progress)).toEqual(getCounts(progress).toSorted(([a = 0], [b = 0]) => a - b));
    expect(begunEntryIds).toEqual([run.report.entryId]);
    expect(run).toMatchObject({ startedAt, endedAt: deps.clock.now(), waits: { count: 0, ms: 0 } });
    expect(run.stopError).toBeUndefined();
    expect(await readUsers(fixture)).toEqual(['anna', 'ben', 'carl']);
  });

  test('waits while the server is busy, and counts how often and how long', async () => {
    using fixture = new ChangeFixture();
    const change = await createAddition(fixture);
    fixture.sandbox.faults.set([{ kind: 'tooManyRequests', retryAfter: 7, methods: ['POST'], count: 2 }]);
    const { deps, handle, progress } = createRunner(fixture);
    const run = await skipPauses(fixture, applyChange(deps, change, handle));
    expect(run.waits).toEqual({ count: 2, ms: 14_000 });
    expect(run.endedAt - run.startedAt).toBe(14_000);
    const wait = { ms: 7000, failure: expect.objectContaining({ status: 429 }) };
    expect(progress.filter((step) => step.wait !== undefined)).toEqual([
      { done: 0, total: 3, wait },
      { done: 0, total: 3, wait },
    ]);
  });

  test('is refused if another user has changed the rules since the preview', async () => {
    using fixture = new ChangeFixture();
    const change = await createAddition(fixture);
    await fixture.client.extractRules.create(subject, [createRule('East', 'zoe')]);
    const { deps, handle } = createRunner(fixture);
    expect(await getFailure(applyChange(deps, change, handle))).toBeInstanceOf(ConflictError);
    expect(await readUsers(fixture)).toEqual(['zoe']);
  });

  test('that stops returns its report and the reason, and can be resumed; each rule is counted once', async () => {
    using fixture = new ChangeFixture();
    const { run, entry, runner } = await stopChange(fixture);
    expect(run.stopError?.report).toBe(run.report);
    expect(run.report.writeStates.map(({ state }) => state)).toContain('failed');
    expect(getCounts(runner.progress).at(-1)).toEqual([2, 4]);
    const resumed = createRunner(fixture);
    const result = await skipPauses(fixture, resumeChange(resumed.deps, entry, resumed.handle));
    expect(result.stopError).toBeUndefined();
    expect(result.report.entryId).toBe(entry.id);
    expect(resumed.progress.at(-1)?.total).toBe(4);
    expect(await readUsers(fixture)).toEqual(['ben', 'dora']);
  });

  test('that stops can be rolled back', async () => {
    using fixture = new ChangeFixture();
    const { entry } = await stopChange(fixture);
    const { deps, handle } = createRunner(fixture);
    const result: RuleChangeResult = await skipPauses(fixture, rollBackChange(deps, entry, handle));
    expect(result.stopError).toBeUndefined();
    expect(await readUsers(fixture)).toEqual(['anna', 'ben', 'carl']);
    expect((await readRules(fixture)).flatMap(({ members }) => members)).toEqual(['North', 'North', 'North']);
  });
});

describe('a plan that the user has approved', () => {
  test('is carried out', async () => {
    using fixture = new ChangeFixture();
    const { operation } = await createAddition(fixture);
    const { deps, handle, progress } = createRunner(fixture);
    const { planHash } = await deps.writer.plan(operation);
    await runApproved(deps, { operation, planHash }, handle);
    expect(getCounts(progress).at(-1)).toEqual([3, 3]);
    expect(await readUsers(fixture)).toEqual(['anna', 'ben', 'carl']);
  });

  test('is not carried out if the rules have changed since', async () => {
    using fixture = new ChangeFixture();
    const { operation } = await createAddition(fixture);
    const { deps, handle } = createRunner(fixture);
    const { planHash } = await deps.writer.plan(operation);
    await fixture.client.extractRules.create(subject, [createRule('East', 'zoe')]);
    expect(await getFailure(runApproved(deps, { operation, planHash }, handle))).toBeInstanceOf(
      PlanNeededError,
    );
    expect(await readUsers(fixture)).toEqual(['zoe']);
  });
});
