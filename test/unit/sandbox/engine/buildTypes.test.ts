import type { JsonObject } from '../../../../src/base/json.ts';
import { describe, expect, it } from 'vitest';
import {
  createBaseTable,
  createCustomTable,
  dateType,
  EngineFolder,
  integerType,
  createModel,
} from './models.ts';

const createSales = (buildBehavior: JsonObject): JsonObject =>
  createBaseTable(
    'Sales',
    [
      { name: 'Id', type: integerType },
      { name: 'Day', type: dateType },
    ],
    { buildBehavior },
  );

const createAccumulatingSales = (config: JsonObject = {}): JsonObject =>
  createSales({
    type: 'accumulativeSync',
    accumulativeConfig: {
      column: 'Sales/Day',
      type: 'lastStored',
      lastDays: null,
      keepOnlyDays: null,
      ...config,
    },
  });

const header = 'Id,Day';
const firstRows = ['1,2026-01-01', '2,2026-01-05'];
const secondRows = ['20,2026-01-05', '3,2026-01-07'];

/** IDs after a full build of the first rows and a build by table of the second ones. */
async function readIdsAfter(table: JsonObject, options: object = {}): Promise<unknown[]> {
  using folder = new EngineFolder().writeCsv('Sales', header, ...firstRows);
  const document = createModel([table]);
  await folder.build(document);
  folder.writeCsv('Sales', header, ...secondRows);
  const outcome = await folder.build(document, 'by_table', { previous: document, ...options });
  expect(outcome).toMatchObject({ status: 'done' });
  return folder.queryRows('SELECT Id FROM Sales').flat();
}

describe('by_table (platform-facts.md, 2.4)', () => {
  it('sync replaces the rows', async () => {
    expect(await readIdsAfter(createSales({ type: 'sync', accumulativeConfig: null }))).toEqual([20, 3]);
  });

  it('ignoreIfExists keeps the rows while the definition is the same', async () => {
    expect(await readIdsAfter(createSales({ type: 'ignoreIfExists', accumulativeConfig: null }))).toEqual([
      1, 2,
    ]);
  });

  it('ignoreIfExists replaces the rows if the definition changed', async () => {
    const previous = createModel([createBaseTable('Sales', [{ name: 'Id', type: integerType }])]);
    expect(
      await readIdsAfter(createSales({ type: 'ignoreIfExists', accumulativeConfig: null }), { previous }),
    ).toEqual([20, 3]);
  });

  it('accumulativeSync without a column appends the rows', async () => {
    expect(await readIdsAfter(createSales({ type: 'accumulativeSync', accumulativeConfig: null }))).toEqual([
      1, 2, 20, 3,
    ]);
  });

  it('lastStored imports rows newer than the newest stored', async () => {
    expect(await readIdsAfter(createAccumulatingSales())).toEqual([1, 2, 3]);
  });

  it('lastDays re-imports the last days', async () => {
    expect(await readIdsAfter(createAccumulatingSales({ lastDays: 5 }))).toEqual([1, 20, 3]);
  });

  it('lastDays keeps the rows without a date', async () => {
    using folder = new EngineFolder().writeCsv('Sales', header, ...firstRows, '4,');
    const document = createModel([createAccumulatingSales({ lastDays: 5 })]);
    await folder.build(document);
    folder.writeCsv('Sales', header, ...secondRows);
    await folder.build(document, 'by_table', { previous: document });
    expect(folder.queryRows('SELECT Id FROM Sales').flat()).toEqual([1, 4, 20, 3]);
  });

  it('keepOnlyDays drops older rows', async () => {
    expect(await readIdsAfter(createAccumulatingSales({ keepOnlyDays: 5 }))).toEqual([2, 3]);
  });

  it('names the column oid that no longer exists', async () => {
    using folder = new EngineFolder().writeCsv('Sales', header, ...firstRows);
    const document = createModel([createAccumulatingSales({ column: 'gone' })]);
    await folder.build(document);
    expect(await folder.build(document, 'by_table', { previous: document })).toEqual({
      status: 'failed',
      table: 'Sales',
      message: 'accumulativeConfig: no such column: gone',
    });
  });

  it('imports everything the first time', async () => {
    using folder = new EngineFolder().writeCsv('Sales', header, ...firstRows);
    expect(await folder.build(createModel([createAccumulatingSales()]), 'by_table')).toMatchObject({
      rowCounts: { Sales: 2 },
    });
  });
});

describe('schema_changes', () => {
  const createTableA = (...more: readonly { name: string; expression?: string }[]): JsonObject =>
    createBaseTable('A', [{ name: 'Id', type: integerType }, ...more]);
  const tableB = createBaseTable('B', [
    { name: 'Id', type: integerType },
    { name: 'Plus', expression: '[Id] + Lookup([Top], [Id], 1, [One])' },
  ]);
  const tableC = createBaseTable('C', [{ name: 'Id', type: integerType }]);
  const top = createCustomTable('Top', 'SELECT max(Id) AS Id, 1 AS One FROM A');
  const fromC = createCustomTable('FromC', 'SELECT Id FROM C');

  function createFolder(value: number): EngineFolder {
    return new EngineFolder()
      .writeCsv('A', 'Id', `${value}`)
      .writeCsv('B', 'Id', `${value}`)
      .writeCsv('C', 'Id', `${value}`);
  }

  async function rebuildAndRead(next: JsonObject): Promise<readonly unknown[]> {
    using folder = createFolder(1);
    const document = createModel([createTableA(), tableB, tableC, top, fromC]);
    await folder.build(document);
    folder.writeCsv('A', 'Id', '100').writeCsv('B', 'Id', '100').writeCsv('C', 'Id', '100');
    expect(await folder.build(next, 'schema_changes', { previous: document })).toMatchObject({
      status: 'done',
    });
    return folder
      .queryRows('SELECT A.Id, Top.Id, B.Id, B.Plus, C.Id, FromC.Id FROM A, Top, B, C, FromC')
      .flat();
  }

  it('copies everything when nothing changed', async () => {
    expect(await rebuildAndRead(createModel([createTableA(), tableB, tableC, top, fromC]))).toEqual([
      1, 1, 1, 2, 1, 1,
    ]);
  });

  it('builds a changed table and the tables that depend on it, directly or indirectly', async () => {
    const changedTable = createTableA({ name: 'New', expression: '[Id] * 2' });
    expect(await rebuildAndRead(createModel([changedTable, tableB, tableC, top, fromC]))).toEqual([
      100, 100, 1, 101, 1, 1,
    ]);
  });

  it('builds only a changed custom table', async () => {
    const changedTable = createCustomTable('FromC', 'SELECT Id * 2 AS Id FROM C');
    expect(await rebuildAndRead(createModel([createTableA(), tableB, tableC, top, changedTable]))).toEqual([
      1, 1, 1, 2, 1, 2,
    ]);
  });

  it('fails if a removed table is still read', async () => {
    using folder = createFolder(1);
    const document = createModel([createTableA(), tableC, top, fromC]);
    await folder.build(document);
    expect(
      await folder.build(createModel([tableC, top, fromC]), 'schema_changes', { previous: document }),
    ).toEqual({
      status: 'failed',
      table: 'Top',
      message: 'no such table: A',
    });
  });

  it('is a full build if nothing was built before', async () => {
    using folder = createFolder(5);
    expect(await folder.build(createModel([createTableA(), top]), 'schema_changes')).toMatchObject({
      rowCounts: { A: 1, Top: 1 },
    });
  });
});
