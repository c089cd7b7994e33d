import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getObjects, getText } from '../../../../src/changes/model/readJson.ts';
import { createMatchingDeletionOperation } from '../../../../src/changes/model/customDataWrites.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import type { UndoChoices } from '../../../../src/changes/run/reviewedUndo.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { writeRuleTable } from '../../../../src/security/ruleTable/writeRuleTable.ts';
import { apply } from '../journal/apply.ts';
import { killWindow } from './interrupted.ts';
import {
  ChangeFixture,
  connectionId,
  getFailure,
  getIds,
  operation,
  tableRef,
  updateTable,
} from './support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
function getTableIds(name: string) {
  const { datamodelId = '', datasetId = '', tableId = '' } = getIds(tableRef(name));
  return { datamodelId, datasetId, tableId };
}
const ordersIds = getTableIds('Orders');
const { datamodelId } = ordersIds;
const noChoices: UndoChoices = { overwrittenIds: new Set(), names: new Map() };

async function change(fixture: ChangeFixture, wanted: Operation): Promise<HistoryEntry> {
  const { writer, history } = fixture.open();
  await apply(writer, wanted);
  await fixture.sandbox.clock.advance(1000);
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was recorded');
  }
  return entry;
}

/** Plans the undo of an entry, and a function that runs it. */
async function review(
  fixture: ChangeFixture,
  entry: HistoryEntry,
  choices: Partial<UndoChoices> = {},
  how: 'undo' | 'restore' = 'undo',
) {
  const { writer } = fixture.open();
  const undo = await writer.planReviewedUndo(entry, how, { ...noChoices, ...choices });
  const { operation: planned, expectedVersions, restoredIds, undoCountBefore } = undo;
  const run = () =>
    apply(writer, planned, { expectedVersions, undoes: entry.id, restoredIds, undoCountBefore });
  return { undo, run };
}

const getRules = async (fixture: ChangeFixture, column: string): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject: retail })).filter(
    (rule) => rule['column'] === column,
  );

const getContent = (rules: readonly JsonObject[]): string =>
  rules
    .map((rule) => writeRuleTable([rule]))
    .toSorted()
    .join('\n');

/** The content of the rules of a column. */
const readColumn = async (fixture: ChangeFixture, column: string): Promise<string> =>
  getContent(await getRules(fixture, column));

const createUserRule = (column: string, member: string): JsonObject => ({
  table: column === 'Region' ? 'Regions' : 'Customers',
  column,
  datatype: 'text',
  members: [member],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'user', party: `5f00000000000000000000${member}` }],
});

/** One operation that replaces the first rule of two columns each. */
async function changeTwoColumns(fixture: ChangeFixture): Promise<HistoryEntry> {
  const [[segment = {}], [region = {}]] = [
    await getRules(fixture, 'Segment'),
    await getRules(fixture, 'Region'),
  ];
  return change(
    fixture,
    createBulkRuleOperation({ connectionId, within: [] }, retail, {
      adds: [createUserRule('Segment', '11'), createUserRule('Region', '22')],
      deletes: [
        { rule: segment, index: 0 },
        { rule: region, index: 0 },
      ],
    }),
  );
}

/** A rule that somebody else adds. */
async function addForeignRule(fixture: ChangeFixture, column: string, member: string): Promise<void> {
  await fixture.client.extractRules.create({ server: 'LocalHost', elasticube: 'Retail' }, [
    createUserRule(column, member),
  ]);
}

describe('rules that were changed later', () => {
  test('nothing was changed: all rules are restored, and nothing is to be decided', async () => {
    using fixture = new ChangeFixture();
    const before = [await readColumn(fixture, 'Segment'), await readColumn(fixture, 'Region')];
    const { undo, run } = await review(fixture, await changeTwoColumns(fixture));
    expect(undo.laterChanges).toEqual([]);
    await run();
    expect([await readColumn(fixture, 'Segment'), await readColumn(fixture, 'Region')]).toEqual(before);
  });

  test('a column that somebody changed is kept by default; the others are undone', async () => {
    using fixture = new ChangeFixture();
    const region = await readColumn(fixture, 'Region');
    const entry = await changeTwoColumns(fixture);
    await addForeignRule(fixture, 'Segment', '33');
    const theirs = await readColumn(fixture, 'Segment');
    const { undo, run } = await review(fixture, entry);
    expect(undo.laterChanges).toMatchObject([
      {
        kind: 'columnRules',
        name: 'Customers.Segment',
        within: ['Retail'],
        canOverwrite: true,
        isOverwritten: false,
      },
    ]);
    const [{ rules } = {}] = undo.laterChanges;
    expect(rules?.now).toHaveLength((rules?.before.length ?? 0) + 1);
    await run();
    expect(await readColumn(fixture, 'Segment')).toBe(theirs);
    expect(await readColumn(fixture, 'Region')).toBe(region);
  });

  test('an overwritten column gets exactly the rules from before, without those of others', async () => {
    using fixture = new ChangeFixture();
    const segment = await readColumn(fixture, 'Segment');
    const entry = await changeTwoColumns(fixture);
    await addForeignRule(fixture, 'Segment', '33');
    const { undo } = await review(fixture, entry);
    const overwritten = new Set(undo.laterChanges.map(({ id }) => id));
    const { run } = await review(fixture, entry, { overwrittenIds: overwritten });
    await run();
    expect(await readColumn(fixture, 'Segment')).toBe(segment);
  });

  test('a created rule that somebody deleted is a change of its column', async () => {
    using fixture = new ChangeFixture();
    const entry = await change(
      fixture,
      operation([...createRuleWrites(retail, { adds: [createUserRule('Segment', '11')], deletes: [] })]),
    );
    const created = (await getRules(fixture, 'Segment')).find(
      ({ members }) => JSON.stringify(members) === '["11"]',
    );
    await fixture.client.extractRules.delete({ ruleId: getText(created?.['_id']) });
    const { undo } = await review(fixture, entry);
    expect(undo.laterChanges.map(({ name }) => name)).toEqual(['Customers.Segment']);
    expect(undo.operation.writes).toEqual([]);
  });

  test('a change after the review stops the undo', async () => {
    using fixture = new ChangeFixture();
    const { run } = await review(fixture, await changeTwoColumns(fixture));
    await addForeignRule(fixture, 'Segment', '33');
    expect(await getFailure(run())).toBeInstanceOf(ConflictError);
  });
});

describe('documents that were changed later', () => {
  const readOrders = (fixture: ChangeFixture) => fixture.readObject(tableRef('Orders'));
  const changeOrders = (fixture: ChangeFixture, body: JsonObject) =>
    fixture.client.tables.update(ordersIds, body);

  test('another field does not stand in the way', async () => {
    using fixture = new ChangeFixture();
    const { description } = await readOrders(fixture);
    const entry = await change(fixture, operation([updateTable('Orders', { description: 'mine' })]));
    await changeOrders(fixture, { hidden: true });
    const { undo, run } = await review(fixture, entry);
    expect(undo.laterChanges).toMatchObject([
      { name: 'Orders', canOverwrite: false, fields: [{ field: 'hidden', after: 'true' }] },
    ]);
    await run();
    expect(await readOrders(fixture)).toMatchObject({ hidden: true });
    expect((await readOrders(fixture))['description'] ?? null).toBe(description ?? null);
  });

  test('the same field is kept, or overwritten if the user wants that', async () => {
    using fixture = new ChangeFixture();
    const entry = await change(
      fixture,
      operation([updateTable('Orders', { description: 'mine', hidden: true })]),
    );
    await changeOrders(fixture, { description: 'theirs' });
    const kept = await review(fixture, entry);
    expect(kept.undo.laterChanges).toMatchObject([
      { canOverwrite: true, fields: [{ field: 'description', before: 'mine', after: 'theirs' }] },
    ]);
    expect(kept.undo.operation.writes.map(({ body }) => Object.keys(body ?? {}))).toEqual([['hidden']]);
    const overwritten = new Set(kept.undo.laterChanges.map(({ id }) => id));
    const { run } = await review(fixture, entry, { overwrittenIds: overwritten });
    await run();
    expect(await readOrders(fixture)).not.toMatchObject({ description: 'theirs' });
  });

  test('a restore overwrites own later changes, but not those of others', async () => {
    using fixture = new ChangeFixture();
    const entry = await change(fixture, operation([updateTable('Orders', { description: 'first' })]));
    await change(fixture, operation([updateTable('Orders', { description: 'second' })]));
    const own = await review(fixture, entry, {}, 'restore');
    expect(own.undo.laterChanges).toEqual([]);
    expect(own.undo.operation.writes).toHaveLength(1);
    const undone = await review(fixture, entry);
    expect(undone.undo.laterChanges).toMatchObject([{ fields: [{ before: 'first', after: 'second' }] }]);
    await changeOrders(fixture, { description: 'theirs' });
    const theirs = await review(fixture, entry, {}, 'restore');
    expect(theirs.undo.laterChanges).toMatchObject([{ fields: [{ before: 'second', after: 'theirs' }] }]);
    expect(theirs.undo.operation.writes).toEqual([]);
  });
});

test('an interrupted change: what it may have left is no change of others, anything else is', async () => {
  using fixture = new ChangeFixture();
  const orders = tableRef('Orders');
  const customers = tableRef('Customers');
  await change(
    fixture,
    operation([
      updateTable('Orders', { description: 'mine' }),
      updateTable('Customers', { description: 'mine' }),
    ]),
  );
  const { writer, entry } = await killWindow(fixture, ({ write }) => write === 0);
  await fixture.client.tables.update(getTableIds('Customers'), { description: null });
  const plan = () => writer.planReviewedUndo(entry, 'restore', noChoices);
  expect((await plan()).laterChanges).toEqual([]);
  await fixture.client.tables.update(getTableIds('Customers'), { description: 'theirs' });
  await fixture.client.tables.update(ordersIds, { description: 'theirs' });
  const { laterChanges, operation: planned } = await plan();
  expect(laterChanges).toMatchObject([{ name: 'Orders', canOverwrite: true }, { name: 'Customers' }]);
  expect(planned.writes.map(({ target }) => target)).not.toContainEqual(orders);
  expect(planned.writes.map(({ target }) => target)).not.toContainEqual(customers);
});

test('custom data that was deleted and restored is deleted again', async () => {
  using fixture = new ChangeFixture();
  await fixture.client.customData.create({ app: 'walk' });
  const { writer, history } = fixture.open();
  const count = async () => (await fixture.client.customData.query({ app: 'walk' })).value.length;
  const entry = await change(
    fixture,
    createMatchingDeletionOperation({ connectionId, within: [] }, { app: 'walk' }),
  );
  expect(await count()).toBe(0);
  await (await review(fixture, entry)).run();
  expect(await count()).toBe(1);
  await fixture.sandbox.clock.advance(1000);
  const undoEntry =
    (await history.readEntries(connectionId)).find(({ undoes }) => undoes === entry.id) ?? entry;
  const again = await writer.planReviewedUndo(undoEntry, 'undo', noChoices);
  expect(again.operation.writes.map(({ endpoint }) => endpoint)).toEqual(['customData.deleteMatching']);
});

describe('names that are in use', () => {
  const deleteOrders = (fixture: ChangeFixture) =>
    change(
      fixture,
      operation([
        { endpoint: 'tables.delete', params: getIds(tableRef('Orders')), target: tableRef('Orders') },
      ]),
    );
  const createTable = async (fixture: ChangeFixture, name: string): Promise<void> => {
    const columns = [{ id: 'A', name: 'A', type: 8 }];
    await fixture.client.tables.create(ordersIds, { id: 'returns.csv', name, type: 'base', columns });
  };
  const readTableNames = async (fixture: ChangeFixture): Promise<readonly string[]> => {
    const model = await fixture.readObject({ kind: 'datamodel', datamodelId });
    return getObjects(model['datasets']).flatMap(({ schema }) =>
      getObjects((schema as JsonObject)['tables']).map(({ name }) => getText(name)),
    );
  };

  test('a table is restored under a free name, or under one that the user chooses', async () => {
    using fixture = new ChangeFixture();
    const entry = await deleteOrders(fixture);
    expect((await review(fixture, entry)).undo.nameConflicts).toEqual([]);
    await createTable(fixture, 'ORDERS');
    await createTable(fixture, 'Orders 2');
    const { undo } = await review(fixture, entry);
    const [conflict] = undo.nameConflicts;
    expect(conflict).toMatchObject({ kind: 'table', name: 'Orders', newName: 'Orders 3', isInvalid: false });
    const names = (name: string) => ({ names: new Map([[conflict?.id ?? '', name]]) });
    expect((await review(fixture, entry, names('orders 2'))).undo.nameConflicts).toMatchObject([
      { isInvalid: true },
    ]);
    expect((await review(fixture, entry, names(' '))).undo.nameConflicts).toMatchObject([
      { isInvalid: true },
    ]);
    const { run } = await review(fixture, entry, names('Old Orders'));
    await run();
    const tableNames = await readTableNames(fixture);
    expect(tableNames).toContain('Old Orders');
    expect(tableNames).not.toContain('Orders');
  });

  test('a datamodel under another name has its rules; those of the other one stay', async () => {
    using fixture = new ChangeFixture();
    const rules = await readColumn(fixture, 'Segment');
    const entry = await change(
      fixture,
      operation([
        {
          endpoint: 'datamodels.delete',
          params: { datamodelId },
          target: { kind: 'datamodel', datamodelId },
        },
      ]),
    );
    await fixture.client.datamodels.create({ title: 'Retail', type: 'extract' });
    const { undo, run } = await review(fixture, entry);
    expect(undo.nameConflicts).toMatchObject([{ kind: 'datamodel', name: 'Retail', newName: 'Retail 2' }]);
    await run();
    const restored = getObjects(
      await fixture.read({ kind: 'rules', subject: { ...retail, elasticube: 'Retail 2' } }),
    );
    const segmentRules = restored.filter(({ column }) => column === 'Segment');
    expect(getContent(segmentRules)).toBe(rules);
    expect(getObjects(await fixture.read({ kind: 'rules', subject: retail }))).toEqual([]);
  });
});
