import { expect, test } from 'vitest';
import type { HistoryEntry, WriteState } from '../../../../src/changes/journal/entry.ts';
import { readStoppedDocuments } from '../../../../src/changes/journal/stoppedDocuments.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { createOperation, createTableRef, createTableUpdate } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const failed: WriteState = { state: 'failed', path: '', ms: 0 };
const unknown: WriteState = { state: 'unknown', path: '', ms: 0 };
const tables = ['Orders', 'Stores', 'Returns', 'Regions'];
const entry = createEntry(
  tables.map((table, index) => [
    createTableUpdate(table, {}),
    [createDone(), failed, { state: 'sending' } as const][index] ?? { state: 'waiting' },
  ]),
  {
    operation: createOperation([]),
    before: tables.map((name) => ({
      ref: createTableRef(name),
      document: { oid: createTableRef(name).tableId, name },
    })),
  },
);
const stoppedEntry: HistoryEntry = {
  ...entry,
  operation: { ...entry.operation, writes: tables.map((table) => createTableUpdate(table, {})) },
};
const history = { readEntry: async () => stoppedEntry };
const request = { entryId: 'e', connectionId: 'c' };

test('the documents of a stopped operation are listed by whether their write failed, is unresolved, is done, or was not sent', async () => {
  expect(await readStoppedDocuments(history, request)).toMatchObject({
    failed: [{ action: 'update', kind: 'table', name: 'Stores' }],
    unresolved: [{ action: 'update', kind: 'table', name: 'Returns' }],
    written: [{ action: 'update', kind: 'table', name: 'Orders' }],
    remaining: [{ action: 'update', kind: 'table', name: 'Regions' }],
  });
});

test('the states that the process knows take precedence over those that it has recorded', async () => {
  const writes = [createDone(), createDone(), unknown, { state: 'waiting' } as const];
  expect(await readStoppedDocuments(history, { ...request, writeStates: writes })).toMatchObject({
    failed: [],
    unresolved: [{ name: 'Returns' }],
    written: [{ name: 'Orders' }, { name: 'Stores' }],
    remaining: [{ name: 'Regions' }],
  });
});

test('rules that are created or deleted on a column are distinguished from those that are changed', async () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const createRule = (column: string, id?: string) => ({
    table: 'Orders',
    column,
    members: ['x'],
    shares: [{ type: 'default' }],
    ...(id === undefined ? {} : { _id: id }),
  });
  const rules = [
    createRule('Kept', '1'),
    createRule('Swapped', '2'),
    createRule('Emptied', '3'),
    createRule('Halved', '4'),
    createRule('Halved', '5'),
    createRule('Cleared', '6'),
  ];
  const writes = [
    ...createRuleWrites(subject, {
      adds: [createRule('New'), createRule('Kept'), createRule('Swapped')],
      updates: [],
      deletes: [1, 2, 3].map((index) => ({ index, rule: rules[index] ?? {} })),
    }),
    {
      endpoint: 'extractRules.deleteByColumn',
      params: { server: 'LocalHost', elasticube: 'Retail', table: 'Orders', column: 'Cleared' },
      target: { kind: 'columnRules', subject, table: 'Orders', column: 'Cleared' },
    } as const,
  ];
  const rulesEntry: HistoryEntry = {
    ...entry,
    operation: { ...entry.operation, writes },
    before: [{ ref: { kind: 'rules', subject }, document: rules }],
    writeStates: writes.map(() => createDone()),
  };
  const { written } = await readStoppedDocuments({ readEntry: async () => rulesEntry }, request);
  expect(written.map(({ name, action }) => `${action} ${name}`).toSorted()).toEqual([
    'create Orders.New',
    'delete Orders.Cleared',
    'delete Orders.Emptied',
    'update Orders.Halved',
    'update Orders.Kept',
    'update Orders.Swapped',
  ]);
});

test('no documents are listed if the journal is missing or cannot be read', async () => {
  const nothing = { failed: [], unresolved: [], written: [], remaining: [] };
  expect(await readStoppedDocuments({ readEntry: async () => undefined }, request)).toEqual(nothing);
  const unreadable = { readEntry: () => Promise.reject(new Error('EACCES')) };
  expect(await readStoppedDocuments(unreadable, request)).toEqual(nothing);
});
