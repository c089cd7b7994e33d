import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { readRenameState } from '../../../../../src/changes/plan/readRenameState.ts';
import {
  planRename,
  planSavedRenames,
  type RenamePlan,
} from '../../../../../src/changes/plan/rename/planRename.ts';
import { findRenames } from '../../../../../src/changes/model/tableRenames.ts';
import { runApproved } from '../../journal/runApproved.ts';
import {
  ChangeFixture,
  getColumns,
  createOperation,
  createTableRef,
  createTableUpdate,
} from '../../run/support.ts';

const createColumn = (oid: string, fields: JsonObject = {}): JsonObject => ({
  oid,
  id: oid,
  name: oid,
  type: 18,
  ...fields,
});
const createDataset = (oid: string, type: string, table: JsonObject): JsonObject => ({
  oid: `${oid} dataset`,
  type: 'extract',
  schema: { tables: [{ oid, id: oid, name: oid, type, ...table }] },
});

/** A table `T` with the columns A, B and X, which is A in SQL, and a custom table `Q` that selects A. */
const createModel = (
  columnSql: JsonObject[string] = 'A',
  tableSql: JsonObject[string] = 'SELECT A AS Q1 FROM T',
): JsonObject => ({
  oid: 'model',
  title: 'Model',
  type: 'extract',
  datasets: [
    createDataset('T', 'base', {
      columns: [
        createColumn('A'),
        createColumn('B'),
        createColumn('X', { isCustom: true, expression: columnSql }),
      ],
    }),
    createDataset('Q', 'custom', { columns: [createColumn('Q1'), createColumn('Q2')], expression: tableSql }),
  ],
});
const getTable = (model: JsonObject, oid: string): JsonObject =>
  (model['datasets'] as readonly JsonObject[])
    .flatMap(({ schema }) => (schema as JsonObject)['tables'] as readonly JsonObject[])
    .find((table) => table['oid'] === oid) ?? {};

/** Plans a save of a table. */
function planSave(model: JsonObject, tableId: string, body: JsonObject): RenamePlan {
  const write = {
    endpoint: 'tables.update',
    params: { datamodelId: 'model', datasetId: `${tableId} dataset`, tableId },
    body,
  } as const;
  const renames = findRenames(write, getTable(model, tableId));
  return planSavedRenames({ model, rules: [], viewpoints: [] }, createOperation([write]), { renames });
}
const getBodies = ({ operation: { writes } }: RenamePlan) => writes.map(({ body }) => body as JsonObject);
const renameColumn = (columns: readonly JsonObject[], oid: string, name: string) =>
  columns.map((each) => (each['oid'] === oid ? { ...each, name } : each));

describe('a rename', () => {
  test.each([
    ['text', (sql: string) => sql],
    ['an object with an oid', (sql: string) => ({ oid: 'sql', expression: sql })],
  ] as const)('keeps the form of the SQL: %s', (_form, createSql) => {
    const model = createModel(createSql('A'), createSql('SELECT A AS Q1 FROM T'));
    const [table, query] = getBodies(
      planRename(
        { model, rules: [], viewpoints: [] },
        { tableId: 'T', columnId: 'A', newName: 'New' },
        { connectionId: 'c1' },
      ),
    );
    expect(getColumns(table ?? {}).map(({ name, expression }) => [name, expression])).toEqual([
      ['New', undefined],
      ['B', undefined],
      ['X', createSql('New')],
    ]);
    expect(query).toEqual({ expression: createSql('SELECT New AS Q1 FROM T') });
  });

  test('of a datamodel that does not exist has no state', async () => {
    using fixture = new ChangeFixture();
    expect(await readRenameState(fixture.client, '00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });
});

describe('a save that renames a column', () => {
  const model = createModel();
  const tableColumns = getColumns(getTable(model, 'T'));
  const queryColumns = getColumns(getTable(model, 'Q'));

  test('of a base table updates the SQL in it, and then that of others', () => {
    const columns = renameColumn(tableColumns, 'A', 'New');
    const plan = planSave(model, 'T', { columns });
    expect(getBodies(plan)).toEqual([
      { columns },
      { columns: columns.map((each) => (each['oid'] === 'X' ? { ...each, expression: 'New' } : each)) },
      { expression: 'SELECT New AS Q1 FROM T' },
    ]);
    expect(plan.references.map(({ referrerKind }) => referrerKind)).toEqual([
      'columnExpression',
      'tableExpression',
    ]);
  });

  test('keeps the SQL of a column that the same save changes', () => {
    const columns = renameColumn(tableColumns, 'A', 'New').map((each) =>
      each['oid'] === 'X' ? { ...each, expression: 'B' } : each,
    );
    const plan = planSave(model, 'T', { columns });
    expect(getBodies(plan)).toEqual([{ columns }, { expression: 'SELECT New AS Q1 FROM T' }]);
    expect(plan.references.map(({ referrerKind }) => referrerKind)).toEqual(['tableExpression']);
  });

  test('and adds another one sends its columns only once, so that none is added twice', () => {
    const { oid: _oid, ...added } = createColumn('C');
    const columns = [...renameColumn(tableColumns, 'A', 'New'), added];
    const plan = planSave(model, 'T', { columns });
    expect(getBodies(plan)).toEqual([{ columns }, { expression: 'SELECT New AS Q1 FROM T' }]);
    expect(plan.references.map(({ referrerKind }) => referrerKind)).toEqual(['tableExpression']);
  });

  test('of a custom table changes its query, unless the save changes the query itself', () => {
    const columns = renameColumn(queryColumns, 'Q1', 'New');
    expect(getBodies(planSave(model, 'Q', { columns }))).toEqual([
      { columns },
      { expression: 'SELECT A AS New FROM T' },
    ]);
    const bodyWithOldQuery = { columns, expression: { expression: 'SELECT A AS Q1 FROM T' } };
    expect(getBodies(planSave(model, 'Q', bodyWithOldQuery))).toEqual([
      bodyWithOldQuery,
      { expression: 'SELECT A AS New FROM T' },
    ]);
    const bodyWithNewQuery = { columns, expression: 'SELECT B AS New FROM T' };
    expect(getBodies(planSave(model, 'Q', bodyWithNewQuery))).toEqual([bodyWithNewQuery]);
  });

  test('lists the SQL of other tables in which the new name would refer to something else', async () => {
    using fixture = new ChangeFixture();
    const sql =
      'SELECT 1 AS [One] FROM [Orders] o WHERE EXISTS (SELECT 1 FROM [Stores] o WHERE [Status] = [Channel])';
    const { writer } = fixture.open();
    await runApproved(
      writer,
      createOperation([createTableUpdate('Customer Value', { expression: { expression: sql } })]),
    );
    const orders = await fixture.readObject(createTableRef('Orders'));
    const columns = getColumns(orders).map((each) =>
      each['name'] === 'Status' ? { ...each, name: 'Store' } : each,
    );
    const write = createTableUpdate('Orders', { columns });
    const state = await readRenameState(fixture.client, createTableRef('Orders').datamodelId);
    const renames = findRenames(write, orders);
    const saved = state && planSavedRenames(state, createOperation([write]), { renames }).operation;
    const { plan } = await writer.plan(saved ?? createOperation([]));
    expect(plan.breaks).toMatchObject([
      { referrer: { name: 'Customer Value' }, reason: 'captured', capturedBy: 'Stores.Store' },
    ]);
  });
});
