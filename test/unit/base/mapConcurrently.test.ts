import { expect, test } from 'vitest';
import { mapConcurrently } from '../../../src/base/mapConcurrently.ts';

test('items are mapped in order, and never more of them at once than allowed', async () => {
  let [running, maximum] = [0, 0];
  const results = await mapConcurrently(
    Array.from({ length: 20 }, (_item, index) => index),
    3,
    async (index) => {
      running += 1;
      maximum = Math.max(maximum, running);
      await Promise.resolve();
      running -= 1;
      return index * 2;
    },
  );
  expect(results).toEqual(Array.from({ length: 20 }, (_item, index) => index * 2));
  expect(maximum).toBe(3);
});

test('a failure rejects', async () => {
  const failing = mapConcurrently([1, 2], 1, (item) => Promise.reject(new Error(String(item))));
  await expect(failing).rejects.toThrow('1');
});
