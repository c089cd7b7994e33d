import { expect, test } from 'vitest';
import { createModelCatalog, mergeModelCatalogs } from '../../../src/catalog/modelCatalog.ts';
import { datamodelSchema } from '../../../src/contract/datamodel.ts';
import type { Catalog } from '../../../src/sql/language.ts';

const createJoinedColumn = (column: string) => ({ dataset: 'd', table: 't', column });

function createModel(changes: object = {}, table: object = {}) {
  return datamodelSchema.parse({
    oid: 'm',
    title: 'Retail',
    datasets: [
      {
        oid: 'd',
        schema: {
          tables: [
            {
              oid: 't1',
              id: 'orders.csv',
              name: 'Orders',
              columns: [
                { oid: 'c1', name: 'Order Id', type: 8, hidden: true },
                { oid: 'c2', id: 'x' },
              ],
              ...table,
            },
            { oid: 't2', id: 'customers.csv', columns: [{ oid: 'c3', name: 'Id', type: null }] },
            { oid: 't3', name: 'Value', type: 'custom', expression: 'SELECT 1 AS x' },
          ],
        },
      },
    ],
    relations: [{ oid: 'r', columns: [createJoinedColumn('c1'), createJoinedColumn('c3')] }],
    ...changes,
  });
}

test('a catalog has tables and columns by the names that SQL uses, and relations by name', () => {
  const catalog: Catalog = createModelCatalog(createModel());
  expect(catalog).toEqual({
    complete: true,
    tables: [
      { name: 'Orders', columns: [{ name: 'Order Id', type: 8, hidden: true }, { name: 'x' }] },
      { name: 'customers.csv', columns: [{ name: 'Id' }] },
      { name: 'Value', columns: [], open: true },
    ],
    relations: [
      {
        columns: [
          { table: 'Orders', column: 'Order Id' },
          { table: 'customers.csv', column: 'Id' },
        ],
      },
    ],
  });
});

test.each([
  ['a list entry without datasets', createModel({ datasets: undefined })],
  ['a dataset whose tables are not loaded', createModel({ datasets: [{ oid: 'd' }] })],
  [
    'a table whose transformed columns an export lists separately',
    createModel({}, { tupleTransformations: [{ type: 'add-column' }] }),
  ],
])('a catalog is incomplete: %s', (_name, datamodel) => {
  expect(createModelCatalog(datamodel).complete).toBe(false);
});

test('a custom table whose only columns are custom may have more columns', () => {
  const [, , table] = createModelCatalog(
    createModel({
      datasets: [
        {
          oid: 'd',
          schema: {
            tables: [
              { oid: 'a', columns: [{ name: 'x' }] },
              { oid: 'b', columns: [] },
              { oid: 'c', name: 'Value', type: 'custom', columns: [{ name: 'y', isCustom: true }] },
            ],
          },
        },
      ],
    }),
  ).tables;
  expect(table).toEqual({ name: 'Value', columns: [{ name: 'y' }], open: true });
});

test('a relation whose columns do not exist is omitted', () => {
  expect(
    createModelCatalog(
      createModel({
        relations: [{ oid: 'r', columns: [createJoinedColumn('c1'), createJoinedColumn('gone')] }],
      }),
    ).relations,
  ).toEqual([]);
  expect(createModelCatalog(createModel({ relations: undefined })).relations).toEqual([]);
});

test('merged names have each table and column once, with the type that they agree on', () => {
  const createColumns = (...names: readonly string[]) => names.map((name) => ({ name, type: 18 }));
  const firstCatalog = {
    complete: true,
    tables: [
      { name: 'Orders', columns: [{ name: 'Id', type: 8, hidden: true }, ...createColumns('Status')] },
      { name: 'Value', columns: [], open: true },
    ],
    relations: [{ columns: [{ table: 'Orders', column: 'Id' }] }],
  };
  const secondCatalog = {
    complete: true,
    tables: [
      { name: 'Orders', columns: createColumns('Id', 'Status', 'Channel') },
      { name: 'Value', columns: createColumns('Total') },
    ],
    relations: [],
  };
  expect(mergeModelCatalogs([firstCatalog, secondCatalog])).toEqual({
    complete: true,
    tables: [
      { name: 'Orders', columns: [{ name: 'Id' }, ...createColumns('Status', 'Channel')] },
      { name: 'Value', columns: createColumns('Total'), open: true },
    ],
    relations: [],
  });
  expect(mergeModelCatalogs([firstCatalog, { ...secondCatalog, complete: false }]).complete).toBe(false);
});
