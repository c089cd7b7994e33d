import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createRuleCopyOperation,
  createBulkRuleOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import type { Rule } from '../../../../src/contract/rule.ts';
import { computeRuleDifference } from '../../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { readInterruptedChanges } from '../../../../src/changes/journal/interruptedChanges.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import { ruleSets } from '../../security/ruleSets.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { advanceUntilSettled, ChangeFixture, connectionId, getFailure, type WriteFault } from './support.ts';

const cube = { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' } as const;
const live: RuleSubject = { kind: 'live', title: 'Support Desk' };
const location = { connectionId, within: [] };

const getRules = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  (await fixture.read({ kind: 'rules', subject })) as readonly JsonObject[];

const computeDifferenceTo = async (
  fixture: ChangeFixture,
  subject: RuleSubject,
  wanted: readonly unknown[],
) =>
  computeRuleDifference({
    tableRules: parseRuleTable(formatRuleTable(wanted)).rules,
    existingRules: await getRules(fixture, subject),
    binding: subject,
    mode: 'all',
    findPartyId: ({ idOrName }) => idOrName,
  });

/** The content of the rules, without fields that differ each time they are created. */
const formatRules = (rules: readonly unknown[]): readonly string[] =>
  rules.map((rule) => formatRuleTable([rule])).sort();

/** Finishes a change that a lost message stopped, as often as needed: the number of faults is limited. */
async function resumeUntilDone(fixture: ChangeFixture, error: unknown): Promise<void> {
  if (!(error instanceof StoppedError)) {
    throw error;
  }
  const { writer, history } = fixture.open();
  const entry = await history.readEntry(connectionId, error.report.entryId);
  if (entry === undefined) {
    throw error;
  }
  await advanceUntilSettled(fixture, writer.resume(entry)).catch((again: unknown) =>
    resumeUntilDone(fixture, again),
  );
}

/** The column of a rule and its parties, without duplicates. */
function getColumnAndParties({ column, shares }: Rule): string {
  const parties = (shares ?? []).map(({ type, party, partyId }) => `${type}:${party ?? partyId ?? ''}`);
  return JSON.stringify([column, [...new Set(parties)].sort()]);
}

async function applyRules(
  fixture: ChangeFixture,
  subject: RuleSubject,
  wanted: readonly unknown[],
  options: RunOptions = {},
) {
  const { writer } = fixture.open();
  const operation = createBulkRuleOperation(
    location,
    subject,
    await computeDifferenceTo(fixture, subject, wanted),
    600,
  );
  const { planHash } = await writer.plan(operation);
  return advanceUntilSettled(
    fixture,
    writer.run(operation, { approval: writer.approve(planHash), ...options }),
  );
}

const createRule = (value: string, user: string, column = 'Region') => ({
  table: 'Stores',
  column,
  datatype: 'text',
  members: [value],
  allMembers: null,
  shares: [{ type: 'user', partyId: user }],
});
/** Shows nothing of a column to a group. */
const denyRule = {
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: [],
  allMembers: false,
  exclusionary: null,
  shares: [{ type: 'group', party: 'red' }],
};
const oldRules = ['anna', 'ben', 'carl'].map((user) => createRule('North', user));
const newRules = ['anna', 'ben', 'dora', 'emil', 'fay'].map((user) => createRule('South', user));

describe('a bulk change of rules', () => {
  test('takes as few requests as are safe: rules for the same parties are updated in place', async () => {
    using fixture = new ChangeFixture();
    await applyRules(fixture, cube, oldRules);
    const before = await getRules(fixture, cube);
    const requestCountBefore = fixture.transport.requestLines.length;
    await applyRules(fixture, cube, newRules);
    const methods = fixture.transport.requestLines
      .slice(requestCountBefore)
      .map((line) => line.split(' ')[0]);
    expect(methods.filter((method) => method !== 'GET')).toEqual(['POST', 'PUT', 'PUT', 'DELETE']);
    const after = await getRules(fixture, cube);
    expect(formatRules(after)).toEqual(formatRules(newRules));
    const keptIds = new Set(before.map(({ _id }) => _id)).intersection(new Set(after.map(({ _id }) => _id)));
    expect(keptIds.size).toBe(2);
    // For the difference, the plan, the state before planning, before writing, and afterwards.
    expect(methods.filter((method) => method === 'GET').length).toBeLessThanOrEqual(5);
  });

  test('is undone as one change, in one write of each kind', async () => {
    using fixture = new ChangeFixture();
    for (const subject of [cube, live]) {
      // Gives the entries different times.
      await fixture.sandbox.clock.advance(1000);
      const before = await getRules(fixture, subject);
      await applyRules(fixture, subject, oldRules);
      const { writer, history } = fixture.open();
      const [entry] = await history.readEntries(connectionId);
      expect(entry).toMatchObject({ operation: { cause: 'bulk' }, end: 'done' });
      if (entry === undefined) {
        return;
      }
      const undo = await writer.planUndo(entry);
      const kinds = undo.operation.writes.map(({ endpoint }) => endpoint.split('.')[1]);
      expect(kinds).toEqual(subject === cube ? ['delete'] : ['create', 'delete']);
      const { planHash } = await writer.plan(undo.operation);
      await writer.run(undo.operation, {
        ...undo,
        approval: writer.approve(planHash),
        undoneEntryId: entry.id,
      });
      expect(formatRules(await getRules(fixture, subject))).toEqual(formatRules(before));
      expect(new Set(fixture.changes.map(({ kind }) => kind))).toEqual(new Set(['rules']));
    }
  });

  test('is not undone over later changes of another user', async () => {
    using fixture = new ChangeFixture();
    await applyRules(fixture, cube, oldRules);
    const { writer, history } = fixture.open();
    const [entry] = await history.readEntries(connectionId);
    await fixture.client.extractRules.create(cube, [createRule('East', 'zoe')]);
    const undo = entry && (await writer.planUndo(entry));
    expect(undo?.expectedVersions).toHaveLength(1);
    expect(undo && (await getFailure(writer.run(undo.operation, undo)))).toMatchObject({
      name: 'ConflictError',
    });
  });

  test('waits as long as a busy server requests, and reports it', async () => {
    using fixture = new ChangeFixture();
    await applyRules(fixture, cube, oldRules);
    fixture.sandbox.faults.set([
      { kind: 'tooManyRequests', retryAfter: 7, methods: ['POST'], count: 2 },
      { kind: 'tooManyRequests', retryAfter: 5, methods: ['PUT'], count: 1 },
      { kind: 'status', status: 503, methods: ['DELETE'], count: 6 },
    ]);
    const waits: number[] = [];
    await applyRules(fixture, cube, newRules, { onWait: (ms) => waits.push(ms) });
    expect(waits.slice(0, 3)).toEqual([7000, 7000, 5000]);
    expect(waits.length).toBeGreaterThan(3);
    expect(formatRules(await getRules(fixture, cube))).toEqual(formatRules(newRules));
  });

  test('reports the progress of each write, request by request', async () => {
    using fixture = new ChangeFixture();
    const manyRules = Array.from({ length: 20 }, (_, index) => createRule('North', `u${index}`));
    const reported: (readonly [write: number, done: number])[] = [];
    await applyRules(fixture, cube, manyRules, {
      onProgress: ({ writeIndex, done }) => reported.push([writeIndex, done]),
    });
    const postCount = fixture.getWriteRequests().filter((line) => line.startsWith('POST')).length;
    expect(postCount).toBeGreaterThan(3);
    expect(reported).toHaveLength(manyRules.length);
    const last = new Map(reported);
    expect([...last.values()].reduce((sum, done) => sum + done, 0)).toBe(manyRules.length);
    expect(last.size).toBeGreaterThan(3);
  });

  test.each(['first', 'last'] as const)(
    'stops before sending if the %s rule cannot be sent, and names it',
    async (position) => {
      using fixture = new ChangeFixture();
      await applyRules(fixture, cube, oldRules);
      const invalidRule = { ...createRule('South', 'gil'), shares: 'no' };
      const { writer, history } = fixture.open();
      const difference = await computeDifferenceTo(fixture, cube, newRules);
      const adds = position === 'first' ? [invalidRule, ...newRules] : [...newRules, invalidRule];
      const operation = createBulkRuleOperation(location, cube, { ...difference, adds });
      const { planHash } = await writer.plan(operation);
      const sent = fixture.getWriteRequests().length;
      const stopped = await getFailure(
        advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) })),
      );
      const refusedRules = [{ index: position === 'first' ? 0 : newRules.length, rule: invalidRule }];
      expect(stopped).toMatchObject({
        cause: { name: 'RulesRefusedError', refusedRules },
        changedNothing: true,
      });
      expect(fixture.getWriteRequests()).toHaveLength(sent);
      expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    },
  );

  const invalidRule = { ...createRule('South', 'gil'), datatype: 'nonsense' };

  /** Imports rules of which the server rejects one. */
  async function stopAtInvalidRule(fixture: ChangeFixture) {
    await applyRules(fixture, cube, oldRules);
    const { writer, history } = fixture.open();
    const difference = await computeDifferenceTo(fixture, cube, newRules);
    const operation = createBulkRuleOperation(
      location,
      cube,
      { ...difference, adds: [...difference.adds, invalidRule] },
      600,
    );
    const { planHash } = await writer.plan(operation);
    const stopped = await getFailure(
      advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) })),
    );
    return { writer, history, stopped };
  }

  test('stops at a rejected rule, names it, reports the partial change, and can be undone', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, stopped } = await stopAtInvalidRule(fixture);
    expect(stopped).toMatchObject({
      cause: { name: 'RulesRefusedError', refusedRules: [{ rule: invalidRule }] },
    });
    expect(stopped).toMatchObject({ changedNothing: false });
    expect(formatRules(await getRules(fixture, cube))).not.toEqual(formatRules(oldRules));
    const [entry] = await history.readEntries(connectionId);
    await (entry && advanceUntilSettled(fixture, writer.rollBack(entry)));
    expect(formatRules(await getRules(fixture, cube))).toEqual(formatRules(oldRules));
  });

  test('stays interrupted if it cannot be continued because others have changed its rules', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = await stopAtInvalidRule(fixture);
    const entry = expectDefined((await history.readEntries(connectionId))[0], 'entry');
    const rule = expectDefined(
      (await getRules(fixture, cube)).find((each) => JSON.stringify(each['shares']).includes('dora')),
      'rule',
    );
    await fixture.client.extractRules.update(
      { ruleId: getText(rule['_id']) },
      { ...rule, members: ['West'] },
    );
    const refused = await getFailure(advanceUntilSettled(fixture, writer.resume(entry)));
    expect(refused).toMatchObject({ name: 'ConflictError', ref: { kind: 'columnRules', table: 'Stores' } });
    expect(await history.readEntry(connectionId, entry.id)).toEqual(entry);
    expect((await readInterruptedChanges(history, connectionId)).map(({ id }) => id)).toEqual([entry.id]);
  });

  // A second rule for the same parties on one column is rejected: some servers would overwrite the first one.
  const arbitraryRuleSet = ruleSets('Stores.Region', 'Stores.Segment').map((rules) => {
    const rulesWithParties = rules.filter(({ shares }) => (shares ?? []).length > 0);
    return [...new Map(rulesWithParties.map((rule) => [getColumnAndParties(rule), rule])).values()];
  });
  const writeFaults = fc.array(
    fc.constantFrom<WriteFault | undefined>('response-lost', 'request-lost', undefined, undefined),
    {
      maxLength: 12,
    },
  );

  test('property: whichever messages are lost and whenever it is canceled, it ends as intended and can be undone', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryRuleSet,
        arbitraryRuleSet,
        writeFaults,
        fc.nat(8),
        fc.boolean(),
        async (first, second, faults, progressBeforeCancel, isResumed) => {
          using fixture = new ChangeFixture();
          await applyRules(fixture, cube, first);
          const before = formatRules(await getRules(fixture, cube));
          const remainingFaults = [...faults];
          fixture.getWriteFault = () => remainingFaults.shift();
          const cancel = new AbortController();
          let progress = 0;
          const onProgress = () => {
            progress += 1;
            if (progress > progressBeforeCancel) {
              cancel.abort();
            }
          };
          const { writer, history } = fixture.open();
          const operation = createBulkRuleOperation(
            location,
            cube,
            await computeDifferenceTo(fixture, cube, second),
            500,
          );
          const { planHash } = await writer.plan(operation);
          const options = { approval: writer.approve(planHash), signal: cancel.signal, onProgress };
          const result: unknown = await advanceUntilSettled(fixture, writer.run(operation, options)).catch(
            (error: unknown) => error,
          );
          const [entry] = await history.readEntries(connectionId);
          if (entry === undefined) {
            return;
          }
          if (result instanceof StoppedError && isResumed) {
            await advanceUntilSettled(fixture, writer.resume(entry));
          }
          if (!(result instanceof StoppedError) || isResumed) {
            const { adds, deletes } = await computeDifferenceTo(fixture, cube, second);
            expect([adds, deletes]).toEqual([[], []]);
            const doneEntry = await history.readEntry(connectionId, entry.id);
            const undo = await writer.planUndo(doneEntry ?? entry);
            const approval = writer.approve((await writer.plan(undo.operation)).planHash);
            const undoRun = writer.run(undo.operation, { ...undo, approval, undoneEntryId: entry.id });
            await advanceUntilSettled(fixture, undoRun).catch((error: unknown) =>
              resumeUntilDone(fixture, error),
            );
          } else {
            await advanceUntilSettled(fixture, writer.rollBack(entry));
          }
          expect(formatRules(await getRules(fixture, cube))).toEqual(before);
        },
      ),
      {
        numRuns: getPropertyRuns(8),
        // The undo is a single write, and that one is lost.
        examples: [[[denyRule], [], [undefined, 'request-lost'], 0, false]],
      },
    );
  });
});

test('a rule is added to several cubes, one at a time, and undone in all of them', async () => {
  using fixture = new ChangeFixture();
  const cubes = ['First', 'Second'].map((elasticube) => ({ ...cube, elasticube }) as const);
  const rule = { ...createRule('North', 'anna'), _id: 'old', partyName: 'Anna' };
  const { writer, history } = fixture.open();
  const requestCountBefore = fixture.transport.requestLines.length;
  await writer.run(createRuleCopyOperation(location, cubes, [rule], 'Stores.Region'));
  const sent = fixture.transport.requestLines
    .slice(requestCountBefore)
    .filter((line) => line.startsWith('POST'));
  expect(sent).toEqual(
    ['First', 'Second'].map((name) => `POST /api/elasticubes/LocalHost/${name}/datasecurity`),
  );
  for (const each of cubes) {
    expect(formatRules(await getRules(fixture, each))).toEqual(formatRules([rule]));
  }
  const [entry] = await history.readEntries(connectionId);
  const undo = entry && (await writer.planUndo(entry));
  const undoPlanHash = undo && (await writer.plan(undo.operation)).planHash;
  await (undo &&
    undoPlanHash &&
    writer.run(undo.operation, { ...undo, approval: writer.approve(undoPlanHash) }));
  for (const each of cubes) {
    expect(await getRules(fixture, each)).toEqual([]);
  }
});
