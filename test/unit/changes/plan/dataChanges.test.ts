import { describe, expect, test } from 'vitest';
import type { Write } from '../../../../src/changes/model/operation.ts';
import type { Snapshot } from '../../../../src/changes/model/snapshot.ts';
import { createDatasetUpdateWrite } from '../../../../src/changes/model/datasetWrites.ts';
import { findDataChanges } from '../../../../src/changes/plan/dataChanges.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';

type Column = Readonly<Record<string, unknown>>;
interface Tables {
  readonly [name: string]: { readonly sql?: string; readonly id?: string } & {
    readonly columns: readonly Column[];
  };
}

const column = (name: string, fields: Column = {}): Column => ({
  oid: name,
  id: name,
  name,
  type: 18,
  ...fields,
});
const custom = (name: string, expression: string): Column => column(name, { isCustom: true, expression });

/** `Orders` is linked to `Stores`, whose regions have rules; `Top` and `Free` are not linked to them. */
const tables = {
  Stores: { columns: [column('Key'), column('Area'), custom('Region', '[Area]')] },
  Orders: { columns: [column('Code'), custom('Store', '[Code]'), column('Note')] },
  Top: { sql: 'SELECT [Store] FROM [Orders]', columns: [column('Store')] },
  Free: { sql: 'SELECT [X] FROM [Lists]', columns: [column('X')] },
  Lists: { columns: [column('X'), custom('Y', '[X]')] },
} satisfies Tables;

const createModel = (content: Tables, renames: Readonly<Record<string, string>> = {}) =>
  datamodelSchema.parse({
    oid: 'm',
    title: 'Shop',
    server: 'LocalHost',
    datasets: [
      {
        oid: 'd',
        name: 'Files',
        schema: {
          tables: Object.entries(content).map(([name, { sql, id = name, columns }]) => ({
            oid: name,
            id,
            name: renames[name] ?? name,
            type: sql === undefined ? 'base' : 'custom',
            ...(sql === undefined ? {} : { expression: { expression: sql } }),
            columns: columns.map((fields) => ({ ...fields, oid: `${name}.${String(fields['oid'])}` })),
          })),
        },
      },
    ],
    relations: [
      {
        oid: 'r',
        columns: ['Stores.Key', 'Orders.Store'].map((oid) => ({
          dataset: 'd',
          table: oid.split('.')[0],
          column: oid,
        })),
      },
    ],
  });

const createRule = (allMembers: boolean) =>
  extractRuleSchema.parse({
    _id: 'r',
    table: 'Stores',
    column: 'Region',
    datatype: 'text',
    members: [],
    allMembers,
    shares: [{ type: 'default' }],
  });

/** Returns the changes, one line each. */
function find(
  changed: Partial<Tables>,
  {
    before = tables,
    rules = [createRule(false)],
    rulesAfter = rules,
    writes = [],
    renames = {},
    isCubeSet = false,
  }: {
    readonly before?: Tables;
    readonly rules?: NonNullable<Snapshot['rules']>[number]['rules'];
    readonly rulesAfter?: NonNullable<Snapshot['rules']>[number]['rules'];
    readonly writes?: readonly Write[];
    readonly renames?: Readonly<Record<string, string>>;
    readonly isCubeSet?: boolean;
  } = {},
): readonly string[] {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: isCubeSet ? 'Set' : 'Shop' } as const;
  const createState = (content: Tables, stateRules: typeof rules, names = {}): Snapshot => ({
    datamodels: [createModel(content, names)],
    rules: [{ subject, isCubeSet, rules: stateRules }],
    viewpoints: undefined,
  });
  return findDataChanges(
    createState(before, rules),
    createState({ ...before, ...changed } as Tables, rulesAfter, renames),
    writes,
  ).map(
    ({ kind, name, dependents, reads }) =>
      `${kind} ${name}: ${dependents.join()}${reads.map((read) => `<${read}`).join()}`,
  );
}

const stores = (region: string, fields: Column = {}) => ({
  Stores: { columns: [column('Key'), column('Area', fields), custom('Region', region)] },
});
const orders = (store: Column, code: Column = {}) => ({
  Orders: { columns: [column('Code', code), store, column('Note')] },
});

describe('a change', () => {
  test.each([
    ['the SQL of a column with rules', stores("'North'"), ['sql Stores.Region: Stores.Region']],
    [
      'the source of a column that a column with rules reads',
      stores('[Area]', { id: 'B' }),
      ['source Stores.Area: Stores.Region'],
    ],
    [
      'the type of a column that a column with rules reads',
      stores('[Area]', { type: 8 }),
      ['source Stores.Area: Stores.Region'],
    ],
    ['the SQL of a linking column', orders(custom('Store', "'1'")), ['sql Orders.Store: Orders.Store']],
    ['a linking column that loses its SQL', orders(column('Store')), ['sql Orders.Store: Orders.Store']],
    [
      'the source of a linking column',
      orders(custom('Store', '[Code]'), { id: 'B' }),
      ['source Orders.Code: Orders.Store'],
    ],
    [
      'the source of a table',
      { Stores: { ...tables.Stores, id: 'other.csv' } },
      ['source Stores: Stores.Region,Stores.Key'],
    ],
    [
      'SQL that reads a linked table into a table without restrictions',
      { Top: { sql: 'SELECT [Note] AS [Store] FROM [Orders]', columns: [column('Store')] } },
      ['sql Top: <Orders'],
    ],
    [
      'SQL that reads a table that reads a linked one',
      { Free: { sql: 'SELECT [Store] AS [X] FROM [Top]', columns: [column('X')] } },
      ['sql Free: <Orders'],
    ],
    [
      'SQL that reads nothing restricted',
      { Free: { sql: 'SELECT [Y] AS [X] FROM [Lists]', columns: [column('X')] } },
      [],
    ],
    [
      'a new column that reads a linked table into a table without restrictions',
      {
        Lists: { columns: [...tables.Lists.columns, custom('Z', 'Lookup([Orders], [Store], [Code], [X])')] },
      },
      ['new Lists.Z: <Orders'],
    ],
    [
      'new columns that read nothing restricted, or that are in a restricted table',
      {
        Lists: { columns: [...tables.Lists.columns, custom('Z', '[X]'), column('Code')] },
        Stores: { columns: [...tables.Stores.columns, custom('Z', '[Region]')] },
      },
      [],
    ],
    [
      'SQL whose names mean another column',
      {
        Stores: {
          columns: [
            column('Key'),
            column('Area', { name: 'Former Area' }),
            column('New', { name: 'Area' }),
            custom('Region', '[Area]'),
          ],
        },
      },
      ['names Stores.Region: Stores.Region'],
    ],
    [
      'the source of a column that another one of its name replaces',
      stores('[Area]', { oid: 'New', id: 'B' }),
      ['source Stores.Area: Stores.Region'],
    ],
    [
      'the SQL of a column with rules that another one of its name replaces',
      {
        Stores: {
          columns: [column('Key'), column('Area'), { ...custom('New', "'North'"), name: 'Region' }],
        },
      },
      ['sql Stores.Region: Stores.Region'],
    ],
    ['a name that SQL still contains, so that the SQL breaks', stores('[Area]', { name: 'Zone' }), []],
    ['a column that an equal one replaces', stores('[Area]', { oid: 'New' }), []],
    [
      'other columns',
      { Orders: { columns: [...tables.Orders.columns.slice(0, 2), column('Note', { id: 'B' })] } },
      [],
    ],
    ['a description', stores('[Area]', { description: 'Where', hidden: true }), []],
    [
      'a comment or spaces in SQL',
      {
        ...stores('[Area]  -- the region'),
        Top: { sql: '/* All */\nSELECT [Store]\n  FROM [Orders]', columns: [column('Store')] },
      },
      [],
    ],
    ['SQL next to a comment', stores("'North' -- the region"), ['sql Stores.Region: Stores.Region']],
    ['a text in SQL that looks like a comment', stores("'-- North'"), ['sql Stores.Region: Stores.Region']],
    ['nothing', {}, []],
  ] as const)('of %s is found if access to data depends on it', (_name, changed, expected) => {
    expect(find(changed as Partial<Tables>)).toEqual(expected);
    expect(find(changed as Partial<Tables>, { isCubeSet: true })).toEqual(expected);
    // Without rules, or with rules that restrict no one, everyone sees everything.
    expect(find(changed as Partial<Tables>, { rules: [] })).toEqual([]);
    expect(find(changed as Partial<Tables>, { rules: [createRule(true)] })).toEqual([]);
  });

  test('is found if the rules are new, or deleted', () => {
    const expected = ['sql Stores.Region: Stores.Region'];
    expect(find(stores("'North'"), { rules: [], rulesAfter: [createRule(false)] })).toEqual(expected);
    expect(find(stores("'North'"), { rulesAfter: [] })).toEqual(expected);
  });

  test('is not found if SQL only follows a rename', () => {
    const renamed = {
      ...stores('[Zone]', { name: 'Zone' }),
      Top: { sql: 'SELECT [Store] FROM [Sales]', columns: [column('Store')] },
    };
    expect(find(renamed, { renames: { Orders: 'Sales' } })).toEqual([]);
    const commented = { ...renamed, Top: { ...renamed.Top, sql: `${renamed.Top.sql} -- sales` } };
    expect(find(commented, { renames: { Orders: 'Sales' } })).toEqual([]);
  });

  test('is found if a name in SQL means another table after renames', () => {
    const before = { ...tables, Top: { ...tables.Free } };
    const changed = { Orders: { columns: [...tables.Orders.columns, column('X')] } };
    expect(find(changed, { before, renames: { Lists: 'Old Lists', Orders: 'Lists' } })).toEqual([
      'names Top: <Lists',
      'names Free: <Lists',
    ]);
  });

  test.each([
    ['SELECT [Shop] AS [Store] FROM [Orders]', false],
    ['SELECT [Shop] AS [Code] FROM [Orders]', true],
    ['SELECT [Shop] FROM [Orders]', false],
    ['SELECT [Note] AS [Store] FROM [Orders]', true],
  ])('is found after the rename of a column only if SQL does more than follow it: %s', (sql, isFound) => {
    const renamed = {
      Orders: { columns: [column('Code'), { ...custom('Store', '[Code]'), name: 'Shop' }, column('Note')] },
      Top: { sql, columns: [column('Store')] },
    };
    expect(find(renamed).length > 0).toBe(isFound);
  });

  test.each([
    ['SELECT * FROM [Lists]', ['sql Lists.Y: Stores.Region,Stores.Key']],
    ['SELECT [Y] FROM [Lists]', ['sql Lists.Y: Stores.Region,Stores.Key']],
    ['SELECT [X] FROM [Lists]', []],
  ])('of a column is found if restricted SQL reads that column: %s', (sql, expected) => {
    const before = { ...tables, Stores: { ...stores('[Area]').Stores, sql } };
    expect(find({ Lists: { columns: [column('X'), custom('Y', "'1'")] } }, { before })).toEqual(expected);
  });

  test('is found if the connection of a dataset changes', () => {
    const write = createDatasetUpdateWrite(
      { datamodelId: 'm', datasetId: 'd' },
      { connection: { provider: 'CSV' } },
    );
    expect(find({}, { writes: [write] })).toEqual(['source Files: Stores.Region,Stores.Key,Orders.Store']);
  });
});
