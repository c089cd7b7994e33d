import { setImmediate } from 'node:timers/promises';
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
import { writeRuleTable } from '../../../../src/security/ruleTable/writeRuleTable.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import { ruleSets } from '../../security/ruleSets.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { ChangeFixture, connectionId, getFailure, type Loss } from './support.ts';

const cube = { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' } as const;
const live: RuleSubject = { kind: 'live', title: 'Support Desk' };
const location = { connectionId, within: [] };

const getRules = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  (await fixture.read({ kind: 'rules', subject })) as readonly JsonObject[];

const differenceTo = async (fixture: ChangeFixture, subject: RuleSubject, wanted: readonly unknown[]) =>
  computeRuleDifference({
    tableRules: parseRuleTable(writeRuleTable(wanted)).rules,
    current: await getRules(fixture, subject),
    binding: subject,
    scope: 'all',
    findPartyId: ({ name }) => name,
  });

/** The content of the rules, without fields that differ each time they are created. */
const formatRules = (rules: readonly unknown[]): readonly string[] =>
  rules.map((rule) => writeRuleTable([rule])).sort();

/** Advances time until a promise has settled: pauses for busy servers and between reads cost no real time. */
async function advanceUntilSettled<T>(fixture: ChangeFixture, promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const watched = promise.finally(() => {
    state.isOver = true;
  });
  watched.catch(() => undefined);
  while (!state.isOver) {
    await fixture.sandbox.clock.advance(60_000);
    await setImmediate();
  }
  return watched;
}

/** Finishes a change that a lost message stopped, as often as needed: the number of losses is limited. */
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

async function change(
  fixture: ChangeFixture,
  subject: RuleSubject,
  wanted: readonly unknown[],
  options: RunOptions = {},
) {
  const { writer } = fixture.open();
  const operation = createBulkRuleOperation(
    location,
    subject,
    await differenceTo(fixture, subject, wanted),
    600,
  );
  const { planHash } = await writer.plan(operation);
  return advanceUntilSettled(
    fixture,
    writer.run(operation, { approval: writer.approve(planHash), ...options }),
  );
}

const only = (value: string, user: string, column = 'Region') => ({
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
const old = ['anna', 'ben', 'carl'].map((user) => only('North', user));
const next = ['anna', 'ben', 'dora', 'emil', 'fay'].map((user) => only('South', user));

describe('a bulk change of rules', () => {
  test('takes as few requests as are safe: rules for the same parties are updated in place', async () => {
    using fixture = new ChangeFixture();
    await change(fixture, cube, old);
    const before = await getRules(fixture, cube);
    const earlier = fixture.transport.lines.length;
    await change(fixture, cube, next);
    const methods = fixture.transport.lines.slice(earlier).map((line) => line.split(' ')[0]);
    expect(methods.filter((method) => method !== 'GET')).toEqual(['POST', 'PUT', 'PUT', 'DELETE']);
    const after = await getRules(fixture, cube);
    expect(formatRules(after)).toEqual(formatRules(next));
    const keptIds = new Set(before.map(({ _id }) => _id)).intersection(new Set(after.map(({ _id }) => _id)));
    expect(keptIds.size).toBe(2);
    // For the difference, the plan, the state before planning, before writing, and afterwards.
    expect(methods.filter((method) => method === 'GET').length).toBeLessThanOrEqual(5);
  });

  test('is undone as one change, in one write of each kind', async () => {
    using fixture = new ChangeFixture();
    for (const subject of [cube, live]) {
      // Each entry gets a time of its own.
      await fixture.sandbox.clock.advance(1000);
      const before = await getRules(fixture, subject);
      await change(fixture, subject, old);
      const { writer, history } = fixture.open();
      const [entry] = await history.readEntries(connectionId);
      expect(entry).toMatchObject({ operation: { cause: 'bulk' }, end: 'done' });
      if (entry === undefined) {
        return;
      }
      const back = await writer.planUndo(entry);
      const kinds = back.operation.writes.map(({ endpoint }) => endpoint.split('.')[1]);
      expect(kinds).toEqual(subject === cube ? ['delete'] : ['create', 'delete']);
      const { planHash } = await writer.plan(back.operation);
      await writer.run(back.operation, { ...back, approval: writer.approve(planHash), undoes: entry.id });
      expect(formatRules(await getRules(fixture, subject))).toEqual(formatRules(before));
      expect(new Set(fixture.changes.map(({ kind }) => kind))).toEqual(new Set(['rules']));
    }
  });

  test('is not undone over later changes of another user', async () => {
    using fixture = new ChangeFixture();
    await change(fixture, cube, old);
    const { writer, history } = fixture.open();
    const [entry] = await history.readEntries(connectionId);
    await fixture.client.extractRules.create(cube, [only('East', 'zoe')]);
    const back = entry && (await writer.planUndo(entry));
    expect(back?.expectedVersions).toHaveLength(1);
    expect(back && (await getFailure(writer.run(back.operation, back)))).toMatchObject({
      name: 'ConflictError',
    });
  });

  test('waits as long as a busy server requests, and reports it', async () => {
    using fixture = new ChangeFixture();
    await change(fixture, cube, old);
    fixture.sandbox.faults.set([
      { kind: 'tooManyRequests', retryAfter: 7, methods: ['POST'], count: 2 },
      { kind: 'tooManyRequests', retryAfter: 5, methods: ['PUT'], count: 1 },
      { kind: 'status', status: 503, methods: ['DELETE'], count: 9 },
    ]);
    const waits: number[] = [];
    await change(fixture, cube, next, { onWait: (ms) => waits.push(ms) });
    expect(waits.slice(0, 3)).toEqual([7000, 7000, 5000]);
    expect(waits.length).toBeGreaterThan(3);
    expect(formatRules(await getRules(fixture, cube))).toEqual(formatRules(next));
  });

  test('reports the progress of each write, request by request', async () => {
    using fixture = new ChangeFixture();
    const many = Array.from({ length: 20 }, (_, index) => only('North', `u${index}`));
    const reported: (readonly [write: number, done: number])[] = [];
    await change(fixture, cube, many, { onProgress: ({ write, done }) => reported.push([write, done]) });
    const posts = fixture.getWriteRequests().filter((line) => line.startsWith('POST')).length;
    expect(posts).toBeGreaterThan(3);
    expect(reported).toHaveLength(many.length);
    const last = new Map(reported);
    expect([...last.values()].reduce((sum, done) => sum + done, 0)).toBe(many.length);
    expect(last.size).toBeGreaterThan(3);
  });

  test.each(['first', 'last'] as const)(
    'stops before sending if a rule cannot be sent, the %s one, and names it',
    async (where) => {
      using fixture = new ChangeFixture();
      await change(fixture, cube, old);
      const wrong = { ...only('South', 'gil'), shares: 'no' };
      const { writer, history } = fixture.open();
      const difference = await differenceTo(fixture, cube, next);
      const adds = where === 'first' ? [wrong, ...next] : [...next, wrong];
      const operation = createBulkRuleOperation(location, cube, { ...difference, adds });
      const { planHash } = await writer.plan(operation);
      const sent = fixture.getWriteRequests().length;
      const stopped = await getFailure(
        advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) })),
      );
      const refused = [{ index: where === 'first' ? 0 : next.length, rule: wrong }];
      expect(stopped).toMatchObject({ cause: { name: 'RulesRefusedError', refused }, changedNothing: true });
      expect(fixture.getWriteRequests()).toHaveLength(sent);
      expect(await history.readUnfinished(connectionId)).toEqual([]);
    },
  );

  test('stops at a rejected rule, names it, reports the partial change, and can be undone', async () => {
    using fixture = new ChangeFixture();
    await change(fixture, cube, old);
    const wrong = { ...only('South', 'gil'), datatype: 'nonsense' };
    const { writer, history } = fixture.open();
    const difference = await differenceTo(fixture, cube, next);
    const operation = createBulkRuleOperation(
      location,
      cube,
      { ...difference, adds: [...difference.adds, wrong] },
      600,
    );
    const { planHash } = await writer.plan(operation);
    const stopped = await getFailure(
      advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) })),
    );
    expect(stopped).toMatchObject({ cause: { name: 'RulesRefusedError', refused: [{ rule: wrong }] } });
    expect(stopped).toMatchObject({ changedNothing: false });
    expect(formatRules(await getRules(fixture, cube))).not.toEqual(formatRules(old));
    const [entry] = await history.readEntries(connectionId);
    await (entry && advanceUntilSettled(fixture, writer.rollBack(entry)));
    expect(formatRules(await getRules(fixture, cube))).toEqual(formatRules(old));
  });

  // A second rule for the same parties on one column is rejected: some servers would overwrite the first one.
  const random = ruleSets('Stores.Region', 'Stores.Segment').map((rules) => {
    const named = rules.filter(({ shares }) => (shares ?? []).length > 0);
    return [...new Map(named.map((rule) => [getColumnAndParties(rule), rule])).values()];
  });
  const losses = fc.array(fc.constantFrom<Loss | undefined>('answer', 'request', undefined, undefined), {
    maxLength: 12,
  });

  test('property: whatever is lost and wherever it is canceled, it ends as intended and can be undone', async () => {
    await fc.assert(
      fc.asyncProperty(
        random,
        random,
        losses,
        fc.nat(8),
        fc.boolean(),
        async (first, second, lost, stop, finish) => {
          using fixture = new ChangeFixture();
          await change(fixture, cube, first);
          const before = formatRules(await getRules(fixture, cube));
          const left = [...lost];
          fixture.getLoss = () => left.shift();
          const cancel = new AbortController();
          let progress = 0;
          const onProgress = () => {
            progress += 1;
            if (progress > stop) {
              cancel.abort();
            }
          };
          const { writer, history } = fixture.open();
          const operation = createBulkRuleOperation(
            location,
            cube,
            await differenceTo(fixture, cube, second),
            500,
          );
          const { planHash } = await writer.plan(operation);
          const options = { approval: writer.approve(planHash), signal: cancel.signal, onProgress };
          const end: unknown = await advanceUntilSettled(fixture, writer.run(operation, options)).catch(
            (error: unknown) => error,
          );
          const [entry] = await history.readEntries(connectionId);
          if (entry === undefined) {
            return;
          }
          if (end instanceof StoppedError && finish) {
            await advanceUntilSettled(fixture, writer.resume(entry));
          }
          if (!(end instanceof StoppedError) || finish) {
            const { adds, deletes } = await differenceTo(fixture, cube, second);
            expect([adds, deletes]).toEqual([[], []]);
            const done = await history.readEntry(connectionId, entry.id);
            const back = await writer.planUndo(done ?? entry);
            const approval = writer.approve((await writer.plan(back.operation)).planHash);
            const undone = writer.run(back.operation, { ...back, approval: approval, undoes: entry.id });
            await advanceUntilSettled(fixture, undone).catch((error: unknown) =>
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
        examples: [[[denyRule], [], [undefined, 'request'], 0, false]],
      },
    );
  });
});

test('a rule is added to several cubes, one at a time, and undone in all of them', async () => {
  using fixture = new ChangeFixture();
  const cubes = ['First', 'Second'].map((elasticube) => ({ ...cube, elasticube }) as const);
  const rule = { ...only('North', 'anna'), _id: 'old', partyName: 'Anna' };
  const { writer, history } = fixture.open();
  const earlier = fixture.transport.lines.length;
  await writer.run(createRuleCopyOperation(location, cubes, [rule], 'Stores.Region'));
  const sent = fixture.transport.lines.slice(earlier).filter((line) => line.startsWith('POST'));
  expect(sent).toEqual(
    ['First', 'Second'].map((name) => `POST /api/elasticubes/LocalHost/${name}/datasecurity`),
  );
  for (const each of cubes) {
    expect(formatRules(await getRules(fixture, each))).toEqual(formatRules([rule]));
  }
  const [entry] = await history.readEntries(connectionId);
  const back = entry && (await writer.planUndo(entry));
  const undoPlanHash = back && (await writer.plan(back.operation)).planHash;
  await (back &&
    undoPlanHash &&
    writer.run(back.operation, { ...back, approval: writer.approve(undoPlanHash) }));
  for (const each of cubes) {
    expect(await getRules(fixture, each)).toEqual([]);
  }
});
