import { expect, test } from 'vitest';
import { lazy } from '../../../src/base/lazy.ts';

test('the value is created once, on first use, for all concurrent callers', async () => {
  let createdCount = 0;
  const get = lazy(async () => {
    createdCount += 1;
    return { count: createdCount };
  });
  expect(createdCount).toBe(0);
  const [first, second] = await Promise.all([get(), get()]);
  expect(first).toBe(second);
  expect(await get()).toBe(first);
  expect(createdCount).toBe(1);
});

test('a failure is reported to everyone who waits, and the next caller tries again', async () => {
  let tries = 0;
  const get = lazy(async () => {
    tries += 1;
    if (tries === 1) {
      throw new Error('not yet');
    }
    return tries;
  });
  await expect(get()).rejects.toThrow('not yet');
  expect(await get()).toBe(2);
});
