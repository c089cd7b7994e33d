import { expect, test } from 'vitest';
import { convertDatamodel } from '../../../../src/project/instance/convertDatamodel.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import {
  createNotPulledCheck,
  createUnreadPartiesCheck,
} from '../../../../src/project/pull/notPulledItems.ts';
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
  const isHidden = createNotPulledCheck(
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

test('a relation that has lost a column does not count as hidden, because no pull can name it again', () => {
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
  expect(keys.map(createNotPulledCheck(lock, converted, []))).not.toContain(true);
});

test('if users cannot be read, only items that may refer to a user are unknown', () => {
  const person = '5f0000000000000000000001';
  const model = { oid: '5f0000000000000000000002', title: 'Sales', type: 'extract' };
  const dataset = { oid: '5f0000000000000000000003', name: 'Files', schema: { tables: [] } };
  const convert = (members: object, datasetMembers: object = {}) =>
    convertDatamodel(
      { ...model, ...members, datasets: [{ ...dataset, ...datasetMembers }] },
      { findReference: () => undefined, isIdentifier: () => false },
    );
  const findUnnamed = (converted: ReturnType<typeof convert>, kind: 'people' | 'viewpoints') =>
    converted.items
      .map(({ key }) => key)
      .filter(createUnreadPartiesCheck(converted, { unreadParts: [{ kind }] }))
      .map(({ kind: itemKind }) => itemKind);
  expect(findUnnamed(convert({ creator: person, base: model.oid, description: person }), 'people')).toEqual(
    [],
  );
  expect(findUnnamed(convert({ approver: person }), 'people')).toEqual(['datamodel']);
  expect(findUnnamed(convert({}, { note: `Ask ${person}` }), 'people')).toEqual(['dataset']);
  expect(findUnnamed(convert({ approver: person }), 'viewpoints')).toEqual([]);
});
