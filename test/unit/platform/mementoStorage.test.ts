import { expect, test } from 'vitest';
import { QueuedMemento } from '../../../src/platform/mementoStorage.ts';

/**
 * Behaves like a Memento of VS Code: it writes all values at once, and resets them to the written ones afterwards.
 */
class FakeMemento {
  stored: Readonly<Record<string, unknown>> = {};
  #values: Readonly<Record<string, unknown>> = {};
  readonly #writes: (() => void)[] = [];

  get(key: string): unknown {
    return this.#values[key];
  }

  update(key: string, value: unknown): Promise<void> {
    this.#values = { ...this.#values, [key]: value };
    const written = this.#values;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writes.push(() => {
      this.stored = written;
      this.#values = written;
      resolve();
    });
    return promise;
  }

  /** The number of writes that are not finished. */
  get writeCount(): number {
    return this.#writes.length;
  }

  /** Finishes the first pending write, as another process does after a while. */
  finishWrite(): void {
    const [finish] = this.#writes.splice(0, 1);
    if (finish === undefined) {
      throw new Error('Nothing is being written');
    }
    finish();
  }
}

test('a value that is updated while another one is written is not lost', async () => {
  const memento = new FakeMemento();
  const state = new QueuedMemento(memento);
  const pinsWritten = state.update('pins', ['Orders']);
  const treeWritten = state.update('tree', ['Retail']);
  const pinsWrittenAgain = state.update('pins', ['Orders', 'Sales']);
  memento.finishWrite();
  await pinsWritten;
  expect(state.get('pins')).toEqual(['Orders', 'Sales']);
  expect(state.get('tree')).toEqual(['Retail']);
  await expect.poll(() => memento.writeCount).toBe(2);
  memento.finishWrite();
  memento.finishWrite();
  await Promise.all([treeWritten, pinsWrittenAgain]);
  expect(memento.stored).toEqual({ pins: ['Orders', 'Sales'], tree: ['Retail'] });
});

test('a value that is updated as soon as a write ends is written after the pending write', async () => {
  const memento = new FakeMemento();
  const state = new QueuedMemento(memento);
  const first = state.update('pins', 1);
  const second = state.update('pins', 2);
  const third = first.then(() => state.update('tree', 3));
  memento.finishWrite();
  await first;
  await expect.poll(() => memento.writeCount).toBe(1);
  memento.finishWrite();
  await second;
  await expect.poll(() => memento.writeCount).toBe(1);
  memento.finishWrite();
  await third;
  expect(memento.stored).toEqual({ pins: 2, tree: 3 });
});

test('the value of another window is returned once no write is pending', async () => {
  const memento = new FakeMemento();
  const state = new QueuedMemento(memento);
  const written = state.update('pins', ['Orders']);
  memento.finishWrite();
  await written;
  void memento.update('pins', []);
  expect(state.get('pins')).toEqual([]);
});

test('values that are not written yet are passed to the memento when the window closes', () => {
  const memento = new FakeMemento();
  const state = new QueuedMemento(memento);
  void state.update('pins', ['Orders']);
  void state.update('tree', ['Retail']);
  expect(memento.get('tree')).toBeUndefined();
  state.dispose();
  expect(memento.get('tree')).toEqual(['Retail']);
});

test('a failed write is reported, and the next one is still carried out', async () => {
  const failure = new Error('disk full');
  const memento = new FakeMemento();
  const failingMemento = {
    get: () => undefined,
    update: async (key: string) => {
      if (key === 'pins') {
        throw failure;
      }
      await memento.update(key, true);
    },
  };
  const state = new QueuedMemento(failingMemento);
  const pinsUpdate = state.update('pins', []);
  const treeUpdate = state.update('tree', []);
  await expect(pinsUpdate).rejects.toBe(failure);
  await expect.poll(() => memento.writeCount).toBe(1);
  memento.finishWrite();
  await treeUpdate;
  expect(memento.stored).toEqual({ tree: true });
  expect(state.get('pins')).toBeUndefined();
});
