import { describe, expect, test } from 'vitest';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import type { RestoredId } from '../../../../src/changes/model/undoWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createTableUpdateWrite } from '../../../../src/changes/model/tableWrites.ts';
import { createViewpointCreationWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { findNameConflicts } from '../../../../src/changes/run/nameConflicts.ts';
import { ChangeFixture, createOperation, createTableRef, getIds } from './support.ts';

const { tableId: _tableId, ...dataset } = getIds(createTableRef('Stores'));
const createTable = (name: string, fields: Partial<Write> = {}): Write => ({
  endpoint: 'tables.create',
  params: dataset,
  body: { name, type: 'custom' },
  ...fields,
});
const createModel = (title: string): Write => ({
  endpoint: 'datamodels.create',
  params: {},
  body: { title },
});
const createRestoredId = (old: string, write = 0): RestoredId => ({ old, write, from: ['oid'] });

async function findConflicts(
  writes: readonly Write[],
  restoredIds: readonly RestoredId[],
  names: Readonly<Record<string, string>> = {},
) {
  using fixture = new ChangeFixture();
  const conflicts = await findNameConflicts(
    { operation: createOperation(writes, 'undo'), restoredIds, losses: [], expectedVersions: [] },
    { names: new Map(Object.entries(names)), reader: new DocumentReader(fixture.client) },
  );
  return conflicts.map(({ id, kind, name, newName, isInvalid }) => [
    kind,
    id,
    name,
    newName,
    ...(isInvalid ? ['invalid'] : []),
  ]);
}

describe('the name of a restored item is in use', () => {
  test('by a table of its datamodel, whatever the case of its letters', async () => {
    expect(await findConflicts([createTable('STORES')], [createRestoredId('t')])).toEqual([
      ['table', 't', 'STORES', 'STORES 2'],
    ]);
  });

  test('by a table of another dataset', async () => {
    expect(await findConflicts([createTable('Orders')], [createRestoredId('t')])).toEqual([
      ['table', 't', 'Orders', 'Orders 2'],
    ]);
  });

  test('by another datamodel', async () => {
    expect(await findConflicts([createModel('Retail')], [createRestoredId('m')])).toEqual([
      ['datamodel', 'm', 'Retail', 'Retail 2'],
    ]);
  });

  test('by another viewpoint', async () => {
    using fixture = new ChangeFixture();
    const [viewpoint] = (await fixture.client.viewpoints.list({ limit: 1 })).value.viewpoints;
    const name = viewpoint?.name ?? '';
    const write = createViewpointCreationWrite({ name, description: '' });
    expect(await findConflicts([write], [{ ...createRestoredId('v'), from: ['id'] }])).toEqual([
      ['viewpoint', 'v', name, `${name} 2`],
    ]);
  });

  test('by another table, if a table gets its name back', async () => {
    const { kind: _kind, ...ids } = createTableRef('Orders');
    expect(await findConflicts([createTableUpdateWrite(ids, { name: 'Stores' })], [])).toEqual([
      ['table', ids.tableId, 'Stores', 'Stores 2'],
    ]);
  });

  test('and so is the proposed name, so that the next one is proposed', async () => {
    using fixture = new ChangeFixture();
    const reader = new DocumentReader(fixture.client);
    for (const title of ['Retail 2', 'Retail 3']) {
      await fixture.client.datamodels.create({ title, type: 'live' });
    }
    const [conflict] = await findNameConflicts(
      {
        operation: createOperation([createModel('Retail')], 'undo'),
        restoredIds: [createRestoredId('m')],
        losses: [],
        expectedVersions: [],
      },
      { names: new Map(), reader },
    );
    expect(conflict?.newName).toBe('Retail 4');
  });
});

describe('whether the name of a restored item is in use:', () => {
  const ownIds = getIds(createTableRef('Stores'));
  const inNewDataset: Write['outputRefs'] = [{ into: ['params', 'datasetId'], write: 0, from: ['oid'] }];
  const inNewDatamodel: Write['outputRefs'] = [{ into: ['params', 'datamodelId'], write: 0, from: ['oid'] }];
  const withNewColumn: Write['outputRefs'] = [
    { into: ['body', 'columns', 0, 'oid'], write: 0, from: ['oid'] },
  ];
  test.each<readonly [string, Write, readonly RestoredId[], number]>([
    ['by no item', createTable('Nothing'), [createRestoredId('t')], 0],
    ['by an item that is created, not restored', createTable('Stores'), [], 0],
    [
      'by an item of which only a part is restored',
      createTable('Stores'),
      [{ ...createRestoredId('t'), from: ['columns', 'A'] }],
      0,
    ],
    ['by an item that another write restores', createTable('Stores'), [createRestoredId('t', 1)], 0],
    [
      'in a datamodel that is restored with it',
      createTable('Stores', { outputRefs: [...inNewDataset, ...inNewDatamodel] }),
      [createRestoredId('t')],
      0,
    ],
    [
      'in a dataset that is restored with it: the datamodel has other tables',
      createTable('Stores', { outputRefs: inNewDataset }),
      [createRestoredId('t')],
      1,
    ],
    [
      'in a dataset that exists',
      createTable('Stores', { outputRefs: withNewColumn }),
      [createRestoredId('t')],
      1,
    ],
    ['by the table itself', { endpoint: 'tables.update', params: ownIds, body: { name: 'Stores' } }, [], 0],
    ['if no name is sent', { endpoint: 'tables.update', params: ownIds, body: { hidden: true } }, [], 0],
    [
      'by a rule',
      { endpoint: 'extractRules.create', params: {}, body: { name: 'Stores' } },
      [createRestoredId('t')],
      0,
    ],
  ])('%s', async (_text, write, restoredIds, count) => {
    expect(await findConflicts([write], restoredIds)).toHaveLength(count);
  });
});

describe('a name that the user has chosen', () => {
  test.each([
    ['New', []],
    ['  ', ['invalid']],
    ['', ['invalid']],
    ['orders', ['invalid']],
  ])('"%s" is used unless it is empty or in use', async (newName, problems) => {
    expect(
      await findConflicts([createTable('Stores')], [createRestoredId('t')], { t: newName, other: 'Other' }),
    ).toEqual([['table', 't', 'Stores', newName, ...problems]]);
  });
});
