import { describe, expect, test } from 'vitest';
import { getViewpointColumns, readsFromSubject } from '../../../../src/changes/plan/viewpointColumns.ts';
import { getRulesOfDatamodel, isSameModel, withDocuments } from '../../../../src/changes/plan/applyWrites.ts';
import { Documents, type Snapshot } from '../../../../src/changes/model/snapshot.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { viewpointSchema } from '../../../../src/contract/viewpoint.ts';

const createViewpoint = (details: object) => viewpointSchema.parse({ id: 'v', name: 'V', details });

describe('the columns of a viewpoint', () => {
  const getNames = (columns: readonly object[]) =>
    getViewpointColumns(createViewpoint({ columns })).map(({ table, column }) => `${table} / ${column}`);

  test.each<readonly [string, readonly object[], readonly string[]]>([
    ['by table and column', [{ table: 'Orders', column: 'Id' }], ['Orders / Id']],
    ['by dimension', [{ dim: '[Orders.Id]' }], ['Orders / Id']],
    ['by dimension with spaces around it', [{ dim: ' [Orders.Id] ' }], ['Orders / Id']],
    ['by dimension of a date', [{ dim: '[Orders.Day (Calendar)]' }], ['Orders / Day']],
    ['by dimension with dots in its name', [{ dim: '[Orders.Id.Main]' }], ['Orders / Id.Main']],
    ['by table and column rather than by dimension', [{ table: 'A', column: 'B', dim: '[C.D]' }], ['A / B']],
    ['by dimension without a column', [{ table: 'A', column: '', dim: '[C.D]' }], ['C / D']],
    ['by dimension without a table', [{ table: '', column: 'B', dim: '[C.D]' }], ['C / D']],
    [
      'in filters and formulas, each once',
      [
        { table: 'A', column: 'B', filter: { by: { table: 'C', column: 'D' } } },
        { formula: 'x', context: { x: { dim: '[A.B]' }, y: { dim: '[E.F]' } } },
      ],
      ['A / B', 'C / D', 'E / F'],
    ],
    [
      'but not by what is no dimension',
      [{ dim: 'Orders.Id' }, { dim: '[.Id]' }, { dim: '[Orders]' }, { context: { x: { dim: 7 } } }],
      [],
    ],
  ])('%s', (_text, columns, expected) => {
    expect(getNames(columns).toSorted()).toEqual(expected);
  });

  test('are none without details', () => {
    expect(getViewpointColumns(viewpointSchema.parse({ id: 'v', name: 'V' }))).toEqual([]);
  });
});

describe('a viewpoint reads from', () => {
  const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
  const live = { kind: 'live', title: 'Shop' } as const;
  test.each([
    [{ title: 'Shop' }, extract, true],
    [{ title: 'Shop' }, live, true],
    [{ title: 'shop' }, extract, false],
    [{ title: 'Shop', fullname: '' }, extract, true],
    [{ title: 'Other', fullname: 'LocalHost/Shop' }, extract, true],
    [{ title: 'Shop', fullname: 'localhost/Shop' }, extract, true],
    [{ title: 'Shop', fullname: 'LocalHost/shop' }, extract, false],
    [{ title: 'Shop', fullname: 'Set/Shop' }, extract, false],
    [{ title: 'Shop', fullname: 'Shop' }, extract, true],
    [{ title: 'Shop', fullname: 'Other' }, extract, false],
    [{ title: 'Shop', fullname: 'live:Shop' }, extract, false],
    [{ title: 'Other', fullname: 'live:Shop' }, live, true],
    [{ title: 'Shop', fullname: 'live:Other' }, live, false],
    [{ title: 'Shop', fullname: 'LocalHost/Shop' }, live, false],
  ])('only the datamodel of its datasource: %j, for %j: %s', (datasource, subject, expected) => {
    expect(readsFromSubject(createViewpoint({ datasource, columns: [] }), subject)).toBe(expected);
  });

  test('nothing without details', () => {
    expect(readsFromSubject(viewpointSchema.parse({ id: 'v', name: 'V' }), extract)).toBe(false);
  });
});

describe('what is known of an instance', () => {
  const createModel = (title: string, type = 'extract') =>
    datamodelSchema.parse({
      oid: title,
      title,
      type,
      datasets: [
        {
          oid: 'd',
          schema: {
            tables: [
              { oid: 't', id: 't', name: 'Old' },
              { oid: 'u', id: 'u', name: 'Old' },
            ],
          },
        },
      ],
      relations: [],
    });
  const [shop, desk] = [createModel('Shop'), createModel('Desk', 'live')];
  const snapshot: Snapshot = { datamodels: [shop, desk], rules: undefined, viewpoints: undefined };
  const listTables = ({ datamodels }: Snapshot) =>
    datamodels.map(({ datasets }) =>
      (datasets ?? []).flatMap(({ schema }) => (schema?.tables ?? []).map(({ name }) => name)).join(),
    );
  const table = { kind: 'table', datamodelId: 'Shop', datasetId: 'd', tableId: 't' } as const;
  const modelRef = { kind: 'datamodel', datamodelId: 'Shop' } as const;
  const newTable = { oid: 't', id: 't', name: 'New' };
  const newModel = {
    oid: 'Shop',
    title: 'Shop',
    datasets: [{ oid: 'd', schema: { tables: [newTable] } }],
    relations: [],
  };

  test.each([
    ['a table that was read since', table, newTable, ['New,Old', 'Old,Old']],
    ['a table that is unreadable', table, 'gone', ['Old,Old', 'Old,Old']],
    ['a table that no longer exists', table, undefined, ['Old,Old', 'Old,Old']],
    ['a table of another dataset', { ...table, datasetId: 'e' }, newTable, ['Old,Old', 'Old,Old']],
    ['a whole datamodel that was read since', modelRef, newModel, ['New', 'Old,Old']],
    ['a datamodel without its relations', modelRef, { ...newModel, relations: null }, ['Old,Old', 'Old,Old']],
    ['a datamodel without its datasets', modelRef, { ...newModel, datasets: null }, ['Old,Old', 'Old,Old']],
    ['a viewpoint', { kind: 'viewpoint', viewpointId: 't' } as const, newTable, ['Old,Old', 'Old,Old']],
  ])('is updated only with a table or a complete datamodel: %s', (_text, ref, document, expected) => {
    expect(listTables(withDocuments(snapshot, new Documents([{ ref, document }])))).toEqual(expected);
  });

  test('has the rules of a datamodel, with those of cube sets for an extract datamodel', () => {
    const createRules = (elasticube: string, isCubeSet?: boolean) => ({
      subject: { kind: 'extract', server: 'LocalHost', elasticube } as const,
      rules: [],
      ...(isCubeSet === undefined ? {} : { isCubeSet }),
    });
    const deskRules = { subject: { kind: 'live', title: 'Desk' } as const, rules: [] };
    const [shopRules, otherRules, cubeSetRules] = [
      createRules('Shop', false),
      createRules('Other'),
      createRules('Shop 2', true),
    ];
    const state = { ...snapshot, rules: [shopRules, otherRules, cubeSetRules, deskRules] };
    expect(getRulesOfDatamodel(state, shop)).toEqual([shopRules, cubeSetRules]);
    expect(getRulesOfDatamodel(state, desk)).toEqual([deskRules]);
    expect(getRulesOfDatamodel(snapshot, shop)).toEqual([]);
  });

  test('has the same datamodel if nothing in it differs', () => {
    expect(isSameModel(shop, createModel('Shop'))).toBe(true);
    expect(isSameModel(shop, shop)).toBe(true);
    expect(isSameModel(undefined, undefined)).toBe(true);
    expect(isSameModel(shop, desk)).toBe(false);
    expect(isSameModel(shop, undefined)).toBe(false);
  });
});
