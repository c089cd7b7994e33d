import { expect, test } from 'vitest';
import type { HistoryEntry, WriteState } from '../../../../src/changes/journal/entry.ts';
import { readStoppedDocuments } from '../../../../src/changes/journal/stoppedDocuments.ts';
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

test('are those of the writes that have failed, whose outcome is unknown, that are done, and that were not sent', async () => {
  expect(await readStoppedDocuments(history, request)).toMatchObject({
    failed: [{ action: 'update', kind: 'table', name: 'Stores' }],
    unresolved: [{ action: 'update', kind: 'table', name: 'Returns' }],
    written: [{ action: 'update', kind: 'table', name: 'Orders' }],
    remaining: [{ action: 'update', kind: 'table', name: 'Regions' }],
  });
});

test('what the process knows counts more than what it could record', async () => {
  const writes = [createDone(), createDone(), unknown, { state: 'waiting' } as const];
  expect(await readStoppedDocuments(history, { ...request, writeStates: writes })).toMatchObject({
    failed: [],
    unresolved: [{ name: 'Returns' }],
    written: [{ name: 'Orders' }, { name: 'Stores' }],
    remaining: [{ name: 'Regions' }],
  });
});

test('there are none if the journal is missing or cannot be read', async () => {
  const nothing = { failed: [], unresolved: [], written: [], remaining: [] };
  expect(await readStoppedDocuments({ readEntry: async () => undefined }, request)).toEqual(nothing);
  const unreadable = { readEntry: () => Promise.reject(new Error('EACCES')) };
  expect(await readStoppedDocuments(unreadable, request)).toEqual(nothing);
});
