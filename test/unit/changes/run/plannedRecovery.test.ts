import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { readInterruptedChanges } from '../../../../src/changes/journal/interruptedChanges.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { PlannedAccess } from '../../../../src/changes/model/plan.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { hashEffects } from '../../../../src/changes/run/effectsHash.ts';
import type { PlannedRecovery } from '../../../../src/changes/run/plannedRecovery.ts';
import { ConflictError, PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createNewModelWrites } from '../recorded/scenarios.ts';
import {
  changeAsOtherUser,
  interruptTableChanges,
  orders,
  stopUndo,
  stores,
} from './interruptTableChanges.ts';
import { createRename, killRename, openShop, readColumnName, readShopRules } from './renameColumn.ts';
import { killWindow, runKilled } from './simulateInterruption.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableUpdate,
  getFailure,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

/** The names of what a plan changes, creates, and deletes. */
const listEffects = ({ plan: { changed, created, deleted } }: PlannedRecovery) => ({
  changed: changed.map(({ kind, name }) => `${kind} ${name}`),
  created: created.map(({ kind, name }) => `${kind} ${name}`),
  deleted: deleted.map(({ kind, name }) => `${kind} ${name}`),
});

/** Who gains access and who loses it, by column. */
const listAccess = (access: PlannedAccess | undefined) =>
  new Set(
    access?.subjects.flatMap(({ difference }) =>
      difference.rows.flatMap((row) =>
        row.kind === 'column' ? [`${row.name.table}.${row.name.column}`] : [],
      ),
    ),
  );

/** The hash that a review passes on when the user confirms it. */
const confirm = async ({ plan, planHash }: PlannedRecovery) => ({
  ...planHash,
  effects: hashEffects(plan, await plan.loadAccess()),
});

async function readOriginal({ history }: Pick<ReturnType<ChangeFixture['open']>, 'history'>) {
  return expectDefined<HistoryEntry>((await history.readEntries(connectionId)).at(-1));
}

describe('the plan to finish an interrupted change', () => {
  test('has only the writes that remain, and records and sends nothing', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    const requestCount = fixture.getWriteRequests().length;
    const planned = await writer.planRecovery(entry, 'resume');
    expect(listEffects(planned)).toEqual({ changed: ['table Products'], created: [], deleted: [] });
    expect(planned.entry.writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'waiting']);
    expect(planned).not.toHaveProperty('first');
    expect(fixture.getWriteRequests()).toHaveLength(requestCount);
    expect(await history.readEntry(connectionId, entry.id)).toEqual(entry);
    await writer.resume(entry, { confirmedPlanHash: await confirm(planned) });
    expect(await readInterruptedChanges(history, connectionId)).toEqual([]);
  });

  test('has no writes if the last one turns out to have arrived', async () => {
    using fixture = new ChangeFixture();
    await fixture.open().writer.run(createOperation([createTableUpdate('Orders', { description: 'Mine' })]));
    const { writer, entry } = await killWindow(fixture, ({ line }) => line === 'sending');
    const { plan } = await writer.planRecovery(entry, 'resume');
    expect(plan.operation.writes).toEqual([]);
  });

  test('names what belongs to items that were created before', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    await runKilled(fixture, { killedAt: 4, loss: 'request-lost' }, () =>
      advanceUntilSettled(fixture, runApproved(writer, createOperation(createNewModelWrites(), 'apply'))),
    );
    const window = fixture.open();
    const planned = await window.writer.planRecovery(await readOriginal(window), 'resume');
    expect(planned.plan.operation.writes).toHaveLength(createNewModelWrites().length - 3);
    expect(planned.plan.builds.map(({ title }) => title)).toEqual(['New']);
    expect(planned.plan.created.map(({ kind, name, within }) => [kind, name, ...within].join(' '))).toEqual([
      'table Right New More',
      'relation Left.Key = Right.Key New',
    ]);
  });

  test('says who loses and gains access by the rules that remain, and what to build because of earlier writes', async () => {
    using fixture = openShop();
    const { operation, oldName } = await createRename(fixture);
    await killRename(fixture, operation);
    const { writer, history } = fixture.open();
    const entry = await readOriginal({ history });
    const planned = await writer.planRecovery(entry, 'resume');
    // The column is renamed, so its former rules restrict nothing.
    expect(planned.plan.operation.writes.map(({ endpoint }) => endpoint)).toEqual(['extractRules.delete']);
    expect(planned.plan.deleted.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      `rule Stores.${oldName}`,
      `rule Stores.${oldName}`,
    ]);
    expect(planned.plan.builds.map(({ title }) => title)).toEqual(['Shop']);
    await writer.resume(entry, { confirmedPlanHash: await confirm(planned) });
    expect((await readShopRules(fixture)).every(({ column }) => column !== oldName)).toBe(true);
  });

  test('is refused if others have changed its rules since, even rules that it has not reached', async () => {
    using fixture = openShop();
    const { operation, oldName } = await createRename(fixture);
    await killRename(fixture, operation);
    const rule = expectDefined((await readShopRules(fixture)).find(({ column }) => column === oldName));
    await fixture.client.extractRules.update(
      { ruleId: getText(rule['_id']) },
      { ...rule, members: ['Theirs'], allMembers: null },
    );
    const { writer, history } = fixture.open();
    const conflict = await getFailure(writer.planRecovery(await readOriginal({ history }), 'resume'));
    expect(expectInstance(conflict, ConflictError).ref).toMatchObject({
      kind: 'columnRules',
      column: oldName,
    });
  });

  test('is not carried out if it would have other effects than those that were reviewed', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interruptTableChanges(fixture, 'lost');
    const planned = await writer.planRecovery(entry, 'resume');
    const confirmedPlanHash = await confirm(planned);
    // As if the request were carried out late.
    await fixture.client.tables.update(stores, { description: 'Mine' });
    const requestCount = fixture.getWriteRequests().length;
    const refusal = await getFailure(writer.resume(entry, { confirmedPlanHash }));
    expectInstance(refusal, PlanNeededError);
    expect(fixture.getWriteRequests()).toHaveLength(requestCount);
    const again = await writer.planRecovery(entry, 'resume');
    expect(listEffects(again).changed).toEqual(['table Products']);
    await writer.resume(entry, { confirmedPlanHash: await confirm(again) });
  });

  test('first rolls back an interrupted undo, and then has the remaining writes', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    await stopUndo(fixture, entry);
    const planned = await writer.planRecovery(entry, 'resume');
    expect(listEffects(planned).changed).toEqual(['table Stores']);
    const first = expectDefined(planned.first);
    expect(first).toMatchObject({ entry: { undoneEntryId: entry.id }, ending: 'roll-back' });
    await writer.rollBack(first.entry, { confirmedPlanHash: await confirm(planned) });
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'stopped' });
    const rest = await writer.planRecovery(entry, 'resume');
    expect(rest).not.toHaveProperty('first');
    expect(listEffects(rest).changed).toEqual(['table Products']);
    await writer.resume(entry, { confirmedPlanHash: await confirm(rest) });
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'done' });
  });
});

describe('the plan to roll back an interrupted change', () => {
  test('has the undo of what was written, and records and sends nothing', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    const requestCount = fixture.getWriteRequests().length;
    const planned = await writer.planRecovery(entry, 'roll-back');
    expect(listEffects(planned)).toEqual({
      changed: ['table Stores', 'table Orders'],
      created: [],
      deleted: [],
    });
    expect(planned.losses).toEqual([]);
    expect(fixture.getWriteRequests()).toHaveLength(requestCount);
    expect(await history.readEntry(connectionId, entry.id)).toEqual(entry);
    await writer.rollBack(entry, { confirmedPlanHash: await confirm(planned) });
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'rolled-back' });
  });

  test('has no writes if nothing was written', async () => {
    using fixture = new ChangeFixture();
    fixture.getWriteFault = () => 'request-lost';
    await getFailure(
      fixture.open().writer.run(createOperation([createTableUpdate('Orders', { description: 'Mine' })])),
    );
    fixture.getWriteFault = () => undefined;
    const { writer, history, entry } = await killWindow(fixture, ({ line }) => line === 'sending');
    const planned = await writer.planRecovery(entry, 'roll-back');
    expect(planned.plan.operation.writes).toEqual([]);
    expect(planned.losses).toEqual([]);
    const requestCount = fixture.getWriteRequests().length;
    await writer.rollBack(entry, { confirmedPlanHash: planned.planHash });
    expect(fixture.getWriteRequests()).toHaveLength(requestCount);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('has no loss because of a write that the server shows to have never arrived', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interruptTableChanges(fixture, 'lost');
    const planned = await writer.planRecovery(entry, 'roll-back');
    expect(listEffects(planned).changed).toEqual(['table Orders']);
    expect(planned.losses).toEqual([]);
    await writer.rollBack(entry, { confirmedPlanHash: await confirm(planned) });
  });

  test('changes no access to a column that gets back its former name and its rules, and says what to build', async () => {
    using fixture = openShop();
    const { operation, oldName } = await createRename(fixture);
    await killRename(fixture, operation);
    const { writer, history } = fixture.open();
    const entry = await readOriginal({ history });
    const planned = await writer.planRecovery(entry, 'roll-back');
    expect(listAccess(await planned.plan.loadAccess())).toEqual(new Set());
    expect(planned.plan.builds.map(({ title }) => title)).toEqual(['Shop']);
    await writer.rollBack(entry, { confirmedPlanHash: await confirm(planned) });
    expect(await readColumnName(fixture)).toBe(oldName);
  });

  test('continues an interrupted undo in one step', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    await stopUndo(fixture, entry);
    const planned = await writer.planRecovery(entry, 'roll-back');
    expect(listEffects(planned).changed).toEqual(['table Orders']);
    expect(planned).not.toHaveProperty('first');
    await writer.rollBack(entry, { confirmedPlanHash: await confirm(planned) });
    expect(await readInterruptedChanges(history, connectionId)).toEqual([]);
  });

  test('is refused because of what others have changed since', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interruptTableChanges(fixture, 'arrived');
    await changeAsOtherUser(fixture, 'Orders');
    expect(await getFailure(writer.planRecovery(entry, 'roll-back'))).toMatchObject({
      name: 'ConflictError',
      ref: orders,
    });
  });

  test('is not carried out if it would have other effects than those that were reviewed', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await interruptTableChanges(fixture, 'lost');
    const planned = await writer.planRecovery(entry, 'roll-back');
    const confirmedPlanHash = await confirm(planned);
    await fixture.client.tables.update(stores, { description: 'Mine' });
    const requestCount = fixture.getWriteRequests().length;
    expectInstance(await getFailure(writer.rollBack(entry, { confirmedPlanHash })), PlanNeededError);
    expect(fixture.getWriteRequests()).toHaveLength(requestCount);
    const again = await writer.planRecovery(entry, 'roll-back');
    expect(listEffects(again).changed).toEqual(['table Stores', 'table Orders']);
    await writer.rollBack(entry, { confirmedPlanHash: await confirm(again) });
  });
});

describe('the plan to end a change of live rules that has left temporary deny rules', () => {
  const desk = { kind: 'live', title: 'Support Desk' } as const;
  const readTeamRules = async (fixture: ChangeFixture): Promise<readonly JsonObject[]> =>
    getObjects(await fixture.read({ kind: 'rules', subject: desk })).filter(
      ({ column }) => column === 'Team',
    );
  const describeRules = (rules: readonly JsonObject[]): readonly string[] =>
    rules.map(({ members, allMembers }) => JSON.stringify([members, allMembers])).toSorted();

  /** Gives a rule other values and another party: the server refuses to delete the former rule and the deny rules. */
  async function stopAtDeletion(fixture: ChangeFixture) {
    const before = await readTeamRules(fixture);
    const rule = expectDefined(before.find(({ members }) => Array.isArray(members) && members.length > 0));
    const support = { type: 'group', partyId: groups.support._id, partyName: groups.support.name };
    const wanted = { ...rule, members: ['Second Line'], shares: [...getObjects(rule['shares']), support] };
    const operation = createOperation(createLiveRuleReplacementWrites(desk, rule, wanted));
    const stopped = await stopOperation(fixture, operation, (line) =>
      line.startsWith('DELETE') ? 'refusal' : undefined,
    );
    expect(describeRules(await readTeamRules(fixture))).toContain('[[],false]');
    return { before, ...stopped };
  }

  /** Returns the IDs of the rules that the planned writes delete. */
  const listDeletedIds = ({ plan: { operation } }: PlannedRecovery): readonly string[] =>
    operation.writes.flatMap(({ endpoint, params, batch }) =>
      endpoint === 'liveRules.delete' ? (batch?.ids ?? [params['ruleId'] ?? '']) : [],
    );

  test('shows that finishing the change deletes these rules', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await stopAtDeletion(fixture);
    const planned = await writer.planRecovery(entry, 'resume');
    const rules = await readTeamRules(fixture);
    const denyIds = rules.filter(({ allMembers }) => allMembers === false).map(({ _id }) => getText(_id));
    expect(listDeletedIds(planned)).toEqual(expect.arrayContaining(denyIds));
    expect(listAccess(await planned.plan.loadAccess())).toEqual(new Set(['Agents.Team']));
    const confirmedPlanHash = await confirm(planned);
    await advanceUntilSettled(fixture, writer.resume(entry, { confirmedPlanHash }));
    expect(describeRules(await readTeamRules(fixture))).toEqual(['[["Second Line"],null]', '[[],true]']);
  });

  test('shows that rolling the change back deletes these rules', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry, before } = await stopAtDeletion(fixture);
    const planned = await writer.planRecovery(entry, 'roll-back');
    expect(listDeletedIds(planned).length).toBeGreaterThan(0);
    expect(listAccess(await planned.plan.loadAccess())).toEqual(new Set(['Agents.Team']));
    const confirmedPlanHash = await confirm(planned);
    await advanceUntilSettled(fixture, writer.rollBack(entry, { confirmedPlanHash }));
    expect(describeRules(await readTeamRules(fixture))).toEqual(describeRules(before));
  });
});
