import { expect, test } from 'vitest';
import { runWhenIdle } from '../../../src/base/runWhenIdle.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

function startTasks(tasks: readonly (() => Promise<unknown>)[]) {
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const running = runWhenIdle(tasks, { clock, onError: (error) => errors.push(error) });
  return { clock, errors, running };
}

test('tasks run one after another, each after a pause', async () => {
  const finishedTasks: string[] = [];
  const second = Promise.withResolvers<void>();
  const { clock } = startTasks([
    async () => finishedTasks.push('first'),
    async () => {
      finishedTasks.push('second');
      await second.promise;
    },
    async () => finishedTasks.push('third'),
  ]);
  expect(finishedTasks).toEqual([]);
  await clock.advance(50);
  expect(finishedTasks).toEqual(['first']);
  await clock.advance(50);
  await clock.advance(500);
  expect(finishedTasks).toEqual(['first', 'second']);
  second.resolve();
  await clock.advance(50);
  expect(finishedTasks).toEqual(['first', 'second', 'third']);
});

test('a failed task is reported and does not stop the others', async () => {
  const finishedTasks: string[] = [];
  const error = new Error('missing');
  const { clock, errors } = startTasks([() => Promise.reject(error), async () => finishedTasks.push('next')]);
  await clock.advance(50);
  await clock.advance(50);
  expect(errors).toEqual([error]);
  expect(finishedTasks).toEqual(['next']);
});

test('a task waits while timers are late, for 20 timers at most', async () => {
  let now = 0;
  let runTimer = (): void => {};
  let isDone = false;
  const clock = {
    now: () => now,
    schedule: (_delayMs: number, callback: () => void) => {
      runTimer = callback;
      return { dispose() {} };
    },
  };
  runWhenIdle([async () => (isDone = true)], { clock, onError: () => {} });
  const runTimerAfter = async (ms: number): Promise<void> => {
    now += ms;
    runTimer();
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (let count = 0; count < 19; count += 1) {
    await runTimerAfter(61);
    expect(isDone).toBe(false);
  }
  await runTimerAfter(61);
  expect(isDone).toBe(true);
});

test('a task runs after the first timer that is on time', async () => {
  const finishedTasks: string[] = [];
  const { clock } = startTasks([async () => finishedTasks.push('task')]);
  await clock.advance(60);
  expect(finishedTasks).toEqual(['task']);
});

test('no task runs after the disposal', async () => {
  const finishedTasks: string[] = [];
  const { clock, errors, running } = startTasks([async () => finishedTasks.push('task')]);
  running.dispose();
  await clock.advance(1000);
  expect(finishedTasks).toEqual([]);
  expect(errors).toEqual([]);
  expect(clock.timerCount).toBe(0);
});
