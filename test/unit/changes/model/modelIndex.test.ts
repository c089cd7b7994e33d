import { describe, expect, test } from 'vitest';
import { ModelIndex } from '../../../../src/changes/model/modelIndex.ts';
import {
  createColumnSubject,
  createRelationSubject,
  createRulePlanSubject,
  createViewpointSubject,
  getPlanSubjectName,
  toPlannedRule,
} from '../../../../src/changes/model/planSubjects.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';
import { findCatalogUsages } from '../../../../src/sql/language.ts';

const model = datamodelSchema.parse({
  oid: 'm',
  title: 'Shop',
  datasets: [
    {
      oid: 'd1',
      name: 'Files',
      schema: {
        tables: [
          {
            oid: 't1',
            id: 'orders.csv',
            name: 'Orders',
            columns: [
              { oid: 'c1', id: 'id', name: 'Id', type: 8 },
              { id: 'total', name: 'Total', type: 40, hidden: true, expression: '[Id] * 2' },
              { oid: 'c3', id: 'empty', name: 'Empty', expression: '  ' },
            ],
          },
        ],
      },
    },
    {
      oid: 'd2',
      schema: {
        tables: [
          { oid: 't2', id: 'Top', name: 'Top', expression: { oid: 'e', expression: 'SELECT 1 AS One' } },
        ],
      },
    },
    { oid: 'd3', name: 'Empty' },
  ],
  relations: [{ oid: 'r', columns: [] }],
});
const index = new ModelIndex(model);

const describeReference = (reference: ReturnType<ModelIndex['findByName']>) =>
  reference && [reference.table.id, reference.column?.id];

describe('an index of a datamodel', () => {
  test('finds tables and columns by ID, or a column without an ID by its name', () => {
    expect(index.tables.map(({ id, name, dataset }) => [id, name, dataset.oid])).toEqual([
      ['t1', 'Orders', 'd1'],
      ['t2', 'Top', 'd2'],
    ]);
    expect(index.getTable('t1')?.name).toBe('Orders');
    expect(index.getTable('c1')).toBeUndefined();
    expect(index.getColumn('t1', 'c1')?.name).toBe('Id');
    expect(index.getColumn('t1', 'name:Total')?.name).toBe('Total');
    expect(index.getColumn('t2', 'c1')).toBeUndefined();
    expect(index.getColumn('t9', 'c1')).toBeUndefined();
  });

  test.each([
    ['Orders', undefined, ['t1', undefined]],
    ['Orders', 'Id', ['t1', 'c1']],
    ['orders', 'Id', undefined],
    ['Orders', 'id', undefined],
    ['Top', 'Id', undefined],
    ['Nothing', undefined, undefined],
  ])('finds %s and %s by their names, whose case matters', (table, column, expected) => {
    expect(describeReference(index.findByName(table, column))).toEqual(expected);
  });

  test('finds what the names in an expression refer to', () => {
    const total = index.getExpressions().find(({ column }) => column?.name === 'Total');
    const context = total && index.getContext(total);
    expect(context).toEqual({ kind: 'column', table: 'Orders', catalog: index.catalog });
    const usages = context === undefined ? [] : findCatalogUsages('[Id] + 1', context);
    expect(usages.map((usage) => describeReference(index.findByUsage(usage)))).toEqual([['t1', 'c1']]);
    const [usage] = usages;
    const { column: _column, ...tableUsage } = usage ?? { table: { name: '', columns: [] } };
    expect(describeReference(index.findByUsage(tableUsage))).toEqual(['t1', undefined]);
    expect(index.findByUsage({ table: { name: 'Orders', columns: [] } })).toBeUndefined();
  });

  test('lists the expressions of tables and columns, without empty ones', () => {
    expect(index.getExpressions().map(({ table, column, text }) => [table.name, column?.name, text])).toEqual(
      [
        ['Orders', 'Total', '[Id] * 2'],
        ['Top', undefined, 'SELECT 1 AS One'],
      ],
    );
    const [, top] = index.getExpressions();
    expect(top && index.getContext(top)).toEqual({ kind: 'table', catalog: index.catalog });
  });

  test('has the types of columns, and which are hidden, in its catalog', () => {
    expect(index.catalog.complete).toBe(true);
    expect(index.catalog.tables[0]?.columns).toEqual([
      { name: 'Id', type: 8, hidden: false },
      { name: 'Total', type: 40, hidden: true },
      { name: 'Empty', hidden: false },
    ]);
  });

  test('names the containers of a table and of a column, as far as they have a name', () => {
    const [orders, top] = index.tables;
    const column = orders?.columns[0];
    expect(orders && index.getContainerNames({ table: orders })).toEqual(['Shop', 'Files']);
    expect(orders && column && index.getContainerNames({ table: orders, column })).toEqual([
      'Shop',
      'Files',
      'Orders',
    ]);
    expect(top && index.getContainerNames({ table: top })).toEqual(['Shop']);
  });
});

describe('an item of a plan', () => {
  const ids = { datamodelId: 'm', datasetId: 'd1', tableId: 't1' };

  test('is a column, and leads to its table if the column has no ID', () => {
    const [id, total] = index.getTable('t1')?.columns ?? [];
    const within = ['Shop', 'Files', 'Orders'];
    expect(id && createColumnSubject(id, index)).toEqual({
      kind: 'column',
      name: 'Id',
      within,
      resource: { kind: 'column', ...ids, columnId: 'c1' },
    });
    expect(total && createColumnSubject(total, index)).toEqual({
      kind: 'column',
      name: 'Total',
      within,
      resource: { kind: 'table', ...ids },
    });
  });

  test('is a relation, with the names of the columns that are known', () => {
    const columns = ['c1', 'gone'].map((column) => ({ dataset: 'd1', table: 't1', column }));
    expect(createRelationSubject({ oid: 'r', columns }, index)).toEqual({
      kind: 'relation',
      name: 'Orders.Id = ?',
      within: ['Shop'],
      resource: { kind: 'relation', datamodelId: 'm', relationId: 'r' },
    });
    expect(createRelationSubject({ oid: 'r' }, index).name).toBe('');
  });

  test('is a rule, with the names of its parties as far as it or another rule has them', () => {
    const subject = { kind: 'live', title: 'Desk' } as const;
    const parseRule = (fields: object) =>
      extractRuleSchema.parse({ table: 'T', column: 'C', members: ['x'], allMembers: null, ...fields });
    const rule = parseRule({
      _id: 'r1',
      shares: [
        { type: 'user', party: 'u1', partyName: 'Ann' },
        { type: 'user', party: 'u2' },
        { type: 'group', party: 'u2' },
        { type: 'default' },
      ],
    });
    const names = new Map([
      ['user:u1', 'Other'],
      ['user:u2', 'Bob'],
    ]);
    const parties = [
      { type: 'user', name: 'Ann' },
      { type: 'user', name: 'Bob' },
      { type: 'group', name: 'u2' },
      { type: 'default', name: '' },
    ];
    expect(createRulePlanSubject(rule, subject, names)).toMatchObject({
      kind: 'rule',
      name: 'T.C',
      within: ['Desk'],
      resource: { kind: 'rule', subject, ruleId: 'r1' },
      rule: { parties },
    });
    expect(toPlannedRule(rule)?.parties.map(({ name }) => name)).toEqual(['Ann', 'u2', 'u2', '']);
    expect(createRulePlanSubject(parseRule({ shares: [] }), subject)).not.toHaveProperty('resource');
  });

  test('is a viewpoint, by its name or else its ID', () => {
    const resource = { kind: 'viewpoint', viewpointId: 'v' };
    expect(createViewpointSubject({ id: 'v', name: 'Sales' })).toEqual({
      kind: 'viewpoint',
      name: 'Sales',
      within: [],
      resource,
    });
    expect(createViewpointSubject({ id: 'v' }).name).toBe('v');
  });

  test.each([
    [{ name: 'N', title: 'T', id: 'i' }, 'N'],
    [{ title: 'T', id: 'i' }, 'T'],
    [{ id: 'i', oid: 'o' }, 'i'],
    [{ name: 7, title: 'T' }, ''],
    [{}, ''],
  ])('of %j is called "%s"', (document, name) => {
    expect(getPlanSubjectName(document)).toBe(name);
  });
});
