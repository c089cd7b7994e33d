import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { canResume, leavesDenyRules } from '../../../../src/changes/journal/stoppedOperation.ts';
import { getWrittenDocuments } from '../../../../src/changes/journal/writtenDocuments.ts';
import { ClaimedError } from '../../../../src/changes/journal/claimedError.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { EndedError } from '../../../../src/changes/run/writeErrors.ts';
import {
  changeAsOtherUser,
  interruptTableChanges,
  orders,
  products,
  stopUndo,
  stores,
} from './interruptTableChanges.ts';
import { killWindow, rewriteJournal } from './simulateInterruption.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';

describe('abandoning an unfinished operation', () => {
  test('sends no write, keeps the changes of others, and ends the operation', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'lost');
    await changeAsOtherUser(fixture, 'Orders');
    await changeAsOtherUser(fixture, 'Products');
    const sentBefore = fixture.getWriteRequests().length;

    const abandonedEntry = await writer.abandon(entry);
    expect(fixture.getWriteRequests()).toHaveLength(sentBefore);
    expect(await fixture.readObject(orders)).toMatchObject({ description: 'Theirs' });
    expect(await fixture.readObject(products)).toMatchObject({ description: 'Theirs' });
    expect(abandonedEntry).toMatchObject({
      end: 'stopped',
      isAbandoned: true,
      writeStates: [{ state: 'done' }, { state: 'failed' }, { state: 'waiting' }],
    });
    expect(canResume(abandonedEntry)).toBe(false);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    for (const end of [writer.resume(entry), writer.rollBack(entry), writer.abandon(entry)]) {
      expect(await getFailure(end)).toBeInstanceOf(EndedError);
    }
  });

  test('records which writes whose responses were lost took effect', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interruptTableChanges(fixture, 'arrived');
    expect(getWrittenDocuments(entry)).toMatchObject([
      { action: 'update', kind: 'table', name: 'Orders', isCertain: true },
      { name: 'Stores', isCertain: false },
    ]);
    expect(getWrittenDocuments(await writer.abandon(entry))).toMatchObject([
      { action: 'update', kind: 'table', name: 'Orders', isCertain: true },
      { name: 'Stores', isCertain: true },
    ]);
  });

  test('keeps a write as unknown if somebody else has changed its document since', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interruptTableChanges(fixture, 'arrived');
    await changeAsOtherUser(fixture, 'Stores');
    const abandonedEntry = await writer.abandon(entry);
    expect(getWrittenDocuments(abandonedEntry)[1]).toMatchObject({ name: 'Stores', isCertain: false });
  });

  test('lets what was written be undone later, except for what others have changed', async () => {
    using fixture = new ChangeFixture();
    const before = await fixture.readObject(stores);
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    await changeAsOtherUser(fixture, 'Orders');
    const abandonedEntry = await writer.abandon(entry);
    const choices = { overwrittenIds: new Set<string>(), names: new Map<string, string>() };
    const { operation, laterChanges, ...options } = await writer.planUndoForReview(
      abandonedEntry,
      'undo',
      choices,
    );
    expect(laterChanges).toMatchObject([{ kind: 'table', name: 'Orders', isOverwritten: false }]);
    const { planHash } = await writer.plan(operation);
    const approval = writer.approve(planHash);
    await writer.run(operation, { ...options, approval, undoneEntryId: entry.id });
    expect(await fixture.readObject(orders)).toMatchObject({ description: 'Theirs' });
    expect(await fixture.readObject(stores)).toMatchObject({ description: before['description'] });
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('abandons its unfinished undo, too', async () => {
    using fixture = new ChangeFixture();
    const { entry } = await interruptTableChanges(fixture, 'arrived');
    await stopUndo(fixture, entry);
    const { writer, history } = await killWindow(
      fixture,
      ({ line, write }) => write === 0 || (line === 'sending' && write === 1),
    );
    expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([{ undoneEntryId: entry.id }]);
    await changeAsOtherUser(fixture, 'Orders');
    await writer.abandon(entry);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    expect(await history.readEntries(connectionId)).toMatchObject([
      { undoneEntryId: entry.id, isAbandoned: true },
      { id: entry.id, isAbandoned: true },
    ]);
  });

  test('records the new IDs of what its unfinished undo has restored', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const returnsTable = createTableRef('Returns');
    const writes = [
      createTableUpdate('Orders', { description: 'Mine' }),
      createTableDeletionWrite(returnsTable),
    ];
    const { entryId } = await runApproved(writer, createOperation(writes));
    const entry = expectDefined(await history.readEntry(connectionId, entryId));
    const { operation, ...options } = await writer.planUndo(entry);
    await fixture.sandbox.clock.advance(1);
    await runApproved(writer, operation, { ...options, undoneEntryId: entryId });
    const killedWindow = await killWindow(fixture, ({ write }) => write === 0);
    const abandonedEntry = await killedWindow.writer.abandon(killedWindow.entry);
    const { value: tables } = await fixture.client.tables.list(returnsTable);
    const restored = tables.find(({ name }) => name === 'Returns');
    expect(restored?.oid).not.toBe(returnsTable.tableId);
    expect(abandonedEntry.changedIds).toContainEqual([returnsTable.tableId, restored?.oid]);
  });

  test('is refused while another process is working on the operation', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interruptTableChanges(fixture, 'arrived');
    rewriteJournal(fixture, process.ppid, ({ write }) => write === 0);
    expect(await getFailure(writer.abandon(entry))).toBeInstanceOf(ClaimedError);
  });
});

describe('abandoning a change of rules that has left temporary deny rules', () => {
  const live = { kind: 'live', title: 'Support Desk' } as const;

  /** Changes a live rule so that it applies to more groups; the server refuses to delete the former one. */
  async function stopWithDenyRules(fixture: ChangeFixture) {
    const { writer, history } = fixture.open();
    const [rule = {}] = getObjects(await fixture.read({ kind: 'rules', subject: live }));
    const shares = [groups.support, groups.sales].map(({ _id, name }) => ({
      type: 'group',
      partyId: _id,
      partyName: name,
    }));
    const writes = createLiveRuleReplacementWrites(live, rule, { ...rule, members: ['Else'], shares });
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['DELETE'] }]);
    await getFailure(writer.run(createOperation(writes)));
    fixture.sandbox.faults.set([]);
    expect(await history.readUnfinishedEntries(connectionId)).toHaveLength(1);
    return { rule, entry: expectDefined((await history.readEntries(connectionId))[0]) };
  }

  test.each(['stopped', 'killed'])(
    'records that these are left if the change was %s, and does not block later changes',
    async (end) => {
      using fixture = new ChangeFixture();
      const stopped = await stopWithDenyRules(fixture);
      const isRecorded = ({ line }: JsonObject): boolean => line !== 'result' && line !== 'end';
      const entry = end === 'killed' ? (await killWindow(fixture, isRecorded)).entry : stopped.entry;
      const { writer, history } = fixture.open();
      const sentBefore = fixture.getWriteRequests().length;
      const abandonedEntry = await writer.abandon(entry);
      expect(fixture.getWriteRequests()).toHaveLength(sentBefore);
      expect(leavesDenyRules(abandonedEntry)).toBe(true);
      expect(getWrittenDocuments(abandonedEntry)).toMatchObject([
        {
          action: 'update',
          kind: 'columnRules',
          name: `${getText(stopped.rule['table'])}.${getText(stopped.rule['column'])}`,
          containerTitle: 'Support Desk',
        },
      ]);
      expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    },
  );
});
