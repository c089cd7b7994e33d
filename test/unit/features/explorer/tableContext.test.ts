import { expect, test } from 'vitest';
import { getTableContextValue, toPinnedTable } from '../../../../src/features/explorer/nodes/tableContext.ts';

test.each([
  [{}, {}, 'table.base'],
  [{ type: 'base' }, { isPinned: true }, 'table.base.pinned'],
  [{ type: 'custom' }, { isPinned: true }, 'table.custom.pinned'],
  [{ type: 'custom', hidden: true }, { isPinned: true }, 'table.custom.pinned.hidden'],
  [{ hidden: true }, {}, 'table.base.hidden'],
  [{ hidden: true }, { isPinned: true, isLive: true }, 'table.base.pinned.hidden.live'],
] as const)('a table %j with the state %j has the context value %s', (table, state, contextValue) => {
  expect(getTableContextValue(table, { isPinned: false, isLive: false, ...state })).toBe(contextValue);
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
