import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  planRename,
  planSavedRenames,
  getRenameProblem,
  findRenames,
} from '../../../../src/changes/plan/rename/planRename.ts';
import type { Rename } from '../../../../src/changes/plan/rename/renameState.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { readRenameState } from '../../../../src/changes/plan/readRenameState.ts';
import { createWorld } from '../journal/world.ts';
import { apply } from '../journal/apply.ts';
import { Bench, columnsIn, connectionId, operation, tableRef, updateTable } from '../run/support.ts';

const modelId = createSeedOid('Retail');

async function getState(bench: Bench, datamodelId = modelId) {
  const state = await readRenameState(bench.client, datamodelId);
  if (state === undefined) {
    throw new Error('The datamodel is gone');
  }
  return state;
}

const column = (table: string, name: string, to: string): Rename => ({
  tableId: createSeedOid(`Retail/${table}`),
  columnId: createSeedOid(`Retail/${table}/${name}`),
  to,
});

/** Renames in the sandbox and checks that nothing breaks. */
async function rename(bench: Bench, wanted: Rename, leftOut: readonly string[] = []) {
  const { writer, history } = bench.open();
  const renaming = planRename(await getState(bench), wanted, { connectionId, leftOut: new Set(leftOut) });
  const { plan } = await writer.plan(renaming.operation);
  await apply(writer, renaming.operation);
  const [entry] = await history.readEntries(connectionId);
  return { ...renaming, plan, entry, writer };
}

describe('a rename', () => {
  test('of a column updates every expression, rule and viewpoint, breaks nothing, and is undone as one', async () => {
    using bench = new Bench();
    const before = await createWorld(bench);
    const {
      operation: renaming,
      plan,
      entry,
      writer,
    } = await rename(bench, column('Regions', 'Region', 'Area'));
    expect(plan.breaks).toEqual([]);
    expect(plan.severity).toBe('harmless');
    const endpoints = renaming.writes.map(({ endpoint }) => endpoint);
    expect(renaming.writes[0]).toMatchObject({ target: tableRef('Regions') });
    expect(endpoints).toEqual([...endpoints].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    const monthly = await bench.object(tableRef('Monthly Store Sales'));
    expect((monthly['expression'] as JsonObject)['expression']).toContain('r.[Area] AS [Region],');
    const rules = await bench.client.extractRules.list({ server: 'LocalHost', elasticube: 'Retail' });
    expect(
      rules.value.filter(({ table }) => table === 'Regions').every(({ column: name }) => name === 'Area'),
    ).toBe(true);
    const back = entry && (await writer.planUndo(entry));
    await apply(writer, back?.operation ?? operation([]), { expect: back?.expect });
    expect(await createWorld(bench)).toEqual(before);
  });

  test('of a table updates them too, and leaves one alone that shares a column name', async () => {
    using bench = new Bench();
    const { plan } = await rename(bench, { tableId: createSeedOid('Retail/Orders'), to: 'Sales Orders' });
    expect(plan.breaks).toEqual([]);
    const value = await bench.object(tableRef('Customer Value'));
    expect((value['expression'] as JsonObject)['expression']).toContain('LEFT JOIN [Sales Orders] o');
    const viewpoints = JSON.stringify(
      (await bench.client.viewpoints.list({ with: 'details', limit: 1000 })).value,
    );
    expect(viewpoints).not.toContain('"table":"Orders"');
    expect(viewpoints).not.toContain('[Orders.');
  });

  test("of a column that a custom table's query produces changes the query", async () => {
    using bench = new Bench();
    const { plan } = await rename(bench, column('Monthly Store Sales', 'Revenue', 'Turnover'));
    expect(plan.breaks).toEqual([]);
    const monthly = await bench.object(tableRef('Monthly Store Sales'));
    expect((monthly['expression'] as JsonObject)['expression']).toContain('m.[Revenue] AS [Turnover]');
    const ranking = await bench.object(tableRef('Store Ranking'));
    expect((ranking['expression'] as JsonObject)['expression']).toContain('WHERE [Turnover] > 0');
  });

  test('breaks exactly the references that the user deselected', async () => {
    using bench = new Bench();
    const wanted = column('Orders', 'Status', 'State');
    const { parts } = planRename(await getState(bench), wanted, { connectionId });
    const rule = parts.find(({ referrerKind }) => referrerKind === 'rule');
    const { plan } = await rename(bench, wanted, [rule?.key ?? '']);
    expect(plan.breaks.map(({ referrerKind }) => referrerKind)).toEqual(['rule']);
    expect(plan.breaks[0]?.referrer.resource).toEqual(rule?.subject.resource);
  });

  test('lists in its plan only the SQL in which the new name would refer to something else', async () => {
    using bench = new Bench();
    const sql =
      'SELECT 1 AS [One] FROM [Orders] o WHERE EXISTS (SELECT 1 FROM [Stores] o WHERE [Status] = [Channel])';
    const { writer } = bench.open();
    await apply(writer, operation([updateTable('Customer Value', { expression: { expression: sql } })]));
    const { operation: renaming } = planRename(await getState(bench), column('Orders', 'Status', 'Store'), {
      connectionId,
    });
    const { plan } = await writer.plan(renaming);
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
    using bench = new Bench();
    bench.sandbox.faults.set([{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }]);
    const state = await readRenameState(bench.client, modelId);
    expect(state?.viewpoints).toEqual([]);
    expect(state?.rules.length).toBeGreaterThan(0);
    bench.sandbox.faults.set([{ kind: 'status', status: 403, pathPrefix: '/api/v1/infusion' }]);
    await expect(readRenameState(bench.client, modelId)).rejects.toMatchObject({ status: 403 });
  });

  test('keeps the column names of custom tables, and their order, even in unions', async () => {
    using bench = new Bench();
    const sql = 'SELECT [Status] FROM [Orders] UNION SELECT [Store] FROM [Stores] ORDER BY [Status]';
    await apply(
      bench.open().writer,
      operation([updateTable('Customer Value', { expression: { expression: sql } })]),
    );
    const { plan } = await rename(bench, column('Orders', 'Status', 'State'));
    expect(plan.breaks).toEqual([]);
    const value = await bench.object(tableRef('Customer Value'));
    expect((value['expression'] as JsonObject)['expression']).toBe(
      'SELECT [State] AS [Status] FROM [Orders] UNION SELECT [Store] FROM [Stores] ORDER BY [Status]',
    );
  });

  test('of a live datamodel replaces each rule', async () => {
    using bench = new Bench();
    const wanted = {
      tableId: createSeedOid('Support Desk/Tickets'),
      columnId: createSeedOid('Support Desk/Tickets/Country'),
      to: 'Land',
    };
    const { writer } = bench.open();
    const { operation: renaming } = planRename(await getState(bench, createSeedOid('Support Desk')), wanted, {
      connectionId,
    });
    await apply(writer, renaming);
    const rules = (await bench.client.liveRules.list({ title: 'Support Desk' })).value;
    expect(rules.filter(({ table }) => table === 'Tickets').map(({ column: name }) => name)).toEqual([
      'Land',
      'Land',
      'Land',
    ]);
  });

  test('is rejected for a name that is empty, unchanged, taken, or produced by a star', async () => {
    using bench = new Bench();
    const { model } = await getState(bench);
    expect(getRenameProblem(model, column('Orders', 'Status', ' '))).toBe('empty');
    expect(getRenameProblem(model, column('Orders', 'Status', 'Status'))).toBe('same');
    expect(getRenameProblem(model, column('Orders', 'Status', 'channel'))).toBe('taken');
    expect(getRenameProblem(model, column('Orders', 'Gone', 'x'))).toBe('gone');
    expect(getRenameProblem(model, { tableId: createSeedOid('Retail/Orders'), to: 'STORES' })).toBe('taken');
    expect(getRenameProblem(model, column('Orders', 'Status', 'status'))).toBeUndefined();
  });
});

test('a saved table with the same oid and a new name is a rename: the references follow the payload', async () => {
  using bench = new Bench();
  const table = await bench.object(tableRef('Orders'));
  const columns = columnsIn(table).map((one) => (one['name'] === 'Channel' ? { ...one, name: 'Way' } : one));
  const saved = operation([updateTable('Orders', { columns })]);
  const [write] = saved.writes;
  const renames = write === undefined ? [] : findRenames(write, table);
  expect(renames).toEqual([column('Orders', 'Channel', 'Way')]);
  const whole = planSavedRenames(await getState(bench), saved, { renames });
  expect(whole.operation.writes[0]).toBe(write);
  expect((await bench.open().writer.plan(whole.operation)).plan.breaks).toEqual([]);
});

test('a save may swap names: each reference follows its own column', async () => {
  using bench = new Bench();
  const table = await bench.object(tableRef('Orders'));
  const swapped: Readonly<Record<string, string>> = { Channel: 'Status', Status: 'Channel' };
  const columns = columnsIn(table).map((one) => {
    const { name } = one;
    return typeof name === 'string' ? { ...one, name: swapped[name] ?? name } : one;
  });
  const saved = operation([updateTable('Orders', { columns })]);
  const [write] = saved.writes;
  const renames = write === undefined ? [] : findRenames(write, table);
  expect(renames).toHaveLength(2);
  const whole = planSavedRenames(await getState(bench), saved, { renames });
  await apply(bench.open().writer, whole.operation);
  const monthly = await bench.object(tableRef('Monthly Store Sales'));
  expect((monthly['expression'] as JsonObject)['expression']).toContain("WHERE o.[Channel] <> 'Cancelled'");
});

test('a swap of names leaves a column alone that is named like a temporary one', () => {
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
    { tableId: 'base-table', columnId: 'A', to: 'B' },
    { tableId: 'base-table', columnId: 'B', to: 'A' },
  ];
  const { operation: planned } = planSavedRenames({ model, rules: [], viewpoints: [] }, operation([]), {
    renames,
  });
  expect(planned.writes.map(({ body }) => (body as JsonObject)['expression'])).toEqual([
    'SELECT B AS x, A AS y, RenamedColumn0 AS z FROM T',
  ]);
});

const order = ['tables.update', 'extractRules.update', 'viewpoints.update'];
