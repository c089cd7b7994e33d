import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { getCubeFile } from '../../../src/sandbox/engine/files.ts';
import { queryAsParty } from '../../../src/sandbox/engine/partyQuery.ts';
import { getColumnAccess, toVerdict } from '../../../src/security/effectiveAccess.ts';
import { getTableAccess } from '../../../src/security/tableAccess.ts';
import type { Catalog } from '../../../src/sql/index.ts';
import {
  createBaseTable,
  EngineFolder,
  integerType,
  createModel,
  createRelation,
} from '../sandbox/engine/models.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { parties, ruleSets } from './ruleSets.ts';

type Row = Readonly<Record<string, string | number>>;

/**
 * Regions, their stores and the stores' sales, each linked to at least one row of another table; brands have no links.
 */
const regions = ['North', 'north', "O'Brien", '1', 'elsewhere'].map((name, id) => ({ id, name }));
const stores = Array.from({ length: 10 }, (_, id) => ({
  id,
  region: id % 5,
  name: id % 3 === 0 ? 'North' : `${id}`,
}));
const sales = Array.from({ length: 20 }, (_, id) => ({
  id,
  store: (id * 7) % 10,
  note: id % 2 === 0 ? '01' : 'null',
}));
const brands = [{ id: 0, name: 'North' }];
const rowsByTable: Readonly<Record<string, readonly Row[]>> = {
  Regions: regions,
  Stores: stores,
  Sales: sales,
  Brands: brands,
};
/** The linked tables, in the order of their links. */
const linkedTableNames = ['Regions', 'Stores', 'Sales'];

const catalog: Catalog = {
  complete: true,
  tables: Object.entries(rowsByTable).map(([name, [row = {}]]) => ({
    name,
    columns: Object.keys(row).map((column) => ({ name: column })),
  })),
  relations: [
    {
      columns: [
        { table: 'Stores', column: 'region' },
        { table: 'Regions', column: 'id' },
      ],
    },
    {
      columns: [
        { table: 'Sales', column: 'store' },
        { table: 'Stores', column: 'id' },
      ],
    },
  ],
};

async function buildFolder(): Promise<EngineFolder> {
  const folder = new EngineFolder();
  const tables = Object.entries(rowsByTable).map(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    const lines = rows.map((row) => columns.map((column) => `"${row[column]}"`).join(','));
    folder.writeCsv(name, columns.join(','), ...lines);
    return createBaseTable(
      name,
      columns.map((column) =>
        typeof rows[0]?.[column] === 'number' ? { name: column, type: integerType } : { name: column },
      ),
    );
  });
  const relations = [
    createRelation('Stores/region', 'Regions/id'),
    createRelation('Sales/store', 'Stores/id'),
  ];
  expect(await folder.build(createModel(tables, relations))).toMatchObject({ status: 'done' });
  return folder;
}

/** Every sale with its store and its region. */
const joinedRows: readonly Readonly<Record<string, Row | undefined>>[] = sales.map((sale) => {
  const store = stores[sale.store];
  return { Sales: sale, Stores: store, Regions: regions[store?.region ?? -1] };
});

function allows(verdict: ReturnType<typeof toVerdict>, value: unknown): boolean {
  switch (verdict.verdict) {
    case 'only':
      return verdict.values.includes(String(value));
    case 'except':
      return !verdict.values.includes(String(value));
    case 'none':
      return false;
    case 'all':
    case 'ambiguous':
      return true;
  }
}

const rules = ruleSets('Regions.name', 'Stores.name', 'Sales.note', 'Brands.name', 'Regions.nowhere');

test('rules show the same rows of linked tables as in the sandbox’s engine', async () => {
  using folder = await buildFolder();
  const file = getCubeFile(folder.path, 'model');
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom(...parties),
      fc.constantFrom('union', 'intersection'),
      (ruleSet, party, groups) => {
        const columns = getColumnAccess(ruleSet, party, { groups });
        for (const { table, verdict, restrictions } of getTableAccess(columns, catalog)) {
          const sql = `SELECT id FROM ${table} ORDER BY id`;
          const rows = queryAsParty({ cubeFile: file, rules: ruleSet, party, combination: groups, sql }).map(
            ({ id }) => id,
          );
          const isAllowed = (getRow: (name: string) => Row | undefined): boolean =>
            restrictions.every(({ column: { table: restrictingTable, column, access } }) =>
              allows(toVerdict(access), getRow(restrictingTable)?.[column]),
            );
          const expected = linkedTableNames.includes(table)
            ? joinedRows.filter((row) => isAllowed((name) => row[name])).map((row) => row[table]?.['id'])
            : (rowsByTable[table] ?? []).filter((row) => isAllowed(() => row)).map(({ id }) => id);
          expect(rows).toEqual([...new Set(expected)].sort((a, b) => Number(a) - Number(b)));
          if (verdict === 'all' || verdict === 'none') {
            expect(rows.length).toBe(verdict === 'all' ? rowsByTable[table]?.length : 0);
          }
        }
      },
    ),
    { numRuns: getPropertyRuns(60) },
  );
});
