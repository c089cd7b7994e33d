import { expect, test } from 'vitest';
import { DelayedTask } from '../../../src/base/delayedTask.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

/** A task whose runs the test ends. */
function createTask() {
  const clock = new FakeClock();
  const runs: PromiseWithResolvers<void>[] = [];
  const task = new DelayedTask(clock, 50, () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { clock, runs, task };
}

test('requests within a short time lead to one run', async () => {
  const { clock, runs, task } = createTask();
  task.request();
  await clock.advance(49);
  task.request();
  expect(runs).toHaveLength(0);
  await clock.advance(1);
  expect(runs).toHaveLength(1);
});

test('requests during a run lead to one more run after it', async () => {
  const { clock, runs, task } = createTask();
  const first = task.run();
  task.request();
  await clock.advance(1000);
  task.request();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await first;
  await clock.advance(50);
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await runs[1]?.promise;
  await clock.advance(1000);
  expect(runs).toHaveLength(2);
});

test('after an immediate run, the requests before it lead to no other run', async () => {
  const { clock, runs, task } = createTask();
  task.request();
  const first = task.run();
  task.request();
  const second = task.run();
  expect(runs).toHaveLength(2);
  runs.forEach(({ resolve }) => resolve());
  await Promise.all([first, second]);
  await clock.advance(1000);
  expect(runs).toHaveLength(2);
});

test('a disposed task does not run again', async () => {
  const { clock, runs, task } = createTask();
  const first = task.run();
  task.request();
  task.dispose();
  runs[0]?.resolve();
  await first;
  task.request();
  await clock.advance(1000);
  expect(runs).toHaveLength(1);
});
