import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { CurrentConnection } from '../../../src/connections/currentConnection.ts';

const connection = (id: string, name = id): Connection => ({
  id,
  kind: 'remote',
  name,
  role: 'development',
  url: `https://${id}.example.test`,
});

function createCurrent(connections: readonly Connection[], remembered?: unknown) {
  let stored: unknown = connections;
  const storage = {
    read: () => stored,
    write: async (entries: unknown) => {
      stored = entries;
    },
  };
  const store = new ConnectionStore({ storage, log: silentLog });
  const written: string[] = [];
  const memory = { read: () => remembered, write: (id: string) => void written.push(id) };
  const current = new CurrentConnection(store, memory);
  const seen: (string | undefined)[] = [];
  current.onDidChange(() => seen.push(current.value?.name));
  return { store, current, written, seen };
}

describe('without a selection', () => {
  test('there is none without connections, and the first one becomes current as soon as it exists', async () => {
    const { store, current, seen } = createCurrent([]);
    expect(current.value).toBeUndefined();
    await store.save(connection('a'));
    await store.save(connection('b'));
    expect(current.value?.id).toBe('a');
    expect(seen).toEqual(['a']);
  });

  test('an unreadable value counts as no selection', () => {
    expect(createCurrent([connection('a')], { id: 7 }).current.value?.id).toBe('a');
  });
});

describe('a selection', () => {
  test('is stored, reported and restored', () => {
    const { current, written, seen } = createCurrent([connection('a'), connection('b')]);
    current.switchTo('b');
    current.switchTo('b');
    expect(current.value?.id).toBe('b');
    expect(written.at(-1)).toBe('b');
    expect(seen).toEqual(['b']);
    expect(createCurrent([connection('a'), connection('b')], 'b').current.value?.id).toBe('b');
  });

  test('comes first among all connections', () => {
    const { current } = createCurrent([connection('a'), connection('b'), connection('c')]);
    expect(current.allCurrentFirst.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    current.switchTo('c');
    expect(current.allCurrentFirst.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(createCurrent([]).current.allCurrentFirst).toEqual([]);
  });

  test('of a missing connection changes nothing', () => {
    const { current, written } = createCurrent([connection('a')]);
    current.switchTo('z');
    expect(current.value?.id).toBe('a');
    expect(written).toEqual([]);
  });

  test('falls back to the first while the selected one is gone, and returns with it', async () => {
    const { store, current, seen } = createCurrent([connection('a'), connection('b')], 'b');
    await store.remove('b');
    expect(current.value?.id).toBe('a');
    await store.save(connection('b'));
    expect(current.value?.id).toBe('b');
    expect(seen).toEqual(['a', 'b']);
  });

  test('an edit of the current one fires an event, an edit of another does not', async () => {
    const { store, seen } = createCurrent([connection('a'), connection('b')]);
    await store.save(connection('b', 'B2'));
    await store.save(connection('a', 'A2'));
    expect(seen).toEqual(['A2']);
  });

  test('no event fires after it was disposed', async () => {
    const { store, current, seen } = createCurrent([connection('a')]);
    current.dispose();
    await store.save(connection('a', 'A2'));
    expect(seen).toEqual([]);
  });
});
