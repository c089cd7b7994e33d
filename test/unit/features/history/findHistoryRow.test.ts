import { expect, test } from 'vitest';
import { findHistoryRow } from '../../../../src/features/history/findHistoryRow.ts';
import type { HistoryNode } from '../../../../src/features/history/historyTree.ts';

const createRow = (connectionId: string, entryId?: string): HistoryNode => ({
  id: `${connectionId}/${entryId ?? ''}`,
  connectionId,
  ...(entryId === undefined ? {} : { entryId }),
  createTreeItem: () => ({}),
});

const createTree = (rows: Readonly<Record<string, readonly HistoryNode[]>>) => ({
  getChildren: (row?: HistoryNode) => Promise.resolve([...(rows[row?.connectionId ?? ''] ?? [])]),
});

const find = async (tree: ReturnType<typeof createTree>, entryId?: string) =>
  (await findHistoryRow(tree, entryId === undefined ? undefined : { connectionId: 'a', entryId }))?.id;

test('the row of an entry is found at the top, or below its connection', async () => {
  const entries = [createRow('a', '1'), createRow('a', '2')];
  expect(await find(createTree({ '': entries }), '2')).toBe('a/2');
  const connections = createTree({
    '': [createRow('b'), createRow('a')],
    a: entries,
    b: [createRow('b', '3')],
  });
  expect(await find(connections, '2')).toBe('a/2');
});

test('without an entry, or if it is no longer there, the first row is found', async () => {
  const tree = createTree({ '': [createRow('a', '1'), createRow('a', '2')] });
  expect([await find(tree), await find(tree, '9')]).toEqual(['a/1', 'a/1']);
  expect([await find(createTree({})), await find(createTree({}), '9')]).toEqual([undefined, undefined]);
});
