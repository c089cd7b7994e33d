import { expect, test } from 'vitest';
import { LoadCache } from '../../../src/catalog/loadCache.ts';

test('callers share a load, and its value can be peeked at as soon as it is there', async () => {
  const cache = new LoadCache<number>();
  let loads = 0;
  const load = async (): Promise<number> => {
    loads += 1;
    return 7;
  };
  const first = cache.get('a', load);
  expect(cache.peek('a')).toBeUndefined();
  await expect(Promise.all([first, cache.get('a', load)])).resolves.toEqual([7, 7]);
  expect(loads).toBe(1);
  expect(cache.peek('a')).toBe(7);
  expect(cache.loaded).toEqual([['a', 7]]);
});

test('a failed load is told to all who asked, and the next caller tries again', async () => {
  const cache = new LoadCache<number>();
  const failing = cache.get('a', () => Promise.reject(new Error('down')));
  await expect(failing).rejects.toThrow('down');
  expect(cache.peek('a')).toBeUndefined();
  await expect(cache.get('a', async () => 1)).resolves.toBe(1);
});

test('a load that ends after it was forgotten is not known', async () => {
  const cache = new LoadCache<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const loading = cache.get('a', () => promise);
  cache.forget('a');
  resolve(1);
  await expect(loading).resolves.toBe(1);
  expect(cache.peek('a')).toBeUndefined();
});

test('a failure of a forgotten load does not forget the newer one', async () => {
  const cache = new LoadCache<number>();
  const { promise, reject } = Promise.withResolvers<number>();
  const old = cache.get('a', () => promise);
  cache.put('a', 2);
  reject(new Error('late'));
  await expect(old).rejects.toThrow('late');
  expect(cache.peek('a')).toBe(2);
});
