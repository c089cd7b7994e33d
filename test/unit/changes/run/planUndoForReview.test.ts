import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRelationUpdateWrite } from '../../../../src/changes/model/relationWrites.ts';
import { createCustomDataDeletionOperation } from '../../../../src/changes/model/customDataWrites.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import type { UndoChoices } from '../../../../src/changes/run/planUndoForReview.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { runApproved } from '../journal/runApproved.ts';
import { killWindow } from './simulateInterruption.ts';
import {
  ChangeFixture,
  connectionId,
  getFailure,
  getIds,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
} from './support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
function getTableIds(name: string) {
  const { datamodelId = '', datasetId = '', tableId = '' } = getIds(createTableRef(name));
  return { datamodelId, datasetId, tableId };
}
const ordersIds = getTableIds('Orders');
const { datamodelId } = ordersIds;
const noChoices: UndoChoices = { overwrittenIds: new Set(), names: new Map() };

async function runChange(fixture: ChangeFixture, change: Operation): Promise<HistoryEntry> {
  const { writer, history } = fixture.open();
  await runApproved(writer, change);
  await fixture.sandbox.clock.advance(1000);
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was recorded');
  }
  return entry;
}

/** Plans the undo of an entry; returns it with a function that runs it. */
async function reviewUndo(
  fixture: ChangeFixture,
  entry: HistoryEntry,
  choices: Partial<UndoChoices> = {},
  kind: 'undo' | 'restore' = 'undo',
) {
  const { writer } = fixture.open();
  const undo = await writer.planUndoForReview(entry, kind, { ...noChoices, ...choices });
  const { operation: planned, expectedVersions, restoredIds, undoCountBefore } = undo;
  const run = () =>
    runApproved(writer, planned, { expectedVersions, undoneEntryId: entry.id, restoredIds, undoCountBefore });
  return { undo, run };
}

const getRules = async (fixture: ChangeFixture, column: string): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject: retail })).filter(
    (rule) => rule['column'] === column,
  );

const getContent = (rules: readonly JsonObject[]): string =>
  rules
    .map((rule) => formatRuleTable([rule]))
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
  return runChange(
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

/** Adds a rule as another user. */
async function addRuleAsOtherUser(fixture: ChangeFixture, column: string, member: string): Promise<void> {
  await fixture.client.extractRules.create({ server: 'LocalHost', elasticube: 'Retail' }, [
    createUserRule(column, member),
  ]);
}

describe('rules that were changed later', () => {
  test('without later changes, all rules are restored without a question', async () => {
    using fixture = new ChangeFixture();
    const before = [await readColumn(fixture, 'Segment'), await readColumn(fixture, 'Region')];
    const { undo, run } = await reviewUndo(fixture, await changeTwoColumns(fixture));
    expect(undo.laterChanges).toEqual([]);
    await run();
    expect([await readColumn(fixture, 'Segment'), await readColumn(fixture, 'Region')]).toEqual(before);
  });

  test('rules of a column that another user changed are kept by default; the other columns are undone', async () => {
    using fixture = new ChangeFixture();
    const region = await readColumn(fixture, 'Region');
    const entry = await changeTwoColumns(fixture);
    await addRuleAsOtherUser(fixture, 'Segment', '33');
    const theirRules = await readColumn(fixture, 'Segment');
    const { undo, run } = await reviewUndo(fixture, entry);
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
    expect(await readColumn(fixture, 'Segment')).toBe(theirRules);
    expect(await readColumn(fixture, 'Region')).toBe(region);
  });

  test('an overwritten column gets exactly the rules from before, without those of others', async () => {
    using fixture = new ChangeFixture();
    const segmentContent = await readColumn(fixture, 'Segment');
    const entry = await changeTwoColumns(fixture);
    await addRuleAsOtherUser(fixture, 'Segment', '33');
    const { undo } = await reviewUndo(fixture, entry);
    const overwrittenChangeIds = new Set(undo.laterChanges.map(({ id }) => id));
    const { run } = await reviewUndo(fixture, entry, { overwrittenIds: overwrittenChangeIds });
    await run();
    expect(await readColumn(fixture, 'Segment')).toBe(segmentContent);
  });

  test('deleting a created rule counts as a later change of its column', async () => {
    using fixture = new ChangeFixture();
    const entry = await runChange(
      fixture,
      createOperation([
        ...createRuleWrites(retail, { adds: [createUserRule('Segment', '11')], deletes: [] }),
      ]),
    );
    const created = (await getRules(fixture, 'Segment')).find(
      ({ members }) => JSON.stringify(members) === '["11"]',
    );
    await fixture.client.extractRules.delete({ ruleId: getText(created?.['_id']) });
    const { undo } = await reviewUndo(fixture, entry);
    expect(undo.laterChanges.map(({ name }) => name)).toEqual(['Customers.Segment']);
    expect(undo.operation.writes).toEqual([]);
  });

  test('a change after the review stops the undo', async () => {
    using fixture = new ChangeFixture();
    const { run } = await reviewUndo(fixture, await changeTwoColumns(fixture));
    await addRuleAsOtherUser(fixture, 'Segment', '33');
    expect(await getFailure(run())).toBeInstanceOf(ConflictError);
  });
});

describe('documents that were changed later', () => {
  const readOrders = (fixture: ChangeFixture) => fixture.readObject(createTableRef('Orders'));
  const changeOrders = (fixture: ChangeFixture, body: JsonObject) =>
    fixture.client.tables.update(ordersIds, body);

  test('a change of another field does not prevent the undo, and is kept', async () => {
    using fixture = new ChangeFixture();
    const { description } = await readOrders(fixture);
    const entry = await runChange(
      fixture,
      createOperation([createTableUpdate('Orders', { description: 'mine' })]),
    );
    await changeOrders(fixture, { hidden: true });
    const { undo, run } = await reviewUndo(fixture, entry);
    expect(undo.laterChanges).toMatchObject([
      { name: 'Orders', canOverwrite: false, fields: [{ field: 'hidden', after: 'true' }] },
    ]);
    await run();
    expect(await readOrders(fixture)).toMatchObject({ hidden: true });
    expect((await readOrders(fixture))['description'] ?? null).toBe(description ?? null);
  });

  test('a change of the same field is kept, or overwritten if the user chooses so', async () => {
    using fixture = new ChangeFixture();
    const entry = await runChange(
      fixture,
      createOperation([createTableUpdate('Orders', { description: 'mine', hidden: true })]),
    );
    await changeOrders(fixture, { description: 'theirs' });
    const defaultReview = await reviewUndo(fixture, entry);
    expect(defaultReview.undo.laterChanges).toMatchObject([
      { canOverwrite: true, fields: [{ field: 'description', before: 'mine', after: 'theirs' }] },
    ]);
    expect(defaultReview.undo.operation.writes.map(({ body }) => Object.keys(body ?? {}))).toEqual([
      ['hidden'],
    ]);
    const overwrittenChangeIds = new Set(defaultReview.undo.laterChanges.map(({ id }) => id));
    const { run } = await reviewUndo(fixture, entry, { overwrittenIds: overwrittenChangeIds });
    await run();
    expect(await readOrders(fixture)).not.toMatchObject({ description: 'theirs' });
  });

  test('a restore overwrites later changes of the same user, but not those of others', async () => {
    using fixture = new ChangeFixture();
    const entry = await runChange(
      fixture,
      createOperation([createTableUpdate('Orders', { description: 'first' })]),
    );
    await runChange(fixture, createOperation([createTableUpdate('Orders', { description: 'second' })]));
    const restoreReview = await reviewUndo(fixture, entry, {}, 'restore');
    expect(restoreReview.undo.laterChanges).toEqual([]);
    expect(restoreReview.undo.operation.writes).toHaveLength(1);
    const undoReview = await reviewUndo(fixture, entry);
    expect(undoReview.undo.laterChanges).toMatchObject([{ fields: [{ before: 'first', after: 'second' }] }]);
    await changeOrders(fixture, { description: 'theirs' });
    const laterRestoreReview = await reviewUndo(fixture, entry, {}, 'restore');
    expect(laterRestoreReview.undo.laterChanges).toMatchObject([
      { fields: [{ before: 'second', after: 'theirs' }] },
    ]);
    expect(laterRestoreReview.undo.operation.writes).toEqual([]);
  });

  test('without a response, the times that the server sets in columns are no later change', async () => {
    using fixture = new ChangeFixture();
    const columns = getColumns(await fixture.read(createTableRef('Orders')));
    fixture.hasEmptyResponse = (line) => line.startsWith('PATCH');
    const entry = await runChange(
      fixture,
      createOperation([
        createTableUpdate('Orders', { columns: columns.map((column) => ({ ...column, hidden: true })) }),
      ]),
    );
    fixture.hasEmptyResponse = () => false;
    await changeOrders(fixture, { description: 'theirs' });
    const { undo } = await reviewUndo(fixture, entry);
    expect(undo.laterChanges.map(({ fields }) => fields.map(({ field }) => field))).toEqual([
      ['description'],
    ]);
  });

  test('a restore compares with the response to the last change of the user, so what the server added is no later change', async () => {
    using fixture = new ChangeFixture();
    const entry = await runChange(
      fixture,
      createOperation([createTableUpdate('Orders', { description: 'first' })]),
    );
    const columns = getColumns(await fixture.read(createTableRef('Orders')));
    const column = { id: 'Double', name: 'Double', type: 5, isCustom: true, expression: '[Quantity] * 2' };
    await runChange(
      fixture,
      createOperation([createTableUpdate('Orders', { columns: [...columns, column] })]),
    );
    await changeOrders(fixture, { hidden: true });
    const { undo } = await reviewUndo(fixture, entry, {}, 'restore');
    expect(undo.laterChanges).toMatchObject([{ fields: [{ field: 'hidden', after: 'true' }] }]);
    expect(undo.laterChanges[0]?.fields).toHaveLength(1);
  });
});

test('after an interrupted change, a state that it may have left is no later change, and any other is', async () => {
  using fixture = new ChangeFixture();
  const orders = createTableRef('Orders');
  const customersTable = createTableRef('Customers');
  await runChange(
    fixture,
    createOperation([
      createTableUpdate('Orders', { description: 'mine' }),
      createTableUpdate('Customers', { description: 'mine' }),
    ]),
  );
  const { writer, entry } = await killWindow(fixture, ({ write }) => write === 0);
  await fixture.client.tables.update(getTableIds('Customers'), { description: null });
  const plan = () => writer.planUndoForReview(entry, 'restore', noChoices);
  expect((await plan()).laterChanges).toEqual([]);
  await fixture.client.tables.update(getTableIds('Customers'), { description: 'theirs' });
  await fixture.client.tables.update(ordersIds, { description: 'theirs' });
  const { laterChanges, operation: planned } = await plan();
  expect(laterChanges).toMatchObject([{ name: 'Orders', canOverwrite: true }, { name: 'Customers' }]);
  expect(planned.writes.map(({ target }) => target)).not.toContainEqual(orders);
  expect(planned.writes.map(({ target }) => target)).not.toContainEqual(customersTable);
});

test('custom data that was deleted and restored is deleted again', async () => {
  using fixture = new ChangeFixture();
  await fixture.client.customData.create({ app: 'walk' });
  const { writer, history } = fixture.open();
  const countObjects = async () => (await fixture.client.customData.query({ app: 'walk' })).value.length;
  const entry = await runChange(
    fixture,
    createCustomDataDeletionOperation({ connectionId, within: [] }, { app: 'walk' }),
  );
  expect(await countObjects()).toBe(0);
  await (await reviewUndo(fixture, entry)).run();
  expect(await countObjects()).toBe(1);
  await fixture.sandbox.clock.advance(1000);
  const undoEntry =
    (await history.readEntries(connectionId)).find(({ undoneEntryId }) => undoneEntryId === entry.id) ??
    entry;
  const redo = await writer.planUndoForReview(undoEntry, 'undo', noChoices);
  expect(redo.operation.writes.map(({ endpoint }) => endpoint)).toEqual(['customData.deleteMatching']);
});

describe('names that are in use', () => {
  const deleteOrders = (fixture: ChangeFixture) =>
    runChange(
      fixture,
      createOperation([
        {
          endpoint: 'tables.delete',
          params: getIds(createTableRef('Orders')),
          target: createTableRef('Orders'),
        },
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
    expect((await reviewUndo(fixture, entry)).undo.nameConflicts).toEqual([]);
    await createTable(fixture, 'ORDERS');
    await createTable(fixture, 'Orders 2');
    const { undo } = await reviewUndo(fixture, entry);
    const [conflict] = undo.nameConflicts;
    expect(conflict).toMatchObject({ kind: 'table', name: 'Orders', newName: 'Orders 3', isInvalid: false });
    const chooseName = (name: string) => ({ names: new Map([[conflict?.id ?? '', name]]) });
    expect((await reviewUndo(fixture, entry, chooseName('orders 2'))).undo.nameConflicts).toMatchObject([
      { isInvalid: true },
    ]);
    expect((await reviewUndo(fixture, entry, chooseName(' '))).undo.nameConflicts).toMatchObject([
      { isInvalid: true },
    ]);
    const { run } = await reviewUndo(fixture, entry, chooseName('Old Orders'));
    await run();
    const tableNames = await readTableNames(fixture);
    expect(tableNames).toContain('Old Orders');
    expect(tableNames).not.toContain('Orders');
  });

  test('the undo of a rename proposes a free name if another table has the former name now', async () => {
    using fixture = new ChangeFixture();
    const entry = await runChange(
      fixture,
      createOperation([createTableUpdate('Orders', { name: 'Old Orders' })]),
    );
    expect((await reviewUndo(fixture, entry)).undo.nameConflicts).toEqual([]);
    await createTable(fixture, 'orders');
    const { undo, run } = await reviewUndo(fixture, entry);
    expect(undo.nameConflicts).toMatchObject([
      { id: ordersIds.tableId, kind: 'table', name: 'Orders', newName: 'Orders 2', isInvalid: false },
    ]);
    await run();
    expect(await readTableNames(fixture)).toEqual(expect.arrayContaining(['orders', 'Orders 2']));
  });

  test('a datamodel that is restored under another name gets its rules; the one that has the old name now gets none', async () => {
    using fixture = new ChangeFixture();
    const rules = await readColumn(fixture, 'Segment');
    const entry = await runChange(
      fixture,
      createOperation([
        {
          endpoint: 'datamodels.delete',
          params: { datamodelId },
          target: { kind: 'datamodel', datamodelId },
        },
      ]),
    );
    await fixture.client.datamodels.create({ title: 'Retail', type: 'extract' });
    const { undo, run } = await reviewUndo(fixture, entry);
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

describe('relations', () => {
  test('are named by their columns, including those that the undo restores', async () => {
    using fixture = new ChangeFixture();
    const columns = getObjects((await fixture.readObject(createTableRef('Orders')))['columns']).filter(
      ({ name }) => name !== 'Store Id',
    );
    const entry = await runChange(fixture, createOperation([createTableUpdate('Orders', { columns })]));
    const { undo } = await reviewUndo(fixture, entry);
    const { plan } = await fixture.open().writer.plan(undo.operation);
    const relations = [...plan.changed, ...plan.created].filter(({ kind }) => kind === 'relation');
    expect(relations).toMatchObject([
      {
        name: 'Orders.Store Id = Stores.Store Id',
        fields: [
          { field: 'columns', before: '? = Stores.Store Id', after: 'Orders.Store Id = Stores.Store Id' },
        ],
      },
    ]);
  });

  test('whose old and new columns are unknown are not shown as equal', async () => {
    using fixture = new ChangeFixture();
    const model = await fixture.client.datamodels.get({ datamodelId });
    const orders = getObjects((await fixture.readObject(createTableRef('Orders')))['columns']);
    const storeId = getText(orders.find((column) => column['name'] === 'Store Id')?.['oid']);
    const relation = (model.value.relations ?? []).find(({ columns }) =>
      columns?.some(({ column }) => column === storeId),
    );
    const columns = orders.filter(({ name }) => name !== 'Store Id');
    await runChange(fixture, createOperation([createTableUpdate('Orders', { columns })]));
    const ends = (relation?.columns ?? []).map(({ dataset, table, column }) => ({
      dataset,
      table,
      column: column === storeId ? 'another-column' : column,
    }));
    const update = createRelationUpdateWrite(
      { datamodelId, relationId: relation?.oid ?? '' },
      { columns: ends },
    );
    const otherDeletion = createTableUpdate('Orders', {
      columns: columns.filter(({ name }) => name !== 'Channel'),
    });
    const { plan } = await fixture.open().writer.plan(createOperation([otherDeletion, update]));
    expect(plan.changed.filter(({ kind }) => kind === 'relation')).toMatchObject([
      { name: '? = Stores.Store Id', fields: [{ field: 'columns' }] },
    ]);
    expect(plan.changed.at(-1)?.fields).toEqual([{ field: 'columns' }]);
  });

  test('that were changed later show the names of their columns', async () => {
    using fixture = new ChangeFixture();
    const model = await fixture.client.datamodels.get({ datamodelId });
    const orders = getObjects((await fixture.readObject(createTableRef('Orders')))['columns']);
    const getOid = (name: string) => getText(orders.find((column) => column['name'] === name)?.['oid']);
    const relation = (model.value.relations ?? []).find(({ columns }) =>
      columns?.some(({ column }) => column === getOid('Store Id')),
    );
    const ref = { kind: 'relation', datamodelId, relationId: relation?.oid ?? '' } as const;
    const replaceColumn = (name: string) =>
      (relation?.columns ?? []).map((end) => ({
        dataset: end.dataset,
        table: end.table,
        column: end.column === getOid('Store Id') ? getOid(name) : end.column,
      })) as unknown as JsonObject[];
    const entry = await runChange(
      fixture,
      createOperation([
        {
          endpoint: 'relations.update',
          params: getIds(ref),
          body: { columns: replaceColumn('Order Id') },
          target: ref,
        },
      ]),
    );
    await fixture.client.relations.update(
      { datamodelId, relationId: ref.relationId },
      { columns: replaceColumn('Customer Id') },
    );
    expect((await reviewUndo(fixture, entry)).undo.laterChanges).toMatchObject([
      {
        kind: 'relation',
        name: 'Orders.Customer Id = Stores.Store Id',
        fields: [
          {
            field: 'columns',
            before: 'Orders.Order Id = Stores.Store Id',
            after: 'Orders.Customer Id = Stores.Store Id',
          },
        ],
      },
    ]);
  });
});
