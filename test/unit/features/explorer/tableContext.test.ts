import { expect, test } from 'vitest';
import { getTableContextValue, toPinnedTable } from '../../../../src/features/explorer/nodes/tableContext.ts';

test.each([
  [{}, false, 'table.base'],
  [{ type: 'base' }, true, 'table.base.pinned'],
  [{ type: 'custom' }, true, 'table.custom.pinned'],
  [{ type: 'custom', hidden: true }, true, 'table.custom.pinned.hidden'],
  [{ hidden: true }, false, 'table.base.hidden'],
] as const)('%j, pinned: %s → %s', (table, isPinned, contextValue) => {
  expect(getTableContextValue(table, isPinned)).toBe(contextValue);
});

test('a pin stores what the node of its table shows', () => {
  expect(toPinnedTable({ oid: 't', name: 'Orders', type: 'custom', hidden: true }, 'd')).toEqual({
    datasetId: 'd',
    oid: 't',
    name: 'Orders',
    type: 'custom',
    hidden: true,
  });
  expect(toPinnedTable({ oid: 't', name: 'Orders', hidden: false }, 'd')).toEqual({
    datasetId: 'd',
    oid: 't',
    name: 'Orders',
  });
});
