import { describe, expect, test } from 'vitest';
import { jsonEquals } from '../../../src/base/canonicalJson.ts';
import { type JsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { noBaseStorage } from '../../../src/documents/baseStorage.ts';
import { type DocumentRef, createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import type { SaveIntent } from '../../../src/documents/saveIntent.ts';
import {
  ConnectionLockedError,
  DocumentConflictError,
  IncompleteSaveError,
  RecoveryReviewNeededError,
} from '../../../src/documents/saveErrors.ts';
import { getText } from '../../../src/changes/model/jsonMembers.ts';
import { findRenames } from '../../../src/changes/model/tableRenames.ts';
import { planSavedRenames } from '../../../src/changes/plan/rename/planRename.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { AbandonedUndoError, PlanNeededError, StoppedError } from '../../../src/changes/run/writeErrors.ts';
import { readRenameState } from '../../../src/changes/plan/readRenameState.ts';
import { expectNoNewAccess } from '../../support/noNewAccess.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  getColumns,
  connectionId,
  getFailure,
  createTableRef,
  createTableUpdate,
} from '../changes/run/support.ts';
import { expectDefined, expectInstance } from '../../support/expectations.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;

/** Opens documents like the extension does in a window; their server can be made to reject requests. */
function openWindow(fixture: ChangeFixture) {
  const { writer, history } = fixture.open();
  let storedAliases: unknown;
  const aliases = new RuleAliases({
    read: () => storedAliases,
    write: (value) => {
      storedAliases = value;
    },
  });
  writer.onDidChangeRuleId(({ subject, oldId, newId }) =>
    aliases.add(connectionId, { kind: 'rule', subject, ruleId: oldId }, newId),
  );
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client: fixture.client }) },
    getWriter: () => Promise.resolve(writer),
    clock: fixture.sandbox.clock,
    editor: { isDirty: () => true },
    baseStorage: noBaseStorage,
    aliases,
  });
  const open = async (path: string): Promise<string> => {
    await documents.stat(path);
    const text = new TextDecoder().decode(await documents.read(path));
    documents.handleUndoneChanges(path, text);
    return text;
  };
  const isLocked = () =>
    fixture.guard.getRefusal({ endpoint: 'tables.update', method: 'PATCH', path: '' }) !== undefined;
  const save = async (path: string, text: string, intent?: SaveIntent) => {
    documents.handleServerChange(path);
    await documents.stat(path);
    const bytes = new TextEncoder().encode(text);
    const saved = await documents.write(path, bytes, { isExplicit: true, intent, isLocked });
    await documents.acknowledgeSave(path);
    return saved;
  };
  /** Ends an interrupted save as a user who confirms its review. */
  const endReviewed = async (
    path: string,
    { connectionId: connection, entryId, recovery }: RecoveryReviewNeededError,
    control: SaveIntent['control'],
  ): Promise<void> => {
    const entry = expectDefined(await history.readEntry(connection, entryId));
    const { planHash } = await writer.planRecovery(entry, recovery === 'finish' ? 'resume' : 'roll-back');
    const options = { ...control, confirmedPlanHash: planHash };
    if (recovery === 'finish') {
      await writer.resume(entry, options);
    } else {
      await writer.rollBack(entry, options);
    }
    await documents.handleRecovery(path);
  };
  /**
   * Saves as a user who confirms how an interrupted save is ended, and who chooses Overwrite when the server has another
   * version: rules that are restored get new IDs.
   */
  const saveAnyway = async (path: string, text: string, intent?: SaveIntent): ReturnType<typeof save> => {
    try {
      return await save(path, text, intent);
    } catch (error) {
      if (error instanceof RecoveryReviewNeededError) {
        await endReviewed(path, error, intent?.control);
        return saveAnyway(path, text, intent);
      }
      if (!(error instanceof DocumentConflictError)) {
        throw error;
      }
      return save(path, text, { ...intent, versionToOverwrite: error.theirs });
    }
  };
  return { documents, writer, history, open, save, endReviewed, saveAnyway };
}

const getPath = (resource: DocumentRef): string =>
  createDocumentPath({ connectionId, resource, name: 'A document', within: [] });

const getRules = async (fixture: ChangeFixture) =>
  (await fixture.read({ kind: 'rules', subject: live })) as readonly JsonObject[];

/** The contents of rules without their IDs, sorted. */
const getRuleValues = (rules: readonly JsonObject[]): readonly string[] =>
  rules
    .map(({ table, column, members, allMembers, shares }) =>
      stringify([table, column, members, allMembers, (shares as readonly JsonObject[]).map(getParty)]),
    )
    .sort();

const getParty = ({ type = null, partyId = null }: JsonObject) => [type, partyId];

const createRefusal = (method: 'POST' | 'DELETE' | 'PUT', more: Partial<Fault> = {}): Fault =>
  ({ kind: 'status', status: 403, methods: [method], count: 1, ...more }) as Fault;

/** What the user changes in a group's rule: its list of values only, or its parties as well. */
type ChangedPart = 'its list' | 'its parties';

async function openRule(fixture: ChangeFixture, changedPart: ChangedPart) {
  const window = openWindow(fixture);
  const before = await getRules(fixture);
  const rule = before.find(({ members }) => Array.isArray(members) && members.length > 0) ?? {};
  const path = getPath({ kind: 'rule', subject: live, ruleId: getText(rule['_id']) });
  const document = parseLossless(await window.open(path)) as JsonObject;
  const addMember = (original: JsonObject, member: string): JsonObject => ({
    ...original,
    members: [...(rule['members'] as string[]), member],
    ...(changedPart === 'its list'
      ? {}
      : { shares: [groups.support, groups.sales].map(({ _id }) => ({ type: 'group', partyId: _id })) }),
  });
  const getRulesWith = (member: string): readonly JsonObject[] =>
    before.map((each) => (each === rule ? addMember(each, member) : each));
  return {
    ...window,
    path,
    getRulesWith,
    before,
    getTextWith: (member: string) => stringify(addMember(document, member)),
  };
}

/** Makes the server reject `count` writes, beginning with the given one. Returns a function that ends this. */
function rejectRequests(fixture: ChangeFixture, request: number, count: number): () => void {
  let sent = 0;
  fixture.getWriteFault = () => {
    sent += 1;
    if (sent === request) {
      fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['POST', 'DELETE'], count }]);
    }
    return undefined;
  };
  return () => {
    fixture.getWriteFault = () => undefined;
    fixture.sandbox.faults.set([]);
  };
}

const rejections = (['its list', 'its parties'] as const).flatMap((changedPart) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((request) => ({ changedPart, request })),
);

describe.each(rejections)(
  'a save that changes $changedPart of a live rule, and whose request $request is rejected',
  ({ changedPart, request }) => {
    test('leaves the rule as it was, or grants no new access until the next save completes it', async () => {
      using fixture = new ChangeFixture();
      const {
        path,
        saveAnyway: save,
        getTextWith,
        getRulesWith,
        history,
        before,
      } = await openRule(fixture, changedPart);
      const stopRejecting = rejectRequests(fixture, request, 1);
      const error: unknown = await save(path, getTextWith('Another')).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      stopRejecting();
      const rulesNow = await getRules(fixture);
      expectNoNewAccess(rulesNow, before, getRulesWith('Another'));
      if (error === undefined) {
        expect(getRuleValues(rulesNow)).toEqual(getRuleValues(getRulesWith('Another')));
      } else if (!(error instanceof IncompleteSaveError)) {
        expect(error).toMatchObject({ name: 'HttpError', status: 403 });
        expect(getRuleValues(rulesNow)).toEqual(getRuleValues(before));
      }
      await save(path, getTextWith('Another'));
      expect(getRuleValues(await getRules(fixture))).toEqual(getRuleValues(getRulesWith('Another')));
      expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
      await save(path, getTextWith('More'));
      expect(getRuleValues(await getRules(fixture))).toEqual(getRuleValues(getRulesWith('More')));
    });

    test('if all later requests are rejected, too, is unfinished only while temporary deny rules remain, and is completed by the next save, whatever its text', async () => {
      using fixture = new ChangeFixture();
      const {
        path,
        saveAnyway: save,
        getTextWith,
        getRulesWith,
        history,
        before,
      } = await openRule(fixture, changedPart);
      const stopRejecting = rejectRequests(fixture, request, 1000);
      const error: unknown = await save(path, getTextWith('Another')).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      stopRejecting();
      expectNoNewAccess(await getRules(fixture), before, getRulesWith('Another'));
      const hidesValues = error instanceof IncompleteSaveError && error.progress.hasDenyRules;
      expect((await history.readUnfinishedEntries(connectionId)).length > 0).toBe(hidesValues);
      // Only a change of parties adds temporary deny rules: by two requests, after one that detects how rules are
      // added.
      const stoppedAfterDenyRules = request > 2 && error !== undefined;
      expect(hidesValues).toBe(changedPart === 'its parties' && stoppedAfterDenyRules);
      await save(path, getTextWith('Else'));
      expect(getRuleValues(await getRules(fixture))).toEqual(getRuleValues(getRulesWith('Else')));
      expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    });
  },
);

describe.each([1, 2, 3, 4, 5, 6])(
  'a save of the rules of a column whose request %i is rejected',
  (request) => {
    test.each([live, { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const])(
      'leaves the rules as they were, and the next save of the same text completes it: $kind',
      async (subject) => {
        using fixture = new ChangeFixture();
        const { saveAnyway: save, open, writer, history } = openWindow(fixture);
        const readRules = async () =>
          (await fixture.read({ kind: 'rules', subject })) as readonly JsonObject[];
        const before = await readRules();
        const [editedRule] = before.filter(({ members }) => Array.isArray(members) && members.length > 0);
        const [table, column] = [getText(editedRule?.['table']), getText(editedRule?.['column'])];
        const isOfColumn = (rule: JsonObject): boolean =>
          rule['table'] === table && rule['column'] === column;
        const path = getPath({ kind: 'columnRules', subject, table, column });
        const shown = parseLossless(await open(path)) as readonly JsonObject[];
        const editedRules = [
          ...shown.map((rule) =>
            rule['_id'] === editedRule?.['_id'] ? { ...rule, members: ['Other'] } : rule,
          ),
          { table, column, datatype: 'text', members: ['New'], shares: [{ type: 'user', partyId: 'u1' }] },
          { table, column, datatype: 'text', members: ['New'], shares: [{ type: 'group', partyId: 'g1' }] },
        ];
        const apply = async () => {
          try {
            await save(path, stringify(editedRules));
          } catch (error) {
            if (!(error instanceof PlanNeededError)) {
              throw error;
            }
            await save(path, stringify(editedRules), { approval: writer.approve(error.planHash) });
          }
        };
        const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
        fixture.sandbox.faults.set([
          { kind: 'status', status: 403, methods: [...methods], every: request, count: 1 },
        ]);
        const error: unknown = await apply().catch((failure: unknown) => failure);
        fixture.sandbox.faults.set([]);
        if (error instanceof Error && !(error instanceof IncompleteSaveError)) {
          expect(error).toMatchObject({ name: 'HttpError', status: 403 });
          expect(getRuleValues(await readRules())).toEqual(getRuleValues(before));
        }
        if (error !== undefined) {
          await apply();
        }
        const otherRules = before.filter((rule) => !isOfColumn(rule));
        const getMembers = (rulesOfColumn: readonly JsonObject[]) =>
          rulesOfColumn.map((rule) => stringify(rule['members'] ?? null)).sort();
        expect(getMembers(await readRules())).toEqual(getMembers([...otherRules, ...editedRules]));
        expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
      },
    );
  },
);

/** Renames a column in an editor, and plans the changes of what refers to it, which a save adds to its own write. */
async function renameColumn(fixture: ChangeFixture) {
  const window = openWindow(fixture);
  const { open } = window;
  const path = getPath(createTableRef('Orders'));
  const table = parseLossless(await open(path)) as JsonObject;
  const columns = getColumns(table).map((one) =>
    one['name'] === 'Status' ? { ...one, name: 'State' } : one,
  );
  const text = stringify({ ...table, columns });
  const save = (intent?: SaveIntent) => window.save(path, text, intent);
  const refused = await getFailure(save());
  const { operation } = expectInstance(refused, PlanNeededError).plan;
  const state = await readRenameState(fixture.client, createSeedOid('Retail'));
  const renames = operation.writes.flatMap((write) => findRenames(write, table));
  const renamePlan = state && planSavedRenames(state, operation, { renames });
  const additionalWrites = renamePlan?.operation.writes.slice(1) ?? [];
  return { window, path, text, columns, save, additionalWrites };
}

test('a save that the user cancels while it waits for a busy server says that its request may still take effect', async () => {
  using fixture = new ChangeFixture();
  const { save, additionalWrites } = await renameColumn(fixture);
  expect(additionalWrites.length).toBeGreaterThan(0);
  const { clock, faults } = fixture.sandbox;
  faults.set([{ kind: 'tooManyRequests', retryAfter: 5, methods: ['PATCH'], count: 1 }]);
  const abort = new AbortController();
  const reason = new Error('Canceled');
  const onWait = (ms: number): void => {
    abort.abort(reason);
    void clock.advance(ms);
  };
  const error = await getFailure(save({ additionalWrites, control: { signal: abort.signal, onWait } }));
  expect(expectInstance(error, StoppedError)).toMatchObject({ cause: reason, mayTakeEffectLater: true });
});

test('a save after one whose rollback was abandoned says what to do, and is possible once the earlier save is abandoned, too', async () => {
  using fixture = new ChangeFixture();
  const { save, additionalWrites, window } = await renameColumn(fixture);
  const { writer, history } = window;
  const refuseFrom = (refused: number): void => {
    let count = 0;
    fixture.getWriteFault = () => ((count += 1) >= refused ? 'refusal' : undefined);
  };
  refuseFrom(additionalWrites.length + 1);
  expectInstance(await getFailure(save({ additionalWrites })), IncompleteSaveError);
  refuseFrom(2);
  const [stopped] = await history.readEntries(connectionId);
  expectInstance(await getFailure(writer.rollBack(expectDefined(stopped))), StoppedError);
  fixture.getWriteFault = () => undefined;
  const [undo] = await history.readEntries(connectionId);
  expect(undo?.undoneEntryId).toBe(stopped?.id);
  await writer.abandon(expectDefined(undo));
  const sentBefore = fixture.getWriteRequests().length;
  for (const _attempt of [1, 2]) {
    expectInstance(await getFailure(save({ additionalWrites })), AbandonedUndoError);
  }
  expect(fixture.getWriteRequests()).toHaveLength(sentBefore);
  await writer.abandon(expectDefined(stopped));
  await save();
});

describe('a save of a live rule that stopped halfway while the server is busy', () => {
  /** Saves, while the given requests, counted from 1, are refused or get the status 429. */
  async function saveWithFaults(
    fixture: ChangeFixture,
    writeFaults: Readonly<Record<number, 'refusal' | 'busy'>>,
    control: SaveIntent['control'],
  ) {
    const window = await openRule(fixture, 'its list');
    let count = 0;
    fixture.getWriteFault = () => writeFaults[(count += 1)];
    const saving = window.save(window.path, window.getTextWith('Another'), control && { control });
    const error = await getFailure(advanceUntilSettled(fixture, saving));
    fixture.getWriteFault = () => undefined;
    return { ...window, error, count, rules: getRuleValues(await getRules(fixture)) };
  }

  test('is rolled back, and the user sees the wait', async () => {
    using fixture = new ChangeFixture();
    const waits: number[] = [];
    const control = { signal: new AbortController().signal, onWait: (ms: number) => waits.push(ms) };
    const { error, rules, before } = await saveWithFaults(fixture, { 2: 'refusal', 3: 'busy' }, control);
    expect(error).toMatchObject({ name: 'HttpError', status: 403 });
    expect(waits).toEqual([1000]);
    expect(rules).toEqual(getRuleValues(before));
  });

  test('is not rolled back if nobody would see the wait', async () => {
    using fixture = new ChangeFixture();
    const { error, count } = await saveWithFaults(fixture, { 2: 'refusal', 3: 'busy' }, undefined);
    expect(error).toBeInstanceOf(IncompleteSaveError);
    expect(count).toBe(3);
  });

  test('is not rolled back if the user cancels the wait', async () => {
    using fixture = new ChangeFixture();
    const abort = new AbortController();
    const control = { signal: abort.signal, onWait: () => abort.abort(new Error('Canceled')) };
    const { error, count } = await saveWithFaults(fixture, { 2: 'refusal', 3: 'busy' }, control);
    expect(error).toBeInstanceOf(IncompleteSaveError);
    expect(count).toBe(3);
  });

  test('is rolled back after the user has canceled it, but without waiting for the server', async () => {
    for (const isStillBusy of [false, true]) {
      using fixture = new ChangeFixture();
      const abort = new AbortController();
      const waits: number[] = [];
      const onWait = (ms: number): void => {
        waits.push(ms);
        abort.abort(new Error('Canceled'));
      };
      const writeFaults = isStillBusy ? ({ 2: 'busy', 3: 'busy' } as const) : ({ 2: 'busy' } as const);
      const { error, rules, before } = await saveWithFaults(fixture, writeFaults, {
        signal: abort.signal,
        onWait,
      });
      expect(error instanceof IncompleteSaveError).toBe(isStillBusy);
      expect(jsonEquals(rules, getRuleValues(before))).toBe(!isStillBusy);
      expect(waits).toEqual([1000]);
    }
  });

  test('is completed by the next save once its rollback was reviewed, and the user sees the wait', async () => {
    using fixture = new ChangeFixture();
    const {
      saveAnyway: save,
      path,
      getTextWith,
      getRulesWith,
      error,
    } = await saveWithFaults(fixture, { 2: 'refusal', 3: 'busy' }, undefined);
    expect(error).toBeInstanceOf(IncompleteSaveError);
    const waits: number[] = [];
    let count = 0;
    fixture.getWriteFault = () => (count++ === 0 ? 'busy' : undefined);
    const control = { onWait: (ms: number) => waits.push(ms) };
    await advanceUntilSettled(fixture, save(path, getTextWith('Another'), { control }));
    expect(waits).toEqual([1000]);
    expect(getRuleValues(await getRules(fixture))).toEqual(getRuleValues(getRulesWith('Another')));
  });
});

describe('a save after one that stopped halfway', () => {
  /** Stops a save that describes one table and then another one. */
  async function stopHarmlessSave(fixture: ChangeFixture) {
    const window = openWindow(fixture);
    const path = getPath(createTableRef('Orders'));
    const table = parseLossless(await window.open(path)) as JsonObject;
    const stores = createTableRef('Stores');
    fixture.getWriteFault = (line) => (line.includes(stores.tableId) ? 'refusal' : undefined);
    const text = stringify({ ...table, description: 'Mine' });
    const additionalWrites = [createTableUpdate('Stores', { description: 'Mine' })];
    expectInstance(await getFailure(window.save(path, text, { additionalWrites })), IncompleteSaveError);
    fixture.getWriteFault = () => undefined;
    const readDescription = async () => getText((await fixture.readObject(stores))['description']);
    return { save: () => window.save(path, text), readDescription };
  }

  /** Stops a save of a live rule while deny rules hide its values, and so does its rollback. */
  async function stopDestructiveSave(fixture: ChangeFixture) {
    const rule = await openRule(fixture, 'its parties');
    const stopRejecting = rejectRequests(fixture, 4, 1000);
    expectInstance(await getFailure(rule.save(rule.path, rule.getTextWith('Another'))), IncompleteSaveError);
    stopRejecting();
    return { ...rule, save: () => rule.save(rule.path, rule.getTextWith('Another')) };
  }

  const lock = (fixture: ChangeFixture): (() => void) => {
    const { guard } = fixture;
    fixture.guard = { getRefusal: ({ method }) => (method === 'GET' ? undefined : 'locked') };
    return () => {
      fixture.guard = guard;
    };
  };

  test('sends the remaining writes at once if they need no review', async () => {
    using fixture = new ChangeFixture();
    const { save, readDescription } = await stopHarmlessSave(fixture);
    await save();
    expect(await readDescription()).toBe('Mine');
  });

  test('deletes no rules until the user has reviewed their deletion, and then is no conflict', async () => {
    using fixture = new ChangeFixture();
    const { save, path, endReviewed, getRulesWith, history } = await stopDestructiveSave(fixture);
    const sent = fixture.getWriteRequests().length;
    const refusal = expectInstance(await getFailure(save()), RecoveryReviewNeededError);
    expect(refusal.recovery).toBe('roll-back');
    expect(expectInstance(await getFailure(save()), RecoveryReviewNeededError).entryId).toBe(refusal.entryId);
    expect(fixture.getWriteRequests()).toHaveLength(sent);
    await endReviewed(path, refusal, undefined);
    await save();
    expect(getRuleValues(await getRules(fixture))).toEqual(getRuleValues(getRulesWith('Another')));
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('of rules, with another text, is no conflict once the deletion of the deny rules was reviewed', async () => {
    using fixture = new ChangeFixture();
    const { open, save, endReviewed } = openWindow(fixture);
    const before = await getRules(fixture);
    const rule = expectDefined(before.find(({ members }) => Array.isArray(members) && members.length > 0));
    const [table, column] = [getText(rule['table']), getText(rule['column'])];
    const path = getPath({ kind: 'columnRules', subject: live, table, column });
    const shares = [groups.support, groups.sales].map(({ _id }) => ({ type: 'group', partyId: _id }));
    const shown = parseLossless(await open(path)) as readonly JsonObject[];
    const getRulesWith = (rules: readonly JsonObject[], member: string): readonly JsonObject[] =>
      rules.map((each) => (each['_id'] === rule['_id'] ? { ...each, members: [member], shares } : each));
    const getTextWith = (member: string): string => stringify(getRulesWith(shown, member));
    const stopRejecting = rejectRequests(fixture, 6, 1000);
    expectInstance(await getFailure(save(path, getTextWith('Another'))), IncompleteSaveError);
    stopRejecting();
    const refusal = expectInstance(
      await getFailure(save(path, getTextWith('More'))),
      RecoveryReviewNeededError,
    );
    expect(refusal.recovery).toBe('finish');
    await endReviewed(path, refusal, undefined);
    await save(path, getTextWith('More'));
    expect(getRuleValues(await getRules(fixture))).toEqual(getRuleValues(getRulesWith(before, 'More')));
  });

  test('on a locked connection sends nothing until the user unlocks it, before the save or in its review', async () => {
    using fixture = new ChangeFixture();
    const harmless = await stopHarmlessSave(fixture);
    const destructive = await stopDestructiveSave(fixture);
    const sent = fixture.getWriteRequests().length;
    const unlock = lock(fixture);
    expectInstance(await getFailure(harmless.save()), ConnectionLockedError);
    const refusal = expectInstance(await getFailure(destructive.save()), RecoveryReviewNeededError);
    // The page of the review unlocks the connection only when the user confirms.
    const entry = expectDefined(await destructive.history.readEntry(connectionId, refusal.entryId));
    const { planHash } = await destructive.writer.planRecovery(entry, 'roll-back');
    const reviewed = destructive.writer.rollBack(entry, { confirmedPlanHash: planHash });
    expect(await getFailure(reviewed)).toMatchObject({ name: 'ReadOnlyError', code: 'locked' });
    expect(fixture.getWriteRequests()).toHaveLength(sent);
    unlock();
    await harmless.save();
    expect(await harmless.readDescription()).toBe('Mine');
  });
});

describe('a save that renames a column, stopped after its first write and finished from the history', () => {
  async function finishFromHistory(fixture: ChangeFixture) {
    const { window, path, text, columns, save, additionalWrites } = await renameColumn(fixture);
    const { writer, history } = window;
    fixture.sandbox.faults.set([createRefusal('PUT', { methods: ['PATCH', 'PUT'], every: 2 })]);
    const saving = save({ additionalWrites });
    expect(await getFailure(saving)).toMatchObject({
      name: 'IncompleteSaveError',
      progress: { doneCount: 1 },
    });
    fixture.sandbox.faults.set([]);
    const [entry] = await history.readEntries(connectionId);
    await (entry && writer.resume(entry));
    return { ...window, path, text, columns };
  }

  test('counts as done for the next save of the same text, which sends no write', async () => {
    using fixture = new ChangeFixture();
    const { save, path, text, open } = await finishFromHistory(fixture);
    const sent = fixture.getWriteRequests().length;
    expect((await save(path, text)).report).toBeUndefined();
    expect(fixture.getWriteRequests()).toHaveLength(sent);
    // The SQL of the table itself was updated.
    expect(await open(path)).toContain("CASE WHEN [State] = 'Canceled'");
  });

  test('is a conflict for a text that was edited since: the old name does not return without confirmation', async () => {
    using fixture = new ChangeFixture();
    const { save, path, text } = await finishFromHistory(fixture);
    const editedText = stringify({ ...(parseLossless(text) as JsonObject), description: 'More' });
    expect(await getFailure(save(path, editedText))).toMatchObject({ name: 'DocumentConflictError' });
  });
});
