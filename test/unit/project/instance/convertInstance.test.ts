import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english, formatMessage } from '../../../../src/base/localize.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  parseLossless,
  stringify,
} from '../../../../src/base/json.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { describeNote } from '../../../../src/project/messages/pullTexts.ts';
import { readRecordedText } from '../../../support/recorded.ts';
import { randomModel } from '../randomModel.ts';

const empty: InstanceDocuments = {
  datamodels: [],
  cubeSets: [],
  viewpoints: [],
  customData: [],
  users: [],
  groups: [],
  numberedReferences: [],
};

const asObject = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});

const convertModel = (document: JsonObject, rules: readonly JsonObject[] = []) =>
  convertInstance({ ...empty, datamodels: [{ document, rules }] });

/** Collects the texts of all members with these names. */
function collectMemberTexts(value: JsonValue, names: readonly string[]): readonly string[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item) => collectMemberTexts(item, names));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        typeof member === 'string' && names.includes(name) ? [member] : collectMemberTexts(member, names),
      )
    : [];
}

const getContent = (result: ReturnType<typeof convertInstance>, key: Parameters<typeof formatItemKey>[0]) =>
  result.items.find((item) => formatItemKey(item.key) === formatItemKey(key))?.content;

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Reverses the lists whose order has no meaning. */
function reverseLists(value: JsonValue, listName = ''): JsonValue {
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => reverseLists(item));
    return ['datasets', 'tables', 'relations'].includes(listName) ? items.toReversed() : items;
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reverseLists(member, key)]))
    : value;
}

describe('the items of an instance', () => {
  it.each([
    [
      'response',
      readFileSync(join(import.meta.dirname, '../../../fixtures/real-datamodel.json'), 'utf8'),
      { relations: 3, broken: 0 },
    ],
    // The recording has been shortened: columns of two relations are not in it.
    ['export', readRecordedText('datamodel-extract-2026-export.json'), { relations: 1, broken: 2 }],
  ])('contain no identifier, time or secret of a recorded %s', (_title, text, expected) => {
    const document = asObject(parseLossless(text));
    const result = convertModel(document);
    const itemsText = stringify(result.items);
    const ids = [
      ...collectMemberTexts(document, [
        'oid',
        '_id',
        'vTag',
        'lastUpdated',
        'parameters',
        'fullname',
        'partyId',
      ]),
    ];
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => itemsText.includes(id))).toEqual([]);
    expect(result.items.filter(({ key }) => key.kind === 'table')).toHaveLength(4);
    expect(result.items.filter(({ key }) => key.kind === 'relation')).toHaveLength(expected.relations);
    expect(result.notes.reduce((sum, { count }) => sum + count, 0)).toBe(expected.broken);
    expect(result.conversionErrors).toEqual([]);
  });

  it('have no relation that has lost a column, but a note that names the ends that still exist', () => {
    const [orders, items] = [
      { oid: 't1', name: 'Orders', columns: [{ oid: 'c1', name: 'Id' }] },
      { oid: 't2', name: 'Items', columns: [{ oid: 'c2', name: 'Order' }] },
    ];
    const namelessTable = { oid: 't3', columns: [{ oid: 'c3', name: 'Order' }] };
    const createRelation = (oid: string, ...ends: readonly JsonObject[]) => ({
      oid,
      columns: [{ table: 't1', column: 'c1' }, ...ends],
    });
    const { items: convertedItems, notes } = convertModel({
      title: 'Retail',
      datasets: [{ oid: 'd1', name: 'Data', schema: { tables: [orders, items, namelessTable] } }],
      relations: [
        createRelation('r1', { table: 't2', column: 'c2' }),
        createRelation('r2', { table: 't2', column: 'deleted', isDropped: true }),
        createRelation('r3', { table: 'deleted', column: 'deleted too' }),
        createRelation('r4', { isDropped: true }, { table: 't2', column: 'c2' }),
        // What it links is not deleted, so the relation isn't either.
        createRelation('r5', { table: 't3', column: 'c3' }),
        createRelation('r6', {}),
      ],
    });
    expect(
      convertedItems.filter(({ key }) => key.kind === 'relation').map(({ key }) => formatItemKey(key)),
    ).toEqual(['relation/Retail/Items/Order/Orders/Id']);
    expect(notes.filter(({ kind }) => kind === 'relation')).toMatchObject([
      { code: 'broken-relation', count: 3, oids: [] },
      { code: 'nameless', count: 2, oids: ['r5', 'r6'] },
    ]);
    expect(notes.map((note) => describeNote(english, note))).toContain(
      'Retail: relations that have lost a column have no file, and count as deleted: Items.Order – Orders.Id – (deleted column), Orders.Id – (deleted column), Orders.Id – Items (deleted column). The instance keeps them, and builds might fail until they are deleted in the Connections view of the editor or by an apply that includes deletions of relations (--prune relations on the command line).',
    );
  });

  it('contain no identifier or secret of random models, wherever those are', () => {
    fc.assert(
      fc.property(randomModel, (document) => {
        const result = convertModel(document);
        const text = stringify(result.items);
        const ids = collectMemberTexts(document, ['oid', '_id', 'serverId']);
        expect([...ids, 'hunter2hunter2'].filter((id) => text.includes(id))).toEqual([]);
        expect(result.items.map(({ key }) => key.kind).toSorted()).toEqual([
          'columnExpression',
          'columnExpression',
          'datamodel',
          'dataset',
          'relation',
          'table',
          'table',
          'tableExpression',
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it('are the same whatever identifiers the instance has and in which order it lists things', () => {
    fc.assert(
      fc.property(randomModel, (document) => {
        const otherIds = stringify(document).replace(uuidPattern, (id) =>
          id.replace(/[0-9a-f]/g, (digit) => ((Number.parseInt(digit, 16) + 1) % 16).toString(16)),
        );
        const copy = reverseLists(parseLossless(otherIds));
        expect(stringify(convertModel(asObject(copy)).items)).toBe(stringify(convertModel(document).items));
      }),
      { numRuns: 100 },
    );
  });

  it('replace the identifier of a column by a reference, and keep those of the lock apart', () => {
    const [document = {}] = fc.sample(randomModel, { numRuns: 1, seed: 1 });
    const result = convertModel(document);
    const tables = result.items.filter(({ key }) => key.kind === 'table');
    const accumulatedTable = tables.find(({ content }) => stringify(content).includes('accumulativeConfig'));
    const table = asObject(accumulatedTable?.content ?? null);
    const firstColumn = (table['columns'] as readonly JsonObject[])[0];
    expect(table['buildBehavior']).toEqual({
      type: 'accumulativeSync',
      accumulativeConfig: { column: { $ref: { table: table['name'], column: firstColumn?.['name'] } } },
    });
    expect(result.identities.map(({ key }) => key.kind).toSorted()).toEqual([
      'datamodel',
      'dataset',
      'relation',
      'table',
      'table',
    ]);
  });
});

describe('equal names', () => {
  const createModel = (
    title: string,
    tables: readonly string[],
    columns: readonly string[] = [],
  ): JsonObject => ({
    oid: title,
    title,
    datasets: ['A', 'B'].map((dataset, index) => ({
      oid: dataset,
      name: dataset,
      schema: {
        tables: tables
          .filter((_table, position) => position % 2 === index)
          .map((table, position) => ({
            oid: `${dataset}${position}`,
            name: table,
            columns: columns.map((column, columnIndex) => ({
              oid: `${dataset}${columnIndex}`,
              name: column,
            })),
          })),
      },
    })),
  });

  it('of tables refuse their datamodel with the datasets of the tables, and do not affect other datamodels', () => {
    const result = convertInstance({
      ...empty,
      datamodels: [
        { document: createModel('Broken', ['Orders', 'Orders']), rules: [] },
        { document: createModel('Single', ['Orders', 'Staff', 'Orders']), rules: [] },
        { document: createModel('Good', ['Orders', 'orders']), rules: [] },
      ],
    });
    expect(result.conversionErrors.map(({ userMessage }) => formatMessage(english, userMessage))).toEqual([
      'The datamodel "Broken" has two tables named "Orders": in the datasets "A" and "B". Rename one of them on the instance.',
      'The datamodel "Single" has two tables named "Orders", both in the dataset "A". Rename one of them on the instance.',
    ]);
    expect(new Set(result.items.map(({ key }) => 'datamodel' in key && key.datamodel))).toEqual(
      new Set(['Good']),
    );
  });

  it('of columns, datamodels and viewpoints are refused', () => {
    const result = convertInstance({
      ...empty,
      datamodels: [
        { document: createModel('Broken', ['Orders'], ['Id', 'Id']), rules: [] },
        { document: createModel('Twin', []), rules: [] },
        { document: createModel('Twin', []), rules: [] },
      ],
      viewpoints: [
        { id: '1', name: 'V' },
        { id: '2', name: 'V' },
        { id: '3', name: 'W' },
      ],
    });
    expect(
      result.conversionErrors.map(({ userMessage }) => formatMessage(english, userMessage)).toSorted(),
    ).toEqual([
      'The instance has two datamodels named "Twin". Rename one of them on the instance.',
      'The instance has two viewpoints named "V". Rename one of them on the instance.',
      'The table "Orders" of the datamodel "Broken" has two columns named "Id". Rename one of them on the instance.',
    ]);
    expect(result.items.map(({ key }) => key)).toEqual([{ kind: 'viewpoint', viewpoint: 'W' }]);
  });
});

describe('rules', () => {
  const sales = '0b6df0a77f96d4b73c572389';
  const unknownUser = '62fece7410dea795ea567074';
  const extractRule = {
    _id: 'b8022157ef342c1db4e26fa7',
    server: 'LocalHost',
    elasticube: 'Retail',
    table: 'Regions',
    column: 'Region',
    datatype: 'text',
    members: ['South', 'North'],
    allMembers: null,
    exclusionary: false,
    shares: [
      { party: unknownUser, type: 'user' },
      { party: sales, type: 'group', partyName: 'Sales' },
    ],
  };
  const liveRule = {
    _id: 'b8022157ef342c1db4e26fa8',
    dataSourceId: 'b8022157ef342c1db4e26fa9',
    fullname: 'live:Retail',
    live: true,
    table: 'Regions',
    column: 'Region',
    datatype: 'text',
    members: ['North', 'South'],
    shares: [
      { partyId: sales, type: 'group', partyName: 'Sales' },
      { partyId: unknownUser, type: 'user' },
    ],
  };
  const key = { kind: 'rules', datamodel: 'Retail', table: 'Regions', column: 'Region' } as const;
  const retail = { oid: 'o', title: 'Retail' };

  it('of extract and live datamodels become the same item, with parties by name or number', () => {
    const extract = convertModel(retail, [extractRule]);
    expect(getContent(extract, key)).toEqual([
      {
        table: 'Regions',
        column: 'Region',
        datatype: 'text',
        members: ['North', 'South'],
        allMembers: null,
        shares: [
          { type: 'group', party: 'Sales' },
          { type: 'user', party: { bound: 1 } },
        ],
      },
    ]);
    expect(extract.numberedReferences).toEqual([{ number: 1, type: 'user', id: unknownUser }]);
    expect(getContent(convertModel(retail, [liveRule]), key)).toEqual(getContent(extract, key));
  });

  it('with all values list none, although an instance may return some, which it ignores', () => {
    const shares = [{ party: sales, type: 'group', partyName: 'Sales' }];
    const rule = { ...extractRule, allMembers: true, shares };
    expect(getContent(convertModel(retail, [rule]), key)).toEqual([
      {
        table: 'Regions',
        column: 'Region',
        datatype: 'text',
        members: [],
        allMembers: true,
        shares: [{ type: 'group', party: 'Sales' }],
      },
    ]);
  });

  it('keep the numbers of the lock, and name no party by a name that two have', () => {
    const numberedReferences = [{ number: 7, type: 'user', id: unknownUser }] as const;
    const groups = [
      { id: sales, name: 'Sales' },
      { id: '0b6df0a77f96d4b73c572390', name: 'Sales' },
    ];
    const result = convertInstance({
      ...empty,
      datamodels: [{ document: retail, rules: [extractRule] }],
      groups,
      numberedReferences,
    });
    expect(stringify(getContent(result, key))).toContain('"party":{"bound":7}');
    expect(result.numberedReferences).toEqual([
      ...numberedReferences,
      { number: 8, type: 'group', id: sales },
    ]);
  });
});

describe('undocumented members', () => {
  const ann = { id: '62fece7410dea795ea567074', name: 'ann', aliases: [] };
  const unknownId = '670000007ec973945343b6de';
  const undocumentedMembers = {
    tenantId: unknownId,
    owner: ann.id,
    createdBy: ann.id,
    lastChanged: '2025-02-11T09:47:00.000Z',
    reviewer: ann.id,
    source: unknownId,
    byUser: { [ann.id]: 1, [unknownId]: 2, other: 3 },
    note: 'Ours',
    weight: 7,
  };
  const cleanedMembers = {
    reviewer: { $ref: { user: 'ann' } },
    byUser: { other: 3 },
    note: 'Ours',
    weight: 7,
  };

  it('of rules and shares have no identifier, time, or owner', () => {
    const result = convertInstance({
      ...empty,
      users: [ann],
      datamodels: [
        {
          document: { oid: 'o', title: 'Retail' },
          rules: [
            {
              table: 'T',
              column: 'C',
              datatype: 'text',
              members: [unknownId],
              shares: [{ type: 'default', ...undocumentedMembers }],
              ...undocumentedMembers,
            },
          ],
        },
      ],
    });
    const key = { kind: 'rules', datamodel: 'Retail', table: 'T', column: 'C' } as const;
    expect(getContent(result, key)).toEqual([
      {
        table: 'T',
        column: 'C',
        datatype: 'text',
        // What a rule lists are values, whatever they look like.
        members: [unknownId],
        allMembers: null,
        shares: [{ type: 'default', ...cleanedMembers }],
        ...cleanedMembers,
      },
    ]);
  });

  it('of viewpoints have no identifier, time, or owner, either, but their columns are unchanged', () => {
    const columns = [{ table: 'T', column: 'C', filter: { members: [unknownId] }, owner: 'x' }];
    const result = convertInstance({
      ...empty,
      users: [ann],
      viewpoints: [
        {
          id: unknownId,
          name: 'V',
          description: null,
          ...undocumentedMembers,
          details: { datasource: { title: 'Retail' }, columns, ...undocumentedMembers },
          visibility: { apps: [], users: [], groups: [], enabled: null, ...undocumentedMembers },
        },
      ],
    });
    expect(result.items[0]?.content).toEqual({
      name: 'V',
      ...cleanedMembers,
      details: { datasource: { title: 'Retail' }, columns, ...cleanedMembers },
      visibility: { apps: [], users: [], groups: [], enabled: null, ...cleanedMembers },
    });
  });

  it('of datamodels have no identifier as a name', () => {
    const result = convertModel({
      oid: 'a0000000-0000-4000-8000-000000000001',
      title: 'Retail',
      settings: { 'a0000000-0000-4000-8000-000000000001': 1, [unknownId]: 2, other: 3 },
      datasets: [
        {
          name: 'D',
          connection: { parameters: { 'a0000000-0000-4000-8000-000000000001': 1, [unknownId]: 2 } },
        },
      ],
    });
    expect(getContent(result, { kind: 'datamodel', datamodel: 'Retail' })).toMatchObject({
      settings: { other: 3 },
    });
    // The names of settings are the user's own, unless they are known identifiers.
    expect(getContent(result, { kind: 'dataset', datamodel: 'Retail', dataset: 'D' })).toMatchObject({
      connection: { parameters: { [unknownId]: 2 } },
    });
  });
});

describe('a viewpoint', () => {
  it('has no identifiers, times, or addresses of an instance', () => {
    const user = { id: '62fece7410dea795ea567074', name: 'ann', aliases: ['ann@example.com'] };
    const result = convertInstance({
      ...empty,
      users: [user],
      viewpoints: [
        {
          id: '670000007ec973945343b6de',
          name: 'Revenue',
          tenantId: 'e9da86d351cf9a7642d8c501',
          createdBy: user.id,
          updatedAt: '2025-02-11T09:47:00.000Z',
          details: {
            datasource: {
              id: 'localhost_aRetail',
              title: 'Retail',
              fullname: 'LocalHost/Retail',
              modelType: 'external',
            },
            columns: [{ dim: '[Regions.Region]', filter: { members: ['x'] } }],
          },
          visibility: { apps: ['chat'], groups: ['Sales'], users: [user.id], enabled: true },
        },
      ],
    });
    expect(result.items[0]?.content).toEqual({
      name: 'Revenue',
      details: {
        datasource: { title: 'Retail', modelType: 'external' },
        columns: [{ dim: '[Regions.Region]', filter: { members: ['x'] } }],
      },
      visibility: { apps: ['chat'], groups: ['Sales'], users: ['ann'], enabled: true },
    });
  });
});
