import { describe, expect, it } from 'vitest';
import { getColumnAccess } from '../../../src/security/effectiveAccess.ts';
import { getTableAccess, findIneffectiveColumns } from '../../../src/security/tableAccess.ts';
import type { Catalog } from '../../../src/sql/index.ts';
import { everything, nothing, only, rule } from './rules.ts';

const parseEnd = (text: string) => {
  const [table = '', column = ''] = text.split('.');
  return { table, column };
};
const createTable = (name: string, ...columns: readonly string[]) => ({
  name,
  columns: columns.map((each) => ({ name: each })),
});
const createRelation = (...ends: readonly string[]) => ({ columns: ends.map(parseEnd) });

const catalog: Catalog = {
  complete: true,
  tables: [
    createTable('Regions', 'Id', 'Region'),
    createTable('Stores', 'Id', 'Region Id', 'Store'),
    createTable('Sales', 'Store Id', 'Product Id'),
    createTable('Products', 'Id', 'Brand'),
    createTable('Alone', 'Id'),
  ],
  relations: [
    createRelation('Stores.Region Id', 'Regions.Id'),
    createRelation('Sales.Store Id', 'Stores.Id'),
    createRelation('Products.Id', 'Sales.Product Id'),
  ],
};
const anna = { userId: 'anna', groupIds: ['red', 'blue'] };

function describeAccess(rules: readonly unknown[], model = catalog): readonly string[] {
  return getTableAccess(getColumnAccess(rules, anna), model).map(({ table: name, verdict, restrictions }) =>
    [
      `${name}: ${verdict}`,
      ...restrictions.map(({ column, path }) =>
        [
          ...path.map(({ from, to }) => `${from.table}.${from.column}→${to.table}.${to.column}`),
          `${column.table}.${column.column}`,
        ].join(' '),
      ),
    ].join(' | '),
  );
}

describe('rules extend across linked tables (rest-api.md, "What the service does")', () => {
  const north = rule({ ...only('North'), column: 'Regions.Region' }, 'user:anna');

  it('returns the path to the restricting column', () => {
    expect(describeAccess([north])).toEqual([
      'Regions: some | Regions.Region',
      'Stores: some | Stores.Region Id→Regions.Id Regions.Region',
      'Sales: some | Sales.Store Id→Stores.Id Stores.Region Id→Regions.Id Regions.Region',
      'Products: some | Products.Id→Sales.Product Id Sales.Store Id→Stores.Id Stores.Region Id→Regions.Id Regions.Region',
      'Alone: all',
    ]);
  });

  it('combines columns with AND, nearest first', () => {
    const brand = rule({ ...only('Acme'), column: 'Products.Brand' }, 'group:red');
    const [, , sales] = describeAccess([north, brand]);
    expect(sales).toMatch(
      /^Sales: some \| Sales\.Product Id→Products\.Id Products\.Brand \| Sales\.Store Id/,
    );
  });

  it('leaves nothing of any linked table if one column allows nothing', () => {
    const uncertainRule = rule({ ...only('x'), column: 'Stores.Store' }, 'user:ben');
    expect(
      describeAccess([rule({ ...nothing, column: 'Products.Brand' }, 'default'), uncertainRule]).map(
        (line) => line.split(' |')[0],
      ),
    ).toEqual(['Regions: none', 'Stores: none', 'Sales: none', 'Products: none', 'Alone: all']);
    expect(describeAccess([uncertainRule])[0]).toMatch(/^Regions: ambiguous/);
  });

  it('ignores what restricts nothing: Everything, and names that do not exist', () => {
    const rules = [
      rule({ ...everything, column: 'Regions.Region' }, 'user:anna'),
      rule({ ...nothing, column: 'Regions.region' }, 'user:anna'),
      rule({ ...nothing, column: 'Shops.Id' }, 'user:anna'),
    ];
    expect(describeAccess(rules).every((line) => line.endsWith(': all'))).toBe(true);
    const findIneffective = (model: Catalog) => findIneffectiveColumns(getColumnAccess(rules, anna), model);
    expect(findIneffective(catalog)).toEqual([
      { table: 'Regions', column: 'region' },
      { table: 'Shops', column: 'Id' },
    ]);
    expect(findIneffective({ ...catalog, complete: false })).toEqual([]);
  });

  it('uses the shortest path around a cycle, and links all tables of a wide relation', () => {
    const cyclicCatalog = {
      ...catalog,
      relations: [...(catalog.relations ?? []), createRelation('Alone.Id', 'Regions.Id', 'Sales.Product Id')],
    };
    expect(describeAccess([north], cyclicCatalog).slice(2)).toEqual([
      'Sales: some | Sales.Product Id→Regions.Id Regions.Region',
      'Products: some | Products.Id→Sales.Product Id Sales.Product Id→Regions.Id Regions.Region',
      'Alone: some | Alone.Id→Regions.Id Regions.Region',
    ]);
  });

  it('shares one list of columns among linked tables, and finds a path through 2,000 of them', () => {
    const names = Array.from({ length: 2000 }, (_none, index) => `T${index}`);
    const chainCatalog: Catalog = {
      complete: true,
      tables: names.map((name) => createTable(name, 'Id', 'Next')),
      relations: names.slice(1).map((name, index) => createRelation(`T${index}.Next`, `${name}.Id`)),
    };
    const rules = names.map((name) => rule({ ...only('A'), column: `${name}.Id` }, 'user:anna'));
    const [first, ...others] = getTableAccess(getColumnAccess(rules, anna), chainCatalog);
    expect(first?.columns).toHaveLength(2000);
    expect(others.every(({ columns }) => columns === first?.columns)).toBe(true);
    const { restrictions = [] } = first ?? {};
    expect(restrictions.map(({ column }) => column.table)).toEqual(names);
    expect(restrictions.at(-1)?.path).toHaveLength(1999);
  });
});
