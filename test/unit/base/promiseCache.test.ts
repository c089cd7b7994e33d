import { describe, expect, test } from 'vitest';
import { PromiseCache } from '../../../src/base/promiseCache.ts';

const createCountingLoad = () => {
  let loadCount = 0;
  return { getLoadCount: () => loadCount, load: async () => (loadCount += 1) };
};

const failToLoad = (): Promise<number> => Promise.reject(new Error('down'));

/** A load that finishes when the test decides. */
function createPendingLoad() {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  return { load: () => promise, resolve, reject };
}

test('concurrent callers share one load, later ones its result', async () => {
  const cache = new PromiseCache<number>();
  const { getLoadCount, load } = createCountingLoad();
  expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([1, 1]);
  expect(await cache.get('a', load)).toBe(1);
  expect(getLoadCount()).toBe(1);
});

test('each key has its own value', async () => {
  const cache = new PromiseCache<number>();
  const { load } = createCountingLoad();
  expect(await Promise.all([cache.get('a', load), cache.get('b', load)])).toEqual([1, 2]);
  cache.forget('a');
  expect(cache.entries).toEqual([['b', 2]]);
  cache.clear();
  expect(cache.entries).toEqual([]);
});

test('a value can be peeked at as soon as it is loaded', async () => {
  const cache = new PromiseCache<number>();
  const { load, resolve } = createPendingLoad();
  const seen = cache.get('a', load).then(() => cache.peek('a'));
  expect(cache.peek('a')).toBeUndefined();
  expect(cache.entries).toEqual([]);
  expect(cache.keys).toEqual(['a']);
  resolve(7);
  expect(await seen).toBe(7);
  expect(cache.entries).toEqual([['a', 7]]);
});

test('a failed load rejects for all callers that share it, and the next caller tries again', async () => {
  const cache = new PromiseCache<number>();
  const { load, reject } = createPendingLoad();
  const both = [cache.get('a', load), cache.get('a', load)];
  reject(new Error('down'));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await cache.get('a', async () => 7)).toBe(7);
});

test('a load that fails synchronously is not cached', async () => {
  const cache = new PromiseCache<number>();
  const broken = (): Promise<number> => {
    throw new Error('broken');
  };
  expect(() => cache.get('a', broken)).toThrow('broken');
  expect(await cache.get('a', async () => 7)).toBe(7);
});

test('undefined is a valid value', async () => {
  const cache = new PromiseCache<number | undefined>();
  let loadCount = 0;
  const load = async (): Promise<undefined> => void (loadCount += 1);
  await cache.get('a', load);
  await cache.get('a', load);
  expect(loadCount).toBe(1);
});

describe('a load that started before a call of', () => {
  const changes: [string, (cache: PromiseCache<number>) => void, number | undefined][] = [
    ['forget', (cache) => cache.forget('a'), undefined],
    ['clear', (cache) => cache.clear(), undefined],
    ['set', (cache) => cache.set('a', 2), 2],
  ];

  test.each(changes)('%s resolves for its callers, but is not cached', async (_name, change, after) => {
    const cache = new PromiseCache<number>();
    const { load, resolve } = createPendingLoad();
    const before = cache.get('a', load);
    change(cache);
    resolve(1);
    expect(await before).toBe(1);
    expect(cache.peek('a')).toBe(after);
  });

  test.each(changes)('%s and then fails does not replace the later value', async (_name, change) => {
    const cache = new PromiseCache<number>();
    const { load, reject } = createPendingLoad();
    const before = cache.get('a', load);
    change(cache);
    const laterLoad = createCountingLoad();
    const value = await cache.get('a', laterLoad.load);
    reject(new Error('late'));
    await expect(before).rejects.toThrow('late');
    expect(cache.peek('a')).toBe(value);
  });

  test.each(changes)('%s is not shared with new callers', async (_name, change, after) => {
    const cache = new PromiseCache<number>();
    const { load } = createPendingLoad();
    void cache.get('a', load);
    change(cache);
    expect(await cache.get('a', async () => 3)).toBe(after ?? 3);
  });
});

describe('refresh', () => {
  test('keeps the previous value until the new one has loaded', async () => {
    const cache = new PromiseCache<number>();
    const { load, resolve } = createPendingLoad();
    cache.set('a', 1);
    const refreshed = cache.refresh('a', load);
    expect(cache.peek('a')).toBe(1);
    expect(await cache.get('a', failToLoad)).toBe(1);
    resolve(2);
    expect(await refreshed).toBe(2);
    expect(await cache.get('a', failToLoad)).toBe(2);
  });

  test('is shared by concurrent callers, and with a first load that is under way', async () => {
    const cache = new PromiseCache<number>();
    const { getLoadCount, load } = createCountingLoad();
    await Promise.all([cache.get('a', load), cache.refresh('a', load)]);
    expect(getLoadCount()).toBe(1);
    await Promise.all([cache.refresh('a', load), cache.refresh('a', load)]);
    expect(getLoadCount()).toBe(2);
  });

  test('that fails keeps the previous value and can be retried', async () => {
    const cache = new PromiseCache<number>();
    cache.set('a', 1);
    await expect(cache.refresh('a', failToLoad)).rejects.toThrow('down');
    expect(cache.peek('a')).toBe(1);
    expect(await cache.refresh('a', async () => 2)).toBe(2);
  });
});
