import { expect, test } from 'vitest';
import { TreeMemory } from '../../../../src/features/explorer/treeMemory.ts';

function stored(initial?: unknown) {
  const storage = {
    value: initial,
    read: () => storage.value,
    write: (value: unknown) => {
      storage.value = JSON.parse(JSON.stringify(value));
    },
  };
  return storage;
}

test('what was opened, closed and selected is known in the next window, each once', () => {
  const storage = stored();
  const first = new TreeMemory(storage);
  expect(first.wasOpen('a')).toBeUndefined();
  first.toggled('a', true);
  first.toggled('b', false);
  first.select('c');
  expect(first.wasOpen('a')).toBeUndefined();
  const second = new TreeMemory(storage);
  expect([second.wasOpen('a'), second.wasOpen('b'), second.wasOpen('c')]).toEqual([true, false, undefined]);
  expect(second.wasOpen('a')).toBeUndefined();
  expect([second.wasSelected('a'), second.wasSelected('c'), second.wasSelected('c')]).toEqual([
    false,
    true,
    false,
  ]);
  expect(new TreeMemory(storage).wasOpen('a')).toBe(true);
});

test('what a person does in this window counts for more than what was left', () => {
  const storage = stored({ nodes: [['a', true]], selected: 'c' });
  const memory = new TreeMemory(storage);
  memory.toggled('a', false);
  memory.select('d');
  expect(memory.wasOpen('a')).toBeUndefined();
  expect(memory.wasSelected('c')).toBe(false);
  expect(storage.value).toEqual({ nodes: [['a', false]], selected: 'd' });
});

test('it does not grow for ever', () => {
  const storage = stored();
  const memory = new TreeMemory(storage);
  for (let node = 0; node < 600; node += 1) {
    memory.toggled(String(node), true);
  }
  memory.toggled('150', false);
  memory.toggled('new', true);
  const next = new TreeMemory(storage);
  expect((storage.value as { nodes: unknown[] }).nodes).toHaveLength(500);
  expect([next.wasOpen('99'), next.wasOpen('150'), next.wasOpen('new')]).toEqual([undefined, false, true]);
});

test.each([undefined, 7, { nodes: 'x' }, { nodes: [['a']] }])(
  'what cannot be read is as if nothing were remembered: %j',
  (value) => {
    const memory = new TreeMemory(stored(value));
    expect(memory.wasOpen('a')).toBeUndefined();
    expect(memory.wasSelected('a')).toBe(false);
  },
);
