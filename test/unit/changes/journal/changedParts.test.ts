import { expect, test } from 'vitest';
import { findChangedParts } from '../../../../src/changes/journal/changedParts.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createDone, createEntry } from './createEntry.ts';

const ids = { datamodelId: 'm', datasetId: 's' };
const createTableWrite = (tableId: string, body: NonNullable<Write['body']>): Write => ({
  endpoint: 'tables.update',
  params: { ...ids, tableId },
  target: { kind: 'table', ...ids, tableId },
  body,
});
const createTable = (oid: string, name: string): HistoryEntry['before'][number] => ({
  ref: { kind: 'table', ...ids, tableId: oid },
  document: {
    oid,
    name,
    description: 'Old',
    columns: [
      { oid: 'c1', name: 'Status', hidden: false },
      { oid: 'c2', name: 'Total', hidden: false },
    ],
  },
});
const createSave = (
  writes: readonly Write[],
  before: HistoryEntry['before'],
  subject = { name: 'Orders', within: ['Retail', 'Sales'] },
): HistoryEntry =>
  createEntry(
    writes.map((write) => [write, createDone()]),
    { before, operation: { subject } },
  );

test('the changed fields and columns of a table are named', async () => {
  const columns = [
    { oid: 'c1', name: 'Status', hidden: true },
    { name: 'New', type: 8 },
  ];
  const write = createTableWrite('t1', { description: 'New', columns });
  expect(await findChangedParts(createSave([write], [createTable('t1', 'Orders')]))).toEqual({
    documents: ['Orders'],
    names: ['description', 'Status', 'New', 'Total'],
    isComplete: true,
  });
});

test('the changed fields of a column are named if the change is of the column alone', async () => {
  const columns = [
    { oid: 'c1', name: 'Status', hidden: true },
    { oid: 'c2', name: 'Total', hidden: false },
  ];
  const save = createSave([createTableWrite('t1', { columns })], [createTable('t1', 'Orders')], {
    name: 'Status',
    within: ['Retail', 'Sales', 'Orders'],
  });
  expect((await findChangedParts(save)).names).toEqual(['hidden']);
});

test('a changed list in a viewpoint is named once, without the objects that contain it', async () => {
  const columns = [{ title: 'A' }, { title: 'B' }];
  const write: Write = {
    endpoint: 'viewpoints.update',
    params: { viewpointId: 'v' },
    target: { kind: 'viewpoint', viewpointId: 'v' },
    body: { details: { columns: [{ title: 'C' }, { title: 'D' }] }, visibility: { groups: ['g'] } },
  };
  const document = { id: 'v', name: 'Sales', details: { columns }, visibility: { groups: [] } };
  const save = createSave([write], [{ ref: { kind: 'viewpoint', viewpointId: 'v' }, document }]);
  expect((await findChangedParts(save)).names).toEqual(['columns', 'groups']);
});

test('several documents are named, each once and without the subject', async () => {
  const tables = [createTable('t1', 'Orders'), createTable('t2', 'Customers')];
  const writes = ['t1', 't2', 't2'].map((id) => createTableWrite(id, { description: 'New' }));
  expect(await findChangedParts(createSave(writes, tables))).toEqual({
    documents: ['Orders', 'Customers'],
    names: ['Customers'],
    isComplete: true,
  });
});

test('the columns of changed rules are named, unless the title has them', async () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const rule = { server: 'LocalHost', elasticube: 'Retail', table: 'Orders', column: 'Status', shares: [] };
  const write: Write = {
    endpoint: 'extractRules.create',
    params: { server: subject.server, elasticube: subject.elasticube },
    target: { kind: 'rules', subject },
    body: [rule],
  };
  expect((await findChangedParts(createSave([write], [], { name: 'Retail', within: [] }))).names).toEqual([
    'Orders.Status',
  ]);
  const titled = createSave([write], [], { name: 'Sales', within: ['Retail', 'Orders.Status'] });
  expect((await findChangedParts(titled)).names).toEqual([]);
});

test('only the first of many writes are described', async () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index);
  const tables = numbers.map((index) => createTable(`t${index}`, `Table ${index}`));
  const writes = numbers.map((index) => createTableWrite(`t${index}`, { description: 'New' }));
  const { names, isComplete } = await findChangedParts(createSave(writes, tables));
  expect(names).toHaveLength(20);
  expect(isComplete).toBe(false);
});
