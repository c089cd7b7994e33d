import { expect, test } from 'vitest';
import { DisposableStore, toDisposable } from '../../../src/base/disposable.ts';

const createRecorder = () => {
  const log: string[] = [];
  return { log, entry: (name: string) => toDisposable(() => log.push(name)) };
};

test('disposes in reverse order, once', () => {
  const { log, entry } = createRecorder();
  const store = new DisposableStore();
  store.add(entry('a'));
  store.add(entry('b'));
  store.dispose();
  store.dispose();
  expect(log).toEqual(['b', 'a']);
});

test('continues after an error and throws at the end', () => {
  const { log, entry } = createRecorder();
  const store = new DisposableStore();
  store.add(entry('a'));
  store.add(
    toDisposable(() => {
      throw new Error('broken');
    }),
  );
  store.add(entry('c'));
  expect(() => store.dispose()).toThrow(AggregateError);
  expect(log).toEqual(['c', 'a']);
});

test('disposes late additions at once', () => {
  const { log, entry } = createRecorder();
  const store = new DisposableStore();
  store.dispose();
  store.add(entry('late'));
  expect(log).toEqual(['late']);
});

test('release disposes of an item of the store before the rest, and ignores other items', () => {
  const { log, entry } = createRecorder();
  const store = new DisposableStore();
  const early = store.add(entry('early'));
  store.release(early);
  store.release(entry('stranger'));
  store.dispose();
  expect(log).toEqual(['early']);
});
