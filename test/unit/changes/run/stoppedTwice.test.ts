import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { ClaimedError } from '../../../../src/changes/journal/history.ts';
import { getObjects } from '../../../../src/changes/model/readJson.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { writeRuleTable } from '../../../../src/security/ruleTable/writeRuleTable.ts';
import { createLiveRuleReplacement } from '../../../../src/changes/rules/ruleWrites.ts';
import { EndedError } from '../../../../src/changes/run/writeErrors.ts';
import { leftOnTheWay } from './interrupted.ts';
import { Bench, connectionId, failure, operation } from './support.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;

const getRules = async (bench: Bench): Promise<readonly JsonObject[]> =>
  getObjects(await bench.read({ kind: 'rules', subject: live }));

/** The values that the rules show, whatever their ids. */
const said = async (bench: Bench): Promise<readonly string[]> =>
  (await getRules(bench)).map((rule) => writeRuleTable([rule])).sort();

/**
 * A live rule being changed to cover more groups, which needs temporary deny rules: the server deleted nothing, neither
 * during the change nor during its undo.
 */
async function stoppedTwice(bench: Bench) {
  const { writer, history } = bench.open();
  const before = await said(bench);
  const [rule = {}] = await getRules(bench);
  const shares = [groups.support, groups.sales].map(({ _id, name }) => ({
    type: 'group',
    partyId: _id,
    partyName: name,
  }));
  const next = { ...rule, members: ['Else'], shares };
  const after = before
    .map((text) => (text === writeRuleTable([rule]) ? writeRuleTable([next]) : text))
    .sort();
  bench.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['DELETE'] }]);
  await failure(writer.run(operation(createLiveRuleReplacement(live, rule, next))));
  const [change] = await history.readEntries(connectionId);
  await failure(writer.rollBack(existing(change)));
  bench.sandbox.faults.set([]);
  const [back] = await history.readEntries(connectionId);
  expect(back?.undoes).toBe(change?.id);
  expect(await history.readUnfinished(connectionId)).toHaveLength(2);
  const ofNow = async ({ id }: HistoryEntry) => existing(await history.readEntry(connectionId, id));
  return { writer, history, before, after, change: existing(change), back: existing(back), ofNow };
}

function existing<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('It is not there');
  }
  return value;
}

describe('a stopped change whose undo stopped too', () => {
  test('is finished, and no temporary deny rule of either is left', async () => {
    using bench = new Bench();
    const { writer, history, after, change, back, ofNow } = await stoppedTwice(bench);
    await writer.resume(change);
    expect(await said(bench)).toEqual(after);
    expect(await history.readUnfinished(connectionId)).toEqual([]);
    // A row that another window still shows: the finished result would be deleted.
    expect(await failure(writer.resume(back))).toBeInstanceOf(EndedError);
    expect(await failure(writer.resume(await ofNow(back)))).toBeInstanceOf(EndedError);
    expect(await failure(writer.rollBack(await ofNow(change)))).toBeInstanceOf(EndedError);
    expect(await said(bench)).toEqual(after);
  });

  test('is undone by continuing the undo where it stopped', async () => {
    using bench = new Bench();
    const { writer, history, before, change, ofNow } = await stoppedTwice(bench);
    await writer.rollBack(change);
    expect(await said(bench)).toEqual(before);
    expect(await history.readUnfinished(connectionId)).toEqual([]);
    expect(await failure(writer.resume(await ofNow(change)))).toBeInstanceOf(EndedError);
    expect(await said(bench)).toEqual(before);
  });

  test('is undone by finishing its undo', async () => {
    using bench = new Bench();
    const { writer, history, before, back, change } = await stoppedTwice(bench);
    await writer.resume(back);
    expect(await said(bench)).toEqual(before);
    expect(await history.readUnfinished(connectionId)).toEqual([]);
    expect(await failure(writer.resume(change))).toBeInstanceOf(EndedError);
    expect(await said(bench)).toEqual(before);
  });

  test('is back in its stopped state when its undo is undone, and can be finished', async () => {
    using bench = new Bench();
    const { writer, history, after, back, change } = await stoppedTwice(bench);
    await writer.rollBack(back);
    expect(await history.readUnfinished(connectionId)).toMatchObject([{ id: change.id }]);
    await writer.resume(change);
    expect(await said(bench)).toEqual(after);
    expect(await history.readUnfinished(connectionId)).toEqual([]);
  });

  test('is left alone while another window undoes it', async () => {
    using bench = new Bench();
    const { writer, change } = await stoppedTwice(bench);
    const stands = await said(bench);
    leftOnTheWay(bench, process.ppid, ({ line }) => line !== 'end');
    expect(await failure(writer.resume(change))).toBeInstanceOf(ClaimedError);
    expect(await failure(writer.rollBack(change))).toBeInstanceOf(ClaimedError);
    expect(await said(bench)).toEqual(stands);
  });
});
