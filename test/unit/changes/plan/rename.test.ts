import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  planRename,
  planSavedRenames,
  getRenameProblem,
} from '../../../../src/changes/plan/rename/planRename.ts';
import { type Rename, findRenames } from '../../../../src/changes/model/tableRenames.ts';
import type { RenameState } from '../../../../src/changes/plan/rename/renameState.ts';
import { getCubeSetRuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { readRenameState } from '../../../../src/changes/plan/readRenameState.ts';
import { readInstanceContent } from '../journal/instanceContent.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  ChangeFixture,
  getColumns,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
} from '../run/support.ts';

const modelId = createSeedOid('Retail');

async function getState(
  fixture: ChangeFixture,
  datamodelId = modelId,
  tableId = createSeedOid('Retail/Regions'),
) {
  const cubeSets = { subjects: fixture.cubeSets, tableId, namedDatamodels: fixture.catalog.namedDatamodels };
  const state = await readRenameState(fixture.client, datamodelId, { cubeSets });
  if (state === undefined) {
    throw new Error('The datamodel is gone');
  }
  return state;
}

const createColumnRename = (table: string, name: string, newName: string): Rename => ({
  tableId: createSeedOid(`Retail/${table}`),
  columnId: createSeedOid(`Retail/${table}/${name}`),
  newName,
});

/** Renames in the sandbox and checks that nothing breaks. */
async function rename(fixture: ChangeFixture, renameToRun: Rename, excludedKeys: readonly string[] = []) {
  const { writer, history } = fixture.open();
  const renamePlan = planRename(await getState(fixture), renameToRun, {
    connectionId,
    excludedKeys: new Set(excludedKeys),
  });
  const { plan } = await writer.plan(renamePlan.operation);
  await runApproved(writer, renamePlan.operation);
  const [entry] = await history.readEntries(connectionId);
  return { ...renamePlan, plan, entry, writer };
}

describe('a rename', () => {
  test('of a column updates every expression, rule and viewpoint, breaks nothing, and is undone as one', async () => {
    using fixture = new ChangeFixture();
    const before = await readInstanceContent(fixture);
    const {
      operation: renameOperation,
      plan,
      entry,
      writer,
    } = await rename(fixture, createColumnRename('Regions', 'Region', 'Area'));
    expect(plan.breaks).toEqual([]);
    expect(plan.severity).toBe('harmless');
    const endpoints = renameOperation.writes.map(({ endpoint }) => endpoint);
    expect(renameOperation.writes[0]).toMatchObject({ target: createTableRef('Regions') });
    expect(endpoints).toEqual(
      [...endpoints].sort((a, b) => endpointOrder.indexOf(a) - endpointOrder.indexOf(b)),
    );
    const monthlyTable = await fixture.readObject(createTableRef('Monthly Store Sales'));
    expect((monthlyTable['expression'] as JsonObject)['expression']).toContain('r.[Area] AS [Region],');
    const rules = await fixture.client.extractRules.list({ server: 'LocalHost', elasticube: 'Retail' });
    expect(
      rules.value.filter(({ table }) => table === 'Regions').every(({ column: name }) => name === 'Area'),
    ).toBe(true);
    const undo = entry && (await writer.planUndo(entry));
    await runApproved(writer, undo?.operation ?? createOperation([]), {
      expectedVersions: undo?.expectedVersions,
    });
    expect(await readInstanceContent(fixture)).toEqual(before);
  });

  test('of a table updates the expressions and viewpoints that use it, and breaks nothing', async () => {
    using fixture = new ChangeFixture();
    const { plan } = await rename(fixture, {
      tableId: createSeedOid('Retail/Orders'),
      newName: 'Sales Orders',
    });
    expect(plan.breaks).toEqual([]);
    const value = await fixture.readObject(createTableRef('Customer Value'));
    expect((value['expression'] as JsonObject)['expression']).toContain('LEFT JOIN [Sales Orders] o');
    const viewpoints = JSON.stringify(
      (await fixture.client.viewpoints.list({ with: 'details', limit: 1000 })).value,
    );
    expect(viewpoints).not.toContain('"table":"Orders"');
    expect(viewpoints).not.toContain('[Orders.');
  });

  test("of a column that a custom table's query produces changes the query", async () => {
    using fixture = new ChangeFixture();
    const { plan } = await rename(fixture, createColumnRename('Monthly Store Sales', 'Revenue', 'Turnover'));
    expect(plan.breaks).toEqual([]);
    const monthlyTable = await fixture.readObject(createTableRef('Monthly Store Sales'));
    expect((monthlyTable['expression'] as JsonObject)['expression']).toContain('m.[Revenue] AS [Turnover]');
    const rankingTable = await fixture.readObject(createTableRef('Store Ranking'));
    expect((rankingTable['expression'] as JsonObject)['expression']).toContain('WHERE [Turnover] > 0');
  });

  test('updates the rules of cube sets, each named by its set', async () => {
    using fixture = new ChangeFixture();
    const before = await readInstanceContent(fixture);
    fixture.cubeSets = [getCubeSetRuleSubject('Regional Sales'), getCubeSetRuleSubject('No Such Set')];
    const { references, plan, entry, writer } = await rename(
      fixture,
      createColumnRename('Regions', 'Region', 'Area'),
    );
    const ruleReferences = references.filter(({ referrerKind }) => referrerKind === 'rule');
    const setParts = ruleReferences.filter(({ subject }) => subject.within[0] === 'Regional Sales');
    expect(setParts).toHaveLength(4);
    expect(ruleReferences.length).toBeGreaterThan(4);
    expect(new Set(references.map(({ key }) => key)).size).toBe(references.length);
    expect(plan.breaks).toEqual([]);
    const getSetColumns = async () => {
      const { value } = await fixture.client.extractRules.list({
        server: 'set',
        elasticube: 'Regional Sales',
      });
      return new Set(value.map((rule) => `${rule.table}.${rule.column}`));
    };
    expect(await getSetColumns()).toEqual(new Set(['Regions.Area']));
    const undo = entry && (await writer.planUndo(entry));
    await runApproved(writer, undo?.operation ?? createOperation([]), {
      expectedVersions: undo?.expectedVersions,
    });
    expect(await getSetColumns()).toEqual(new Set(['Regions.Region']));
    expect(await readInstanceContent(fixture)).toEqual(before);
  });

  test('breaks only the rules of a cube set that keep the old name', async () => {
    using fixture = new ChangeFixture();
    fixture.cubeSets = [getCubeSetRuleSubject('Regional Sales')];
    const columnRename = createColumnRename('Regions', 'Region', 'Area');
    const { references } = planRename(await getState(fixture), columnRename, { connectionId });
    const setKeys = references
      .filter(({ subject }) => subject.within[0] === 'Regional Sales')
      .map(({ key }) => key);
    const { plan } = await rename(fixture, columnRename, setKeys);
    expect(plan.breaks.map(({ referrer }) => [referrer.within, referrer.name])).toEqual(
      setKeys.map(() => [['Regional Sales'], 'Regions.Region']),
    );
  });

  test('knows which rules of cube sets may protect the same column of other extract datamodels', async () => {
    using fixture = new ChangeFixture();
    fixture.cubeSets = [getCubeSetRuleSubject('Regional Sales')];
    const state = await getState(fixture);
    expect(state.otherDatamodels?.map(({ datamodel }) => datamodel.title)).toEqual(['Marketing']);
    const describeRuleParts = (otherDatamodels: RenameState['otherDatamodels'] = []) => {
      const { references } = planRename(
        { ...state, otherDatamodels },
        createColumnRename('Regions', 'Region', 'Area'),
        {
          connectionId,
        },
      );
      const rules = references.filter(({ referrerKind }) => referrerKind === 'rule');
      return new Set(
        rules.map(
          ({ subject, otherDatamodelTitles }) => `${subject.within.join()}: ${otherDatamodelTitles?.join()}`,
        ),
      );
    };
    expect(describeRuleParts(state.otherDatamodels)).toEqual(
      new Set(['Retail: undefined', 'Regional Sales: undefined']),
    );
    const createTables = (name: string) => [{ name, columns: [{ name: 'Region' }] }];
    const [shops, regions] = [
      { oid: 'shops', title: 'Shops', tables: createTables('Shops') },
      { oid: 'europe', title: 'Europe', tables: createTables('Regions') },
    ].map(({ oid, title, ...names }) => ({
      datamodel: { oid, title },
      catalog: { complete: true, relations: [], ...names },
    }));
    expect(describeRuleParts([shops, regions].flatMap((each) => each ?? []))).toEqual(
      new Set(['Retail: undefined', 'Regional Sales: Europe']),
    );
  });

  test('reads other datamodels only if a rule of a cube set names the table', async () => {
    using fixture = new ChangeFixture();
    fixture.cubeSets = [getCubeSetRuleSubject('Regional Sales')];
    const state = await getState(fixture, modelId, createSeedOid('Retail/Orders'));
    expect(state.otherDatamodels).toBeUndefined();
  });

  test('of a live datamodel leaves the rules of cube sets alone', async () => {
    using fixture = new ChangeFixture();
    fixture.cubeSets = [getCubeSetRuleSubject('Regional Sales')];
    expect((await getState(fixture, createSeedOid('Support Desk'))).rules).toMatchObject([
      { subject: { kind: 'live' } },
    ]);
    expect((await getState(fixture)).rules).toHaveLength(2);
  });

  test('breaks exactly the references that the user deselected', async () => {
    using fixture = new ChangeFixture();
    const columnRename = createColumnRename('Orders', 'Status', 'State');
    const { references } = planRename(await getState(fixture), columnRename, { connectionId });
    const rule = references.find(({ referrerKind }) => referrerKind === 'rule');
    const { plan } = await rename(fixture, columnRename, [rule?.key ?? '']);
    expect(plan.breaks.map(({ referrerKind }) => referrerKind)).toEqual(['rule']);
    expect(plan.breaks[0]?.referrer.resource).toEqual(rule?.subject.resource);
  });

  test('lists in its plan only the SQL in which the new name would refer to something else', async () => {
    using fixture = new ChangeFixture();
    const sql =
      'SELECT 1 AS [One] FROM [Orders] o WHERE EXISTS (SELECT 1 FROM [Stores] o WHERE [Status] = [Channel])';
    const { writer } = fixture.open();
    await runApproved(
      writer,
      createOperation([createTableUpdate('Customer Value', { expression: { expression: sql } })]),
    );
    const { operation: renameOperation } = planRename(
      await getState(fixture),
      createColumnRename('Orders', 'Status', 'Store'),
      {
        connectionId,
      },
    );
    const { plan } = await writer.plan(renameOperation);
    expect(plan.severity).toBe('breaking');
    expect(plan.breaks).toMatchObject([
      {
        referrerKind: 'tableExpression',
        referrer: { name: 'Customer Value' },
        names: { table: 'Orders', column: 'Status' },
        reason: 'captured',
        capturedBy: 'Stores.Store',
      },
    ]);
  });

  test('works on an instance without viewpoints', async () => {
    using fixture = new ChangeFixture();
    fixture.sandbox.faults.set([{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }]);
    const state = await readRenameState(fixture.client, modelId);
    expect(state?.viewpoints).toEqual([]);
    expect(state?.rules[0]?.rules).toHaveLength(19);
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, pathPrefix: '/api/v1/infusion' }]);
    await expect(readRenameState(fixture.client, modelId)).rejects.toMatchObject({ status: 403 });
  });

  test('keeps the result columns of custom tables and what they are ordered by, even in unions', async () => {
    using fixture = new ChangeFixture();
    const sql = 'SELECT [Status] FROM [Orders] UNION SELECT [Store] FROM [Stores] ORDER BY [Status]';
    await runApproved(
      fixture.open().writer,
      createOperation([createTableUpdate('Customer Value', { expression: { expression: sql } })]),
    );
    const { plan } = await rename(fixture, createColumnRename('Orders', 'Status', 'State'));
    expect(plan.breaks).toEqual([]);
    const value = await fixture.readObject(createTableRef('Customer Value'));
    expect((value['expression'] as JsonObject)['expression']).toBe(
      'SELECT [State] AS [Status] FROM [Orders] UNION SELECT [Store] FROM [Stores] ORDER BY [Status]',
    );
  });

  test('of a live datamodel replaces each rule', async () => {
    using fixture = new ChangeFixture();
    const columnRename = {
      tableId: createSeedOid('Support Desk/Tickets'),
      columnId: createSeedOid('Support Desk/Tickets/Country'),
      newName: 'Land',
    };
    const { writer } = fixture.open();
    const { operation: renameOperation } = planRename(
      await getState(fixture, createSeedOid('Support Desk')),
      columnRename,
      {
        connectionId,
      },
    );
    await runApproved(writer, renameOperation);
    const rules = (await fixture.client.liveRules.list({ title: 'Support Desk' })).value;
    expect(rules.filter(({ table }) => table === 'Tickets').map(({ column: name }) => name)).toEqual([
      'Land',
      'Land',
      'Land',
    ]);
  });

  test('is rejected for a name that is empty, unchanged, or taken, and for a column that is gone', async () => {
    using fixture = new ChangeFixture();
    const { model } = await getState(fixture);
    expect(getRenameProblem(model, createColumnRename('Orders', 'Status', ' '))).toBe('empty');
    expect(getRenameProblem(model, createColumnRename('Orders', 'Status', 'Status'))).toBe('same');
    expect(getRenameProblem(model, createColumnRename('Orders', 'Status', 'channel'))).toBe('taken');
    expect(getRenameProblem(model, createColumnRename('Orders', 'Gone', 'x'))).toBe('gone');
    expect(getRenameProblem(model, { tableId: createSeedOid('Retail/Orders'), newName: 'STORES' })).toBe(
      'taken',
    );
    expect(getRenameProblem(model, createColumnRename('Orders', 'Status', 'status'))).toBeUndefined();
  });
});

test('a saved table with the same oid and a new name is a rename: the references follow the payload', async () => {
  using fixture = new ChangeFixture();
  const table = await fixture.readObject(createTableRef('Orders'));
  const columns = getColumns(table).map((each) =>
    each['name'] === 'Channel' ? { ...each, name: 'Way' } : each,
  );
  const saved = createOperation([createTableUpdate('Orders', { columns })]);
  const [write] = saved.writes;
  const renames = write === undefined ? [] : findRenames(write, table);
  expect(renames).toEqual([createColumnRename('Orders', 'Channel', 'Way')]);
  const renamePlan = planSavedRenames(await getState(fixture), saved, { renames });
  expect(renamePlan.operation.writes[0]).toBe(write);
  expect((await fixture.open().writer.plan(renamePlan.operation)).plan.breaks).toEqual([]);
});

test('a save may swap names: each reference follows its own column', async () => {
  using fixture = new ChangeFixture();
  const table = await fixture.readObject(createTableRef('Orders'));
  const swappedNames: Readonly<Record<string, string>> = { Channel: 'Status', Status: 'Channel' };
  const columns = getColumns(table).map((one) => {
    const { name } = one;
    return typeof name === 'string' ? { ...one, name: swappedNames[name] ?? name } : one;
  });
  const saved = createOperation([createTableUpdate('Orders', { columns })]);
  const [write] = saved.writes;
  const renames = write === undefined ? [] : findRenames(write, table);
  expect(renames).toHaveLength(2);
  const renamePlan = planSavedRenames(await getState(fixture), saved, { renames });
  await runApproved(fixture.open().writer, renamePlan.operation);
  const monthlyTable = await fixture.readObject(createTableRef('Monthly Store Sales'));
  expect((monthlyTable['expression'] as JsonObject)['expression']).toContain(
    "WHERE o.[Channel] <> 'Canceled'",
  );
});

test('a swap of names does not touch a column that has the name of a temporary one', () => {
  const createTable = (oid: string, fields: JsonObject): JsonObject => ({
    oid,
    type: 'extract',
    schema: { tables: [{ oid: `${oid}-table`, id: oid, ...fields }] },
  });
  const names = ['A', 'B', 'RenamedColumn0'];
  const columns = names.map((name) => ({ oid: name, id: name, name, type: 18 }));
  const model: JsonObject = {
    oid: 'model',
    title: 'Model',
    type: 'extract',
    datasets: [
      createTable('base', { name: 'T', type: 'base', columns }),
      createTable('custom', {
        name: 'Q',
        type: 'custom',
        columns: [],
        expression: 'SELECT A AS x, B AS y, RenamedColumn0 AS z FROM T',
      }),
    ],
  };
  const renames = [
    { tableId: 'base-table', columnId: 'A', newName: 'B' },
    { tableId: 'base-table', columnId: 'B', newName: 'A' },
  ];
  const { operation: plannedOperation } = planSavedRenames(
    { model, rules: [], viewpoints: [] },
    createOperation([]),
    {
      renames,
    },
  );
  expect(plannedOperation.writes.map(({ body }) => (body as JsonObject)['expression'])).toEqual([
    'SELECT B AS x, A AS y, RenamedColumn0 AS z FROM T',
  ]);
});

test('a column that a query selects with a star cannot be renamed; one that it names can, and so can a custom column', () => {
  const createCustomDataset = (tableId: string, expression: string): JsonObject => ({
    oid: `${tableId}-set`,
    type: 'extract',
    schema: {
      tables: [
        {
          oid: tableId,
          id: tableId,
          name: tableId,
          type: 'custom',
          expression,
          columns: [
            { oid: `${tableId}-A`, id: 'A', name: 'A', type: 18 },
            { oid: `${tableId}-X`, id: 'X', name: 'X', type: 18, isCustom: true, expression: 'A' },
          ],
        },
      ],
    },
  });
  const model: JsonObject = {
    oid: 'model',
    title: 'Model',
    type: 'extract',
    datasets: [
      createCustomDataset('starred', 'SELECT * FROM T'),
      createCustomDataset('named', 'SELECT B AS A FROM T'),
    ],
  };
  const getProblem = (tableId: string, columnId: string) =>
    getRenameProblem(model, { tableId, columnId: `${tableId}-${columnId}`, newName: 'New' });
  expect(getProblem('starred', 'A')).toBe('star');
  expect(getProblem('starred', 'X')).toBeUndefined();
  expect(getProblem('named', 'A')).toBeUndefined();
});

const endpointOrder = ['tables.update', 'extractRules.update', 'viewpoints.update'];
