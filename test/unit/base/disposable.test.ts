import { expect, test } from 'vitest';
import { DisposableStore, toDisposable } from '../../../src/base/disposable.ts';

const createDisposalLog = () => {
  const log: string[] = [];
  return { log, createItem: (name: string) => toDisposable(() => log.push(name)) };
};

test('a store disposes its items in reverse order, once', () => {
  const { log, createItem } = createDisposalLog();
  const store = new DisposableStore();
  store.add(createItem('a'));
  store.add(createItem('b'));
  store.dispose();
  store.dispose();
  expect(log).toEqual(['b', 'a']);
});

test('a store continues after an error and throws at the end', () => {
  const { log, createItem } = createDisposalLog();
  const store = new DisposableStore();
  store.add(createItem('a'));
  store.add(
    toDisposable(() => {
      throw new Error('broken');
    }),
  );
  store.add(createItem('c'));
  expect(() => store.dispose()).toThrow(AggregateError);
  expect(log).toEqual(['c', 'a']);
});

test('an item that is added after the store was disposed is disposed immediately', () => {
  const { log, createItem } = createDisposalLog();
  const store = new DisposableStore();
  store.dispose();
  store.add(createItem('late'));
  expect(log).toEqual(['late']);
});

test('deleting an item of the store disposes it before the others, and deleting any other item does nothing', () => {
  const { log, createItem } = createDisposalLog();
  const store = new DisposableStore();
  const early = store.add(createItem('early'));
  store.delete(early);
  store.delete(createItem('stranger'));
  store.dispose();
  expect(log).toEqual(['early']);
});
