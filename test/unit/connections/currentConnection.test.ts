import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { CurrentConnection } from '../../../src/connections/currentConnection.ts';

const createConnection = (id: string, name = id): Connection => ({
  id,
  kind: 'remote',
  name,
  role: 'development',
  url: `https://${id}.example.test`,
});

function createCurrentConnection(connections: readonly Connection[], storedId?: unknown) {
  let stored: unknown = connections;
  const storage = {
    read: () => stored,
    write: async (entries: unknown) => {
      stored = entries;
    },
  };
  const store = new ConnectionStore({ storage, log: silentLog });
  const writtenIds: string[] = [];
  const memory = { read: () => storedId, write: (id: string) => void writtenIds.push(id) };
  const current = new CurrentConnection(store, memory);
  const firedNames: (string | undefined)[] = [];
  current.onDidChange(() => firedNames.push(current.value?.name));
  return { store, current, writtenIds, firedNames };
}

describe('without a selection', () => {
  test('nothing is current without connections, and the first connection becomes current as soon as it exists', async () => {
    const { store, current, firedNames } = createCurrentConnection([]);
    expect(current.value).toBeUndefined();
    await store.save(createConnection('a'));
    await store.save(createConnection('b'));
    expect(current.value?.id).toBe('a');
    expect(firedNames).toEqual(['a']);
  });

  test('an unreadable value counts as no selection', () => {
    expect(createCurrentConnection([createConnection('a')], { id: 7 }).current.value?.id).toBe('a');
  });
});

describe('a selection', () => {
  test('is stored, reported and restored', () => {
    const { current, writtenIds, firedNames } = createCurrentConnection([
      createConnection('a'),
      createConnection('b'),
    ]);
    current.switchTo('b');
    current.switchTo('b');
    expect(current.value?.id).toBe('b');
    expect(writtenIds.at(-1)).toBe('b');
    expect(firedNames).toEqual(['b']);
    expect(
      createCurrentConnection([createConnection('a'), createConnection('b')], 'b').current.value?.id,
    ).toBe('b');
  });

  test('comes first among all connections', () => {
    const { current } = createCurrentConnection([
      createConnection('a'),
      createConnection('b'),
      createConnection('c'),
    ]);
    expect(current.allCurrentFirst.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    current.switchTo('c');
    expect(current.allCurrentFirst.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(createCurrentConnection([]).current.allCurrentFirst).toEqual([]);
  });

  test('of a connection that does not exist changes nothing', () => {
    const { current, writtenIds } = createCurrentConnection([createConnection('a')]);
    current.switchTo('z');
    expect(current.value?.id).toBe('a');
    expect(writtenIds).toEqual([]);
  });

  test('falls back to the first connection while the selected one does not exist', async () => {
    const { store, current, firedNames } = createCurrentConnection(
      [createConnection('a'), createConnection('b')],
      'b',
    );
    await store.remove('b');
    expect(current.value?.id).toBe('a');
    await store.save(createConnection('b'));
    expect(current.value?.id).toBe('b');
    expect(firedNames).toEqual(['a', 'b']);
  });

  test('fires an event if the current connection is edited, and none if another one is', async () => {
    const { store, firedNames } = createCurrentConnection([createConnection('a'), createConnection('b')]);
    await store.save(createConnection('b', 'B2'));
    await store.save(createConnection('a', 'A2'));
    expect(firedNames).toEqual(['A2']);
  });

  test('fires no event after the object was disposed', async () => {
    const { store, current, firedNames } = createCurrentConnection([createConnection('a')]);
    current.dispose();
    await store.save(createConnection('a', 'A2'));
    expect(firedNames).toEqual([]);
  });
});
