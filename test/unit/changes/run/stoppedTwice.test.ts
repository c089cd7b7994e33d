import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { ClaimedError } from '../../../../src/changes/journal/claimedError.ts';
import { readInterruptedChanges } from '../../../../src/changes/journal/interruptedChanges.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { EndedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { killWindow, rewriteJournal } from './simulateInterruption.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  getFailure,
  getIds,
} from './support.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;

const getRules = async (fixture: ChangeFixture): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject: live }));

/** The content of the rules, without their IDs. */
const readRuleTexts = async (fixture: ChangeFixture): Promise<readonly string[]> =>
  (await getRules(fixture)).map((rule) => formatRuleTable([rule])).sort();

/**
 * Changes a live rule so that it applies to more groups, which needs temporary deny rules, and undoes the change. Both
 * stop because the server rejects deletions.
 */
async function stopTwice(fixture: ChangeFixture) {
  const { writer, history } = fixture.open();
  const before = await readRuleTexts(fixture);
  const [rule = {}] = await getRules(fixture);
  const shares = [groups.support, groups.sales].map(({ _id, name }) => ({
    type: 'group',
    partyId: _id,
    partyName: name,
  }));
  const next = { ...rule, members: ['Else'], shares };
  const after = before
    .map((text) => (text === formatRuleTable([rule]) ? formatRuleTable([next]) : text))
    .sort();
  fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['DELETE'] }]);
  await getFailure(writer.run(createOperation(createLiveRuleReplacementWrites(live, rule, next))));
  const [change] = await history.readEntries(connectionId);
  await getFailure(writer.rollBack(expectDefined(change)));
  fixture.sandbox.faults.set([]);
  const [undoEntry] = await history.readEntries(connectionId);
  expect(undoEntry?.undoneEntryId).toBe(change?.id);
  expect(await history.readUnfinishedEntries(connectionId)).toHaveLength(2);
  const readAgain = async ({ id }: HistoryEntry) => expectDefined(await history.readEntry(connectionId, id));
  return {
    writer,
    history,
    before,
    after,
    change: expectDefined(change),
    undoEntry: expectDefined(undoEntry),
    readAgain,
  };
}

describe('a stopped change whose undo stopped too', () => {
  test('is finished, and no temporary deny rule of either is left', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, after, change, undoEntry, readAgain } = await stopTwice(fixture);
    await writer.resume(change);
    expect(await readRuleTexts(fixture)).toEqual(after);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    // Another window may still offer to finish the undo, which would delete the result.
    expect(await getFailure(writer.resume(undoEntry))).toBeInstanceOf(EndedError);
    expect(await getFailure(writer.resume(await readAgain(undoEntry)))).toBeInstanceOf(EndedError);
    expect(await getFailure(writer.rollBack(await readAgain(change)))).toBeInstanceOf(EndedError);
    expect(await readRuleTexts(fixture)).toEqual(after);
  });

  test('is undone by continuing the undo where it stopped', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, before, change, readAgain } = await stopTwice(fixture);
    await writer.rollBack(change);
    expect(await readRuleTexts(fixture)).toEqual(before);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    expect(await getFailure(writer.resume(await readAgain(change)))).toBeInstanceOf(EndedError);
    expect(await readRuleTexts(fixture)).toEqual(before);
  });

  test('is undone by finishing its undo', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, before, undoEntry, change } = await stopTwice(fixture);
    await writer.resume(undoEntry);
    expect(await readRuleTexts(fixture)).toEqual(before);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    expect(await getFailure(writer.resume(change))).toBeInstanceOf(EndedError);
    expect(await readRuleTexts(fixture)).toEqual(before);
  });

  test('is unfinished again when its undo is undone, and can then be finished', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, after, undoEntry, change } = await stopTwice(fixture);
    await writer.rollBack(undoEntry);
    expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([{ id: change.id }]);
    await writer.resume(change);
    expect(await readRuleTexts(fixture)).toEqual(after);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('cannot be changed while another window undoes it', async () => {
    using fixture = new ChangeFixture();
    const { writer, change } = await stopTwice(fixture);
    const textsBefore = await readRuleTexts(fixture);
    rewriteJournal(fixture, process.ppid, ({ line }) => line !== 'end');
    expect(await getFailure(writer.resume(change))).toBeInstanceOf(ClaimedError);
    expect(await getFailure(writer.rollBack(change))).toBeInstanceOf(ClaimedError);
    expect(await readRuleTexts(fixture)).toEqual(textsBefore);
  });
});

describe('a deletion that turned out to be done before its undo stopped', () => {
  const orders = createTableRef('Orders');

  /** Deletes a table with a change that is killed before the response, and stops the undo after it restored the table. */
  async function stopUndo(fixture: ChangeFixture) {
    const write = { endpoint: 'tables.delete', params: getIds(orders), target: orders } as const;
    await runApproved(fixture.open().writer, createOperation([write], 'apply'));
    const { writer, history, entry } = await killWindow(fixture, ({ line }) => line === 'sending');
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['PATCH'] }]);
    expect(await getFailure(writer.rollBack(entry))).toMatchObject({ name: 'StoppedError' });
    fixture.sandbox.faults.set([]);
    const readTables = async () => {
      const { value } = await fixture.client.tables.list(orders);
      return value.filter(({ name }) => name === 'Orders');
    };
    expect(await readTables()).toHaveLength(1);
    const interrupted = await readInterruptedChanges(history, connectionId);
    expect(interrupted).toMatchObject([{ id: entry.id, writeStates: [{ state: 'done' }] }]);
    return { writer, history, entry, readTables };
  }

  test('is rolled back by finishing its undo', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry, readTables } = await stopUndo(fixture);
    await writer.rollBack(entry);
    expect(await readTables()).toHaveLength(1);
    expect(await readInterruptedChanges(history, connectionId)).toEqual([]);
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'rolled-back' });
  });

  test('is finished by rolling back its undo', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry, readTables } = await stopUndo(fixture);
    await writer.resume(entry);
    expect(await readTables()).toEqual([]);
    expect(await readInterruptedChanges(history, connectionId)).toEqual([]);
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'done' });
  });
});
