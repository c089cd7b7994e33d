import { expect, test } from 'vitest';
import type { Write } from '../../../src/changes/model/operation.ts';
import { createRelationDeletionWrite } from '../../../src/changes/model/relationWrites.ts';
import { formatStepDocuments } from '../../../src/cli/writtenDocuments.ts';
import { createColumnRulesDeletionWrite } from '../../../src/changes/rules/ruleWrites.ts';
import { createDone, createEntry } from '../changes/journal/createEntry.ts';
import { createTableUpdateWrite } from '../../../src/changes/model/tableWrites.ts';

const names = new Map([
  ['d1', 'Retail'],
  ['t1', 'Customers'],
  ['c1', 'Id'],
]);
const createTable: Write = {
  endpoint: 'tables.create',
  params: { datamodelId: 'd1', datasetId: 's1' },
  body: { name: 'New', columns: [{ name: 'Key' }] },
};
const createRelation: Write = {
  endpoint: 'relations.create',
  params: { datamodelId: 'd1' },
  target: { kind: 'datamodel', datamodelId: 'd1' },
  body: {
    columns: [
      { table: 't1', column: 'c1' },
      { table: '', column: '' },
    ],
  },
  outputRefs: [
    { into: ['body', 'columns', 1, 'table'], write: 0, from: ['oid'] },
    { into: ['body', 'columns', 1, 'column'], write: 0, from: ['columns', 'Key', 'oid'] },
  ],
};

test('a relation is named by its ends, including those that the change itself creates', () => {
  const entry = createEntry([
    [createTable, { state: 'waiting' }],
    [createRelation, { state: 'waiting' }],
  ]);
  expect(formatStepDocuments(entry, names)).toEqual([
    'not done: create table New of Retail',
    'not done: create relation Customers.Id – New.Key of Retail',
  ]);
});

test('a deleted relation is named by the ends that it had', () => {
  const ref = { kind: 'relation', datamodelId: 'd1', relationId: 'r1' } as const;
  const columns = [
    { table: 't1', column: 'c1' },
    { table: 't1', column: 'c2' },
  ];
  const entry = createEntry([[createRelationDeletionWrite(ref), { state: 'done', path: '', ms: 0 }]], {
    before: [{ ref, document: { oid: 'r1', columns } }],
  });
  expect(formatStepDocuments(entry, names)).toEqual(['deleted relation Customers.Id – Customers of Retail']);
});

test('a relation of unknown tables has no name', () => {
  const entry = createEntry([[createRelation, { state: 'waiting' }]]);
  expect(formatStepDocuments(entry, new Map())).toEqual(['not done: create relation']);
});

test('deleted rules of a column are named by it, even if the rules themselves are unknown', () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const entry = createEntry([
    [createColumnRulesDeletionWrite(subject, 'Stores', 'Region'), { state: 'waiting' }],
  ]);
  expect(formatStepDocuments(entry, new Map())).toEqual([
    'not done: delete rules on Stores.Region of Retail',
  ]);
});

test('a document has its known name even if neither the change nor its response contains that name', () => {
  const keys = { datamodelId: 'd1', datasetId: 's1', tableId: 't1' };
  const entry = createEntry([
    [createTableUpdateWrite(keys, { description: 'x' }), createDone({ answer: { oid: 't1' } })],
  ]);
  expect(formatStepDocuments(entry, names)).toEqual(['changed table Customers of Retail']);
});
