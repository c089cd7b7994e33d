import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createBulkRuleOperation,
  createRuleCreationOperation,
  createColumnRulesDeletionOperation,
  createRuleDeletionOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { createDocumentHandler } from '../../../../src/documents/kinds/documentHandler.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { UndoOperation } from '../../../../src/changes/journal/undo.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { effectiveAccess } from '../../../../src/security/index.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  getFailure,
  createOperation,
  createTableUpdate,
} from '../run/support.ts';
import { runApproved } from './runApproved.ts';
import { planRestore } from '../../../support/planRestore.ts';

const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const live = { kind: 'live', title: 'Support Desk' } as const;
const location = { connectionId, within: [] };
type EditorWindow = ReturnType<ChangeFixture['open']>;

const getRules = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject }));

/** The content of the rules, without fields that differ each time they are created. */
const readRuleTexts = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly string[]> =>
  (await getRules(fixture, subject)).map((rule) => formatRuleTable([rule])).sort();

async function readLatestEntry({ history }: EditorWindow): Promise<HistoryEntry> {
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was recorded');
  }
  return entry;
}

async function runUndo({ writer }: EditorWindow, entry: HistoryEntry, undo: UndoOperation) {
  if (undo.operation.writes.length > 0) {
    const options = {
      expectedVersions: undo.expectedVersions,
      undoneEntryId: entry.id,
      restoredIds: undo.restoredIds,
    };
    await runApproved(writer, undo.operation, options);
  }
}

const createRule = (member: string, user: string, column = 'City'): JsonObject => ({
  table: 'Stores',
  column,
  datatype: 'text',
  members: [member],
  allMembers: null,
  shares: [{ type: 'user', partyId: user }],
});

/** An existing rule, chosen by a number. */
async function pickRule(fixture: ChangeFixture, subject: RuleSubject, number: number): Promise<JsonObject> {
  const rules = await getRules(fixture, subject);
  return rules[number % rules.length] ?? {};
}

/** A save of the rules of a column that changes one, deletes one and adds one. */
async function createColumnSave(
  fixture: ChangeFixture,
  subject: RuleSubject,
  number: number,
): Promise<Operation> {
  const { table, column } = await pickRule(fixture, subject, number);
  const source = await getRules(fixture, subject);
  const before = source.filter((each) => each['table'] === table && each['column'] === column);
  const [first = {}, ...others] = before;
  const next = [
    { ...first, members: ['Changed'], allMembers: null },
    ...others.slice(1),
    { ...createRule('New', 'zoe'), table: getText(table), column: getText(column) },
  ];
  const handler = createDocumentHandler({
    kind: 'columnRules',
    subject,
    table: getText(table),
    column: getText(column),
  });
  return createOperation(handler.createWrites({ source, before, next, getSecretAnswer: () => undefined }));
}

type ChangeCreator = (fixture: ChangeFixture, subject: RuleSubject, number: number) => Promise<Operation>;

const changeCreators: Readonly<Record<string, ChangeCreator>> = {
  'a new rule': async (_fixture, subject, number) =>
    createRuleCreationOperation(location, subject, {
      table: 'Stores',
      column: 'City',
      datatype: 'text',
      grant: { kind: 'only', members: [`M${number}`] },
      parties: [{ type: 'user', id: `u${number}` }],
    }),
  'a deleted rule': async (fixture, subject, number) =>
    createRuleDeletionOperation(
      location,
      subject,
      getText((await pickRule(fixture, subject, number))['_id']),
      'It',
    ),
  'a changed rule': async (fixture, subject, number) => {
    const oldRule = await pickRule(fixture, subject, number);
    const ruleId = getText(oldRule['_id']);
    const body = { ...oldRule, members: ['Changed'], allMembers: null };
    return createOperation(
      subject.kind === 'live'
        ? createLiveRuleReplacementWrites(subject, oldRule, body)
        : [
            {
              endpoint: 'extractRules.update',
              params: { ruleId },
              body,
              target: { kind: 'rule', subject, ruleId },
            },
          ],
    );
  },
  'all rules of a column': async (fixture, subject, number) => {
    const { table, column } = await pickRule(fixture, subject, number);
    return createColumnRulesDeletionOperation(location, subject, getText(table), getText(column));
  },
  'a saved column': createColumnSave,
  'a change of many rules': async (fixture, subject, number) => {
    const rules = await getRules(fixture, subject);
    const deletes = rules.slice(0, 1 + (number % rules.length)).map((each, index) => ({ rule: each, index }));
    const adds = ['anna', 'ben'].map((user) => createRule(`M${number}`, user));
    return createBulkRuleOperation(location, subject, { adds, deletes }, 300);
  },
};

describe('rules', () => {
  const step = fc.constantFrom('undo the last', 'undo the change', 'restore');

  test.each(Object.keys(changeCreators))(
    'property: after any undo, redo, and restore, the rules are those before or after the change: %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom<RuleSubject>(extract, live),
          fc.nat(20),
          fc.array(step, { minLength: 1, maxLength: 4 }),
          async (subject, number, steps) => {
            using fixture = new ChangeFixture();
            const window = fixture.open();
            const before = await readRuleTexts(fixture, subject);
            const changeOperation = await changeCreators[name]?.(fixture, subject, number);
            await runApproved(window.writer, changeOperation ?? createOperation([]));
            const entry = await readLatestEntry(window);
            const after = await readRuleTexts(fixture, subject);
            expect(after).not.toEqual(before);
            let isDone = true;
            for (const next of ['restore', ...steps, 'restore', 'restore']) {
              const target = next === 'undo the last' ? await readLatestEntry(window) : entry;
              if (next === 'undo the change' && !isDone) {
                continue;
              }
              const { writer } = window;
              const undo = await (next === 'restore' ? planRestore(writer, target) : writer.planUndo(target));
              await runUndo(window, target, undo);
              isDone = next === 'undo the last' ? !isDone : false;
              expect(await readRuleTexts(fixture, subject), next).toEqual(isDone ? after : before);
            }
          },
        ),
        { numRuns: getPropertyRuns(4) },
      );
    },
  );

  test('restoring a live rule replaces the current one and leaves no duplicate', async () => {
    using fixture = new ChangeFixture();
    const window = fixture.open();
    const [oldRule = {}] = (await getRules(fixture, live)).filter(
      ({ members }) => toArray(members).length === 2,
    );
    await runApproved(
      window.writer,
      createOperation(createLiveRuleReplacementWrites(live, oldRule, { ...oldRule, members: ['France'] })),
    );
    const entry = await readLatestEntry(window);
    const restore = await planRestore(window.writer, entry);
    expect(restore.operation.writes.map(({ endpoint, step: kind }) => [endpoint, kind])).toEqual([
      ['liveRules.create', 'replaced'],
      ['liveRules.delete', 'replaced'],
    ]);
    await runUndo(window, entry, restore);
    const groupIds = getObjects(oldRule['shares']).map(({ partyId }) => getText(partyId));
    for (const groups of ['union', 'intersection'] as const) {
      const access = effectiveAccess(await getRules(fixture, live), { groupIds }, { groups });
      const columnAccess = access.find(
        ({ table, column }) => table === oldRule['table'] && column === oldRule['column'],
      );
      expect(columnAccess?.values).toEqual(oldRule['members']);
    }
  });

  test('a restored rename leaves no second live rule', async () => {
    using fixture = new ChangeFixture();
    const window = fixture.open();
    const before = await readRuleTexts(fixture, live);
    const [oldRule = {}] = await getRules(fixture, live);
    const renameWrites = createLiveRuleReplacementWrites(live, oldRule, { ...oldRule, column: 'Renamed' });
    await runApproved(
      window.writer,
      createOperation([createTableUpdate('Orders', { description: 'x' }), ...renameWrites]),
    );
    const entry = await readLatestEntry(window);
    for (let time = 0; time < 2; time += 1) {
      await runUndo(window, entry, await planRestore(window.writer, entry));
      expect(await readRuleTexts(fixture, live)).toEqual(before);
    }
  });

  test('a rule that another user has deleted since is not deleted again', async () => {
    using fixture = new ChangeFixture();
    const window = fixture.open();
    await runApproved(
      window.writer,
      (await changeCreators['a new rule']?.(fixture, extract, 1)) ?? createOperation([]),
    );
    const entry = await readLatestEntry(window);
    const createdRule = (await getRules(fixture, extract)).find(({ column }) => column === 'City');
    await fixture.client.extractRules.delete({ ruleId: getText(createdRule?.['_id']) });
    const undo = await window.writer.planUndo(entry);
    expect(await getFailure(runUndo(window, entry, { ...undo, operation: entry.operation }))).toMatchObject({
      name: 'ConflictError',
    });
    expect((await planRestore(window.writer, entry)).operation.writes).toEqual([]);
  });
});

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

describe('many rules behind a gateway with a low request size limit', () => {
  const ruleCount = 600;
  const rules = Array.from({ length: ruleCount }, (_, index) => createRule(`City ${index}`, `u${index}`));

  async function deleteCityRules(fixture: ChangeFixture) {
    const window = fixture.open();
    await fixture.client.extractRules.create(extract, rules);
    const before = await readRuleTexts(fixture, extract);
    await runApproved(window.writer, createColumnRulesDeletionOperation(location, extract, 'Stores', 'City'));
    fixture.sandbox.faults.set([{ kind: 'bodyLimit', bytes: 20_000 }]);
    return { window, before, entry: await readLatestEntry(window) };
  }

  test('the deleted rules of a column are restored, in as many requests as needed, and a later restore sends none', async () => {
    using fixture = new ChangeFixture();
    const { window, before, entry } = await deleteCityRules(fixture);
    await runUndo(window, entry, await window.writer.planUndo(entry));
    expect(await readRuleTexts(fixture, extract)).toEqual(before);
    for (let time = 0; time < 2; time += 1) {
      expect((await planRestore(window.writer, entry)).operation.writes).toEqual([]);
    }
  });

  test('rules restored before an interruption are not restored again', async () => {
    using fixture = new ChangeFixture();
    const { window, before, entry } = await deleteCityRules(fixture);
    const undo = await window.writer.planUndo(entry);
    let remainingRequests = 5;
    fixture.getWriteFault = () => (remainingRequests-- > 0 ? undefined : 'request-lost');
    await getFailure(advanceUntilSettled(fixture, runUndo(window, entry, undo)));
    fixture.getWriteFault = () => undefined;
    const restoredCount = (await getRules(fixture, extract)).filter(({ column }) => column === 'City').length;
    expect(restoredCount).toBeGreaterThan(0);
    expect(restoredCount).toBeLessThan(ruleCount);
    await runUndo(window, entry, await planRestore(window.writer, entry));
    expect(await readRuleTexts(fixture, extract)).toEqual(before);
  });
});

test('the plan of an undo of live rules that kept their IDs shows the access that the undo restores', async () => {
  using fixture = new ChangeFixture({ sameShares: 'overwrite' });
  const window = fixture.open();
  const isChanged = ({ table, column, members, allMembers }: JsonObject): boolean =>
    table === 'Tickets' &&
    column === 'Country' &&
    (allMembers === false || (members as readonly string[]).length > 0);
  const rules = (await getRules(fixture, live)).filter(isChanged);
  const writes = rules.flatMap((rule) =>
    createLiveRuleReplacementWrites(live, rule, {
      ...rule,
      members: [],
      allMembers: rule['allMembers'] === false,
    }),
  );
  await runApproved(window.writer, createOperation(writes));
  const ids = (await getRules(fixture, live)).map(({ _id }) => getText(_id));
  expect(ids).toEqual(expect.arrayContaining(rules.map(({ _id }) => getText(_id))));
  const undo = await window.writer.planUndo(await readLatestEntry(window));
  const { plan } = await window.writer.plan(undo.operation);
  const { rows } = expectDefined(await plan.loadAccess()).subjects[0]?.difference ?? { rows: [] };
  expect(rows.filter(({ kind }) => kind === 'column')).toMatchObject([
    { party: { type: 'group', id: groups.support._id }, effect: 'gains', isUncertain: false },
    // It is unknown which members are also in the group that sees everything.
    {
      party: { type: 'group', id: groups.support._id },
      otherGroupIds: [groups.executives._id],
      effect: 'gains',
      isUncertain: true,
    },
    { party: { type: 'default' }, effect: 'loses', isUncertain: false },
  ]);
});
