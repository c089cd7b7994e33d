import { expect, test } from 'vitest';
import { convertDatamodel } from '../../../../src/project/instance/convertDatamodel.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { createHiddenCheck } from '../../../../src/project/pull/hiddenItems.ts';
import type { Lock } from '../../../../src/project/pull/lock.ts';

const parts = new Map<string, string>();
const lock: Lock = {
  entries: new Map([
    ['datamodel/Retail', { oid: 'd1', parts }],
    ['table/Retail/Orders', { oid: 't1', parts }],
    ['datamodel/Gone', { oid: 'd2', parts }],
    ['relation/Sales/A/x/B/y', { oid: 'r1', parts }],
    ['viewpoint/Profit', { oid: 'v1', parts }],
    ['viewpoint/Loss', { oid: 'v2', parts }],
  ]),
  numberedReferences: [],
};

const keys: readonly ItemKey[] = [
  { kind: 'table', datamodel: 'Retail', table: 'Orders' },
  { kind: 'datamodel', datamodel: 'Gone' },
  {
    kind: 'relation',
    datamodel: 'Sales',
    columns: [
      { table: 'A', column: 'x' },
      { table: 'B', column: 'y' },
    ],
  },
  { kind: 'viewpoint', viewpoint: 'Profit' },
  { kind: 'viewpoint', viewpoint: 'Loss' },
];

test('an item that the instance still lists, but that was not pulled, counts as hidden and not as deleted', () => {
  const profitKey: ItemKey = { kind: 'viewpoint', viewpoint: 'Profit 2' };
  const isHidden = createHiddenCheck(
    lock,
    {
      // Renamed, and pulled under its new name.
      identities: [{ key: profitKey, oid: 'v1' }],
      notes: [{ code: 'equal-relations', kind: 'relation', parent: 'Sales', count: 1, oids: ['r1'] }],
    },
    ['d1', 'v1', 'v2'],
  );
  expect(keys.map(isHidden)).toEqual([true, false, true, false, true]);
});

test('a relation that has lost a column is not hidden: no pull can ever name it again', () => {
  const converted = convertDatamodel(
    {
      title: 'Sales',
      datasets: [{ schema: { tables: [{ oid: 't1', name: 'A', columns: [{ oid: 'c1', name: 'x' }] }] } }],
      relations: [
        {
          oid: 'r1',
          columns: [
            { table: 't1', column: 'c1' },
            { table: 't2', column: 'c2', isDropped: true },
          ],
        },
      ],
    },
    { findReference: () => undefined, isIdentifier: () => false },
  );
  expect(keys.map(createHiddenCheck(lock, converted, []))).not.toContain(true);
});
