import { expect, test } from 'vitest';
import type { HistoryEntry, WriteState } from '../../../../src/changes/journal/entry.ts';
import { readStoppedDocuments } from '../../../../src/changes/journal/stoppedDocuments.ts';
import {
  createCustomDataDeletionWrite,
  createObjectUpdateWrite,
} from '../../../../src/changes/model/customDataWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
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

test('rules that are written in part are neither written nor not written', async () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const rules = ['Split', 'Partly', 'Done', 'Kept'].flatMap((column, index) => [
    { table: 'Orders', column, members: ['x'], shares: [{ type: 'default' }], _id: `${index}` },
  ]);
  const update = (index: number): Write => ({
    endpoint: 'extractRules.update',
    params: { ruleId: `${index}` },
    target: { kind: 'rule', subject, ruleId: `${index}` },
    body: { ...rules[index], members: ['y'] },
  });
  const add: Write = {
    endpoint: 'extractRules.create',
    params: {},
    target: { kind: 'rules', subject },
    body: [{ table: 'Orders', column: 'Split', members: ['z'], shares: [{ type: 'user', party: 'u' }] }],
    batch: {},
  };
  const writes = [update(0), update(1), update(2), add, update(3)];
  const waiting: WriteState = { state: 'waiting' };
  const rulesEntry: HistoryEntry = {
    ...entry,
    operation: { ...entry.operation, writes },
    before: [{ ref: { kind: 'rules', subject }, document: rules }],
    writeStates: [createDone(), { ...failed, partly: true }, createDone(), waiting, waiting],
  };
  const stopped = await readStoppedDocuments({ readEntry: async () => rulesEntry }, request);
  expect(
    Object.fromEntries(
      Object.entries(stopped).map(([list, documents]) => [
        list,
        (documents as typeof stopped.written).map(({ name }) => name),
      ]),
    ),
  ).toEqual({
    failed: ['Orders.Partly'],
    unresolved: [],
    written: ['Orders.Done'],
    partial: ['Orders.Partly', 'Orders.Split'],
    remaining: ['Orders.Kept'],
  });
});

test('items of a new datamodel have its title, and changes of what is created have its name', async () => {
  const datamodelId = { into: ['params', 'datamodelId'], write: 0, from: ['oid'] } as const;
  const datasetId = { into: ['params', 'datasetId'], write: 1, from: ['oid'] } as const;
  const tableId = { into: ['params', 'tableId'], write: 2, from: ['oid'] } as const;
  const writes: readonly Write[] = [
    { endpoint: 'datamodels.create', params: {}, body: { title: 'Copy' } },
    { endpoint: 'datasets.create', params: {}, body: { name: 'Main' }, outputRefs: [datamodelId] },
    { endpoint: 'tables.create', params: {}, body: { name: 'Shops' }, outputRefs: [datamodelId, datasetId] },
    {
      endpoint: 'tables.update',
      params: {},
      body: { hidden: true },
      outputRefs: [datamodelId, datasetId, tableId],
    },
  ];
  const describe = async (states: readonly WriteState[]) => {
    const newEntry = { ...stoppedEntry, operation: { ...entry.operation, writes }, writeStates: states };
    const { written, remaining } = await readStoppedDocuments({ readEntry: async () => newEntry }, request);
    const format = (documents: typeof written) =>
      documents.map(({ action, kind, name, containerTitle }) =>
        [action, kind, name, containerTitle].join(' '),
      );
    return { written: format(written), remaining: format(remaining) };
  };
  const waiting: WriteState = { state: 'waiting' };
  const created = ['create datamodel Copy ', 'create dataset Main Copy', 'create table Shops Copy'] as const;
  expect(await describe([waiting, waiting, waiting, waiting])).toEqual({ written: [], remaining: created });
  const answers = ['Copy', 'Main', 'Shops'].map((name) =>
    createDone({ answer: { oid: `id of ${name}`, name } }),
  );
  expect(await describe([...answers, waiting])).toEqual({
    written: created,
    remaining: ['update table Shops Copy'],
  });
});

test('custom data has the name of the project', async () => {
  const writes = [
    { ...createObjectUpdateWrite('1', { title: 'New' }), name: 'Notes' },
    { ...createCustomDataDeletionWrite({ _id: '2' }), name: 'Terms' },
  ];
  const customDataEntry = {
    ...stoppedEntry,
    operation: { ...entry.operation, writes },
    writeStates: writes.map((): WriteState => ({ state: 'waiting' })),
  };
  const { remaining } = await readStoppedDocuments({ readEntry: async () => customDataEntry }, request);
  expect(remaining).toMatchObject([
    { action: 'update', kind: 'customDataObject', name: 'Notes' },
    { action: 'delete', kind: 'customDataObject', name: 'Terms' },
  ]);
});

test('no documents are listed if the journal is missing or cannot be read', async () => {
  const nothing = { failed: [], unresolved: [], written: [], partial: [], remaining: [] };
  expect(await readStoppedDocuments({ readEntry: async () => undefined }, request)).toEqual(nothing);
  const unreadable = { readEntry: () => Promise.reject(new Error('EACCES')) };
  expect(await readStoppedDocuments(unreadable, request)).toEqual(nothing);
});
