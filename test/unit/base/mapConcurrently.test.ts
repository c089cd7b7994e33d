import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapConcurrently } from '../../../src/base/mapConcurrently.ts';

const indexes = Array.from({ length: 20 }, (_item, index) => index);

test('items are mapped in order, and never more of them at once than allowed', async () => {
  let [running, maximum] = [0, 0];
  const results = await mapConcurrently(indexes, 3, async (index) => {
    running += 1;
    maximum = Math.max(maximum, running);
    await setImmediate();
    running -= 1;
    return index * 2;
  });
  expect(results).toEqual(indexes.map((index) => index * 2));
  expect(maximum).toBe(3);
});

test('after a failure no more items are started, and the call rejects when those that are running have ended', async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasRejected = false;
  const mapping = mapConcurrently(indexes, 2, async (index) => {
    started.push(index);
    if (index === 1) {
      throw new Error('failed');
    }
    await promise;
    ended.push(index);
  });
  mapping.catch(() => {
    hasRejected = true;
  });
  await setImmediate();
  expect(hasRejected).toBe(false);
  resolve();
  await expect(mapping).rejects.toThrow('failed');
  expect(started).toEqual([0, 1]);
  expect(ended).toEqual([0]);
});
