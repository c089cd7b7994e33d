import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../../src/contract/rule.ts';
import { getRelatedTables } from '../../../../src/webviews/diagramLayout/diagramModel.ts';
import { createDiagramModel } from '../../../../src/webviews/diagramLayout/createDiagramModel.ts';
import { findMatches } from '../../../../src/webviews/diagramLayout/search.ts';
import {
  getBoxSize,
  canExpand,
  boxMetrics,
  getRowCenter,
  getVisibleColumns,
} from '../../../../src/webviews/diagramLayout/boxMetrics.ts';
import { createDatamodel, createModel } from './support.ts';

const retail = ['Orders: Id, Note, Store Id, Day', 'Stores: Name, Id', 'Days: Day', 'Empty'] as const;
const joins = ['Orders.Store Id = Stores.Id', 'Orders.Day = Days.Day'] as const;

describe('the diagram of a datamodel', () => {
  test('columns used by relations come first', () => {
    const [orders] = createModel(retail, joins).tables;
    expect(orders?.columns.map(({ name, isInRelation: isKey }) => [name, isKey])).toEqual([
      ['Store Id', true],
      ['Day', true],
      ['Id', false],
      ['Note', false],
    ]);
  });

  test('a relation without its tables is counted, one without its column is drawn at its table', () => {
    const model = createModel(retail, [...joins, 'Orders.Id = Gone.Id', 'Stores.Gone = Days.Day']);
    expect(model.undrawnRelationCount).toBe(1);
    expect(model.relations.at(-1)?.ends).toEqual([
      { table: 't:Stores' },
      { table: 't:Days', column: 'c:Days.Day' },
    ]);
  });

  test('custom, hidden and secured columns are distinguished; the names in rules are case sensitive', () => {
    const datamodel = createDatamodel(['Orders: Status, status']);
    const [table] = datamodel.datasets?.[0]?.schema?.tables ?? [];
    Object.assign(table ?? {}, { type: 'custom', hidden: true });
    Object.assign(table?.columns?.[1] ?? {}, { isCustom: true, hidden: true });
    const rules = [{ table: 'Orders', column: 'Status' }] as unknown as readonly Rule[];
    expect(createDiagramModel(datamodel, rules).tables).toMatchObject([
      {
        isCustom: true,
        isHidden: true,
        isSecured: true,
        columns: [
          { name: 'Status', isSecured: true, isCustom: false, isHidden: false, type: 'Text' },
          { name: 'status', isSecured: false, isCustom: true, isHidden: true },
        ],
      },
    ]);
  });

  test('missing and duplicate items in a response are tolerated', () => {
    const emptyDatamodel = { oid: 'model', title: 'Model' };
    expect(createDiagramModel(emptyDatamodel)).toEqual({
      tables: [],
      relations: [],
      undrawnRelationCount: 0,
    });
    const nulls = {
      ...emptyDatamodel,
      datasets: [
        { oid: 'source', schema: null },
        { oid: 'other', schema: { tables: null } },
      ],
    };
    expect(createDiagramModel({ ...nulls, relations: null }).tables).toEqual([]);
    const duplicatedTable = {
      oid: 't',
      name: 'T',
      columns: [{ name: 'A' }, { oid: 'a' }, { oid: 'a', name: 'Again' }, {}],
    };
    const [table, ...others] = createDiagramModel({
      ...emptyDatamodel,
      datasets: [{ oid: 'source', schema: { tables: [duplicatedTable, duplicatedTable] } }],
      relations: [{ oid: 'r', columns: null }],
    }).tables;
    expect(others).toEqual([]);
    expect(table?.columns.map(({ id, canRelate }) => [id, canRelate])).toEqual([
      ['#0', false],
      ['a', true],
      ['#3', false],
    ]);
  });

  test('related tables are those at the other ends of relations', () => {
    const { relations } = createModel(retail, [...joins, 'Orders.Id = Orders.Note']);
    expect(
      Object.fromEntries([...getRelatedTables(relations)].map(([id, others]) => [id, [...others]])),
    ).toEqual({
      't:Orders': ['t:Stores', 't:Days'],
      't:Stores': ['t:Orders'],
      't:Days': ['t:Orders'],
    });
  });
});

describe('a box', () => {
  const [orders, , , empty] = createModel(retail, joins).tables;
  if (orders === undefined || empty === undefined) {
    throw new Error('The model has its tables');
  }
  const box = { x: 0, y: 100, ...getBoxSize(orders, false) };

  test('shows its keys, and all columns when it is expanded', () => {
    expect(getVisibleColumns(orders, false).map(({ name }) => name)).toEqual(['Store Id', 'Day']);
    expect(getVisibleColumns(orders, true)).toHaveLength(4);
    expect(canExpand(orders)).toBe(true);
    expect(canExpand(empty)).toBe(false);
  });

  test('has the same width when expanded, and a maximum width', () => {
    expect(getBoxSize(orders, true).width).toBe(box.width);
    expect(getBoxSize(orders, true).height).toBe(box.height + 2 * boxMetrics.row);
    const [long] = createModel([`${'x'.repeat(5000)}: A`]).tables;
    expect(long && getBoxSize(long, false).width).toBe(320);
  });

  test('returns the position of a column: its row, the footer if it is not shown, or the header if it does not exist', () => {
    const getOffset = (column: string | undefined): number =>
      getRowCenter(orders, false, box, column) - box.y;
    expect(getOffset('c:Orders.Day')).toBe(boxMetrics.header + 1.5 * boxMetrics.row);
    expect(getOffset('c:Orders.Note')).toBe(boxMetrics.header + 2 * boxMetrics.row + boxMetrics.footer / 2);
    expect(getOffset(undefined)).toBe(boxMetrics.header / 2);
  });
});

describe('search', () => {
  const model = createModel(retail, joins);
  const findIds = (query: string): readonly string[] =>
    findMatches(model, query).map(({ table, column }) => column ?? table);

  test('finds tables before columns, whatever the letter case', () => {
    expect(findIds('day')).toEqual(['t:Days', 'c:Orders.Day', 'c:Days.Day']);
    expect(findIds('ORDERS')).toEqual(['t:Orders']);
  });

  test('finds a column of a table by both names, and nothing for an empty query', () => {
    expect(findIds('orders.st')).toEqual(['c:Orders.Store Id']);
    expect(findIds('  ')).toEqual([]);
    expect(findIds('nowhere')).toEqual([]);
  });
});
