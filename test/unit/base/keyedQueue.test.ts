import { expect, test } from 'vitest';
import { KeyedQueue } from '../../../src/base/keyedQueue.ts';

/** Tasks that record when they start and finish, and finish when the test decides. */
function createTasks() {
  const events: string[] = [];
  const createTask = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const run = async (): Promise<string> => {
      events.push(`${name} begins`);
      await promise.finally(() => events.push(`${name} ends`));
      return name;
    };
    return { run, end: resolve, fail: reject };
  };
  return { events, createTask };
}

const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('tasks with the same key run in order, one at a time', async () => {
  const queue = new KeyedQueue<string>();
  const { events, createTask } = createTasks();
  const [first, second, third] = [createTask('first'), createTask('second'), createTask('third')];
  const all = [first, second, third].map(({ run }) => queue.run('a', run));
  third.end();
  second.end();
  await waitForNextTurn();
  expect(events).toEqual(['first begins']);
  first.end();
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
  expect(events).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ]);
});

test('tasks with different keys do not wait for each other', async () => {
  const queue = new KeyedQueue<object>();
  const { createTask } = createTasks();
  const [stuck, other] = [createTask('stuck'), createTask('other')];
  void queue.run({}, stuck.run);
  other.end();
  expect(await queue.run({}, other.run)).toBe('other');
});

test('a failing task rejects only for its caller, and the next one runs', async () => {
  const queue = new KeyedQueue<string>();
  const { createTask } = createTasks();
  const [first, second] = [createTask('first'), createTask('second')];
  const failing = queue.run('a', first.run);
  const next = queue.run('a', second.run);
  first.fail(new Error('down'));
  second.end();
  await expect(failing).rejects.toThrow('down');
  expect(await next).toBe('second');
});

test('a task queued from within a task of the same key waits for it', async () => {
  const queue = new KeyedQueue<string>();
  const { events, createTask } = createTasks();
  const inner = createTask('inner');
  inner.end();
  let innerEnd: Promise<string> | undefined;
  await queue.run('a', async () => {
    innerEnd = queue.run('a', inner.run);
    await waitForNextTurn();
    events.push('outer ends');
  });
  await innerEnd;
  expect(events).toEqual(['outer ends', 'inner begins', 'inner ends']);
});

test('a task starts at once when its key is idle, also after the last one finished', async () => {
  const queue = new KeyedQueue<string>();
  const { events, createTask } = createTasks();
  for (const name of ['first', 'second']) {
    const { run, end } = createTask(name);
    const done = queue.run('a', run);
    expect(events.at(-1)).toBe(`${name} begins`);
    end();
    await done;
  }
});
