import { expect, test } from 'vitest';
import { PersistedTreeState } from '../../../../src/features/explorer/treeState.ts';

function createStorage(initial?: unknown) {
  const storage = {
    value: initial,
    read: () => storage.value,
    write: (value: unknown) => {
      storage.value = JSON.parse(JSON.stringify(value));
    },
  };
  return storage;
}

test('expanded, collapsed and selected nodes are restored in the next window, each once', () => {
  const storage = createStorage();
  const firstWindow = new PersistedTreeState(storage);
  expect(firstWindow.takeExpanded('a')).toBeUndefined();
  firstWindow.setExpanded('a', true);
  firstWindow.setExpanded('b', false);
  firstWindow.setSelected('c');
  expect(firstWindow.takeExpanded('a')).toBeUndefined();
  const secondWindow = new PersistedTreeState(storage);
  expect([
    secondWindow.takeExpanded('a'),
    secondWindow.takeExpanded('b'),
    secondWindow.takeExpanded('c'),
  ]).toEqual([true, false, undefined]);
  expect(secondWindow.takeExpanded('a')).toBeUndefined();
  expect([
    secondWindow.takeSelected('a'),
    secondWindow.takeSelected('c'),
    secondWindow.takeSelected('c'),
  ]).toEqual([false, true, false]);
  expect(new PersistedTreeState(storage).takeExpanded('a')).toBe(true);
});

test('actions in this window take precedence over the stored state', () => {
  const storage = createStorage({ nodes: [['a', true]], selected: 'c' });
  const treeState = new PersistedTreeState(storage);
  treeState.setExpanded('a', false);
  treeState.setSelected('d');
  expect(treeState.takeExpanded('a')).toBeUndefined();
  expect(treeState.takeSelected('c')).toBe(false);
  expect(storage.value).toEqual({ nodes: [['a', false]], selected: 'd' });
});

test('a node that was collapsed in the last window counts as collapsed until the user expands it', () => {
  const treeState = new PersistedTreeState(
    createStorage({
      nodes: [
        ['a', false],
        ['b', true],
      ],
    }),
  );
  treeState.takeExpanded('a');
  expect(['a', 'b', 'c'].map((id) => treeState.isCollapsed(id))).toEqual([true, false, false]);
  treeState.setExpanded('a', true);
  treeState.setExpanded('b', false);
  expect(['a', 'b', 'c'].map((id) => treeState.isCollapsed(id))).toEqual([false, true, false]);
});

test('only the 500 nodes that changed last are stored', () => {
  const storage = createStorage();
  const treeState = new PersistedTreeState(storage);
  for (let node = 0; node < 600; node += 1) {
    treeState.setExpanded(String(node), true);
  }
  // Nodes 100 and later are still stored. Node 100 would be dropped next, but changes now.
  treeState.setExpanded('100', false);
  treeState.setExpanded('new', true);
  const nextWindow = new PersistedTreeState(storage);
  expect((storage.value as { nodes: unknown[] }).nodes).toHaveLength(500);
  expect(['100', '101', '102', 'new'].map((id) => nextWindow.takeExpanded(id))).toEqual([
    false,
    undefined,
    true,
    true,
  ]);
});

test.each([undefined, 7, { nodes: 'x' }, { nodes: [['a']] }])(
  'an invalid stored state is ignored: %j',
  (value) => {
    const treeState = new PersistedTreeState(createStorage(value));
    expect(treeState.takeExpanded('a')).toBeUndefined();
    expect(treeState.takeSelected('a')).toBe(false);
  },
);
