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
  const [unfinished, other] = [createTask('unfinished'), createTask('other')];
  void queue.run({}, unfinished.run);
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

test('a task that is queued by another task of the same key waits for the other task', async () => {
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

test('a task that is canceled while it waits is not run, and later tasks still wait for earlier ones', async () => {
  const queue = new KeyedQueue<string>();
  const { events, createTask } = createTasks();
  const [first, second, third] = [createTask('first'), createTask('second'), createTask('third')];
  const abort = new AbortController();
  const firstEnd = queue.run('a', first.run);
  const canceled = queue.run('a', second.run, { signal: abort.signal });
  const next = queue.run('a', third.run);
  const reason = new Error('Canceled');
  abort.abort(reason);
  await expect(canceled).rejects.toBe(reason);
  await waitForNextTurn();
  expect(events).toEqual(['first begins']);
  first.end();
  third.end();
  await Promise.all([firstEnd, next]);
  expect(events).toEqual(['first begins', 'first ends', 'third begins', 'third ends']);
});

test('a task that is already canceled is not queued, and a running task is not interrupted', async () => {
  const queue = new KeyedQueue<string>();
  const { events, createTask } = createTasks();
  const first = createTask('first');
  const abort = new AbortController();
  const firstEnd = queue.run('a', first.run, { signal: abort.signal });
  const reason = new Error('Canceled');
  abort.abort(reason);
  await expect(queue.run('a', createTask('second').run, { signal: abort.signal })).rejects.toBe(reason);
  first.end();
  expect(await firstEnd).toBe('first');
  expect(events).toEqual(['first begins', 'first ends']);
  const last = createTask('last');
  last.end();
  expect(await queue.run('a', last.run)).toBe('last');
});

test('the caller is notified when a task has to wait, and when it no longer does', async () => {
  const queue = new KeyedQueue<string>();
  const { events, createTask } = createTasks();
  const [first, second] = [createTask('first'), createTask('second')];
  const createOptions = (name: string) => ({
    onQueued: (isQueued: boolean) => void events.push(`${name} ${isQueued ? 'waits' : 'no longer waits'}`),
  });
  const ends = [
    queue.run('a', first.run, createOptions('first')),
    queue.run('a', second.run, createOptions('second')),
  ];
  first.end();
  second.end();
  await Promise.all(ends);
  expect(events).toEqual([
    'first begins',
    'second waits',
    'first ends',
    'second no longer waits',
    'second begins',
    'second ends',
  ]);
});
