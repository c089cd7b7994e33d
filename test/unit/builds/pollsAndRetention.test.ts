import { expect, test } from 'vitest';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryFolder } from '../../fakes/memoryFolder.ts';
import { TestServer, openSingleWindow, openWindow } from './support.ts';

test('ended builds are kept for ten minutes, after that the latest fifty, and none for longer than a week', async () => {
  const { watch, clock, server } = openSingleWindow();
  const createTasks = (status: string) =>
    Array.from({ length: 60 }, (_, index) => ({ oid: `b${index}`, status, datamodelId: `m${index}` }));
  const countAfter = async (milliseconds: number): Promise<number> => {
    await clock.advance(milliseconds);
    watch.refresh('c');
    await clock.advance(0);
    return watch.builds.length;
  };
  server.tasks = createTasks('building');
  expect(await countAfter(0)).toBe(60);
  server.tasks = createTasks('done');
  expect(await countAfter(2_000)).toBe(60);
  const ended = watch.builds[0]?.ended ?? 0;
  const countAtAge = (age: number) => countAfter(ended + age - clock.now());
  expect(await countAtAge(599_999)).toBe(60);
  expect(await countAtAge(600_000)).toBe(50);
  const week = 7 * 24 * 3_600_000;
  expect(await countAtAge(week - 1)).toBe(50);
  expect(await countAtAge(week)).toBe(0);
});

test('of too many ended builds, those that ended last are kept', async () => {
  const { watch, clock, server } = openSingleWindow();
  const setTasks = (status: string, completed?: (index: number) => number): void => {
    server.tasks = Array.from({ length: 60 }, (_, index) => ({
      oid: `b${index}`,
      status,
      ...(completed === undefined ? {} : { completed: new Date(completed(index)).toISOString() }),
    }));
    watch.refresh('c');
  };
  setTasks('building');
  await clock.advance(0);
  const start = clock.now();
  await clock.advance(700);
  // The builds with odd numbers end last.
  setTasks('done', (index) => start + 100 + index + (index % 2) * 100);
  await clock.advance(601_000);
  watch.refresh('c');
  await clock.advance(0);
  const isKept = (index: number): boolean => index % 2 === 1 || index >= 20;
  expect(watch.builds.map(({ oid }) => oid)).toEqual(
    Array.from({ length: 60 }, (_, index) => index)
      .filter(isKept)
      .map((index) => `b${index}`),
  );
});

test('while a request for the builds is under way, no second one is sent', async () => {
  const [clock, disk, server] = [new FakeClock(), new MemoryFolder(), new TestServer()];
  const responses: PromiseWithResolvers<void>[] = [];
  const source = server.source();
  const { watch } = openWindow(
    { clock, disk },
    {
      ...source,
      list: async (...args) => {
        const response = Promise.withResolvers<void>();
        responses.push(response);
        await response.promise;
        return source.list(...args);
      },
    },
  );
  for (let repetition = 0; repetition < 3; repetition += 1) {
    watch.refresh('c');
    await clock.advance(5_000);
  }
  expect(responses).toHaveLength(1);
  responses[0]?.resolve();
  await clock.advance(0);
  watch.refresh('c');
  await clock.advance(5_000);
  expect(responses).toHaveLength(2);
});
