import { expect, test } from 'vitest';
import { renameRestoredItems } from '../../../../src/changes/journal/renameRestored.ts';
import { createEntry } from './createEntry.ts';

const modelRef = { kind: 'datamodel', datamodelId: 'm' } as const;
const viewpointRef = { kind: 'viewpoint', viewpointId: 'v' } as const;
const entry = createEntry([], {
  before: [
    {
      ref: modelRef,
      document: {
        oid: 'm',
        title: 'Shop',
        datasets: [
          { oid: 'd', name: 'Files', schema: { tables: [{ oid: 't', name: 'Orders', columns: ['x'] }] } },
        ],
        server: null,
      },
    },
    { ref: viewpointRef, document: { id: 'v', name: 'Sales' } },
    { ref: { ...viewpointRef, viewpointId: 'new' } },
  ],
});

test('items are restored under the names that the user chose, wherever they are', () => {
  const names = new Map([
    ['m', 'Shop 2'],
    ['t', 'Orders 2'],
    ['v', 'Sales 2'],
    ['x', 'not an item'],
  ]);
  expect(renameRestoredItems(entry, names)).toEqual({
    ...entry,
    before: [
      {
        ref: modelRef,
        document: {
          oid: 'm',
          title: 'Shop 2',
          datasets: [
            { oid: 'd', name: 'Files', schema: { tables: [{ oid: 't', name: 'Orders 2', columns: ['x'] }] } },
          ],
          server: null,
        },
        formerTitle: 'Shop',
      },
      { ref: viewpointRef, document: { id: 'v', name: 'Sales 2' } },
      { ref: { ...viewpointRef, viewpointId: 'new' } },
    ],
  });
});

test('nothing is renamed without a new name', () => {
  expect(renameRestoredItems(entry, new Map())).toEqual(entry);
  expect(renameRestoredItems(entry, new Map([['other', 'Other']]))).toEqual(entry);
});
