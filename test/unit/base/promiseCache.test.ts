import { expect, test } from 'vitest';
import { PromiseCache } from '../../../src/base/promiseCache.ts';

const counting = () => {
  let loads = 0;
  return { loads: () => loads, load: async () => (loads += 1) };
};

test('callers at the same time share one load, later ones the answer', async () => {
  const cache = new PromiseCache<number>();
  const { loads, load } = counting();
  expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([1, 1]);
  expect(await cache.get('a', load)).toBe(1);
  expect(loads()).toBe(1);
});

test('a failed load is not kept', async () => {
  const cache = new PromiseCache<number>();
  await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('a', async () => 7)).toBe(7);
});

test('a load that fails late does not forget the one that took its place', async () => {
  const cache = new PromiseCache<number>();
  const { promise, reject } = Promise.withResolvers<number>();
  const first = cache.get('a', () => promise);
  cache.forget('a');
  const { loads, load } = counting();
  await cache.get('a', load);
  reject(new Error('late'));
  await expect(first).rejects.toThrow('late');
  await cache.get('a', load);
  expect(loads()).toBe(1);
});
