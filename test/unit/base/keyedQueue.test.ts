import { expect, test } from 'vitest';
import { KeyedQueue } from '../../../src/base/keyedQueue.ts';

/** Tasks that record when they start and finish, and finish when the test decides. */
function tasks() {
  const said: string[] = [];
  const task = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const run = async (): Promise<string> => {
      said.push(`${name} begins`);
      await promise.finally(() => said.push(`${name} ends`));
      return name;
    };
    return { run, end: resolve, fail: reject };
  };
  return { said, task };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('tasks with the same key run in order, one at a time', async () => {
  const queue = new KeyedQueue<string>();
  const { said, task } = tasks();
  const [first, second, third] = [task('first'), task('second'), task('third')];
  const all = [first, second, third].map(({ run }) => queue.run('a', run));
  third.end();
  second.end();
  await soon();
  expect(said).toEqual(['first begins']);
  first.end();
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
  expect(said).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ]);
});

test('tasks with other keys do not wait', async () => {
  const queue = new KeyedQueue<object>();
  const { task } = tasks();
  const [stuck, other] = [task('stuck'), task('other')];
  void queue.run({}, stuck.run);
  other.end();
  expect(await queue.run({}, other.run)).toBe('other');
});

test('a failing task rejects only for its caller, and the next one runs', async () => {
  const queue = new KeyedQueue<string>();
  const { task } = tasks();
  const [first, second] = [task('first'), task('second')];
  const failing = queue.run('a', first.run);
  const next = queue.run('a', second.run);
  first.fail(new Error('down'));
  second.end();
  await expect(failing).rejects.toThrow('down');
  expect(await next).toBe('second');
});

test('a task queued from within a task of the same key waits for it', async () => {
  const queue = new KeyedQueue<string>();
  const { said, task } = tasks();
  const inner = task('inner');
  inner.end();
  let later: Promise<string> | undefined;
  await queue.run('a', async () => {
    later = queue.run('a', inner.run);
    await soon();
    said.push('outer ends');
  });
  await later;
  expect(said).toEqual(['outer ends', 'inner begins', 'inner ends']);
});

test('a task starts at once when its key is idle, also after the last one finished', async () => {
  const queue = new KeyedQueue<string>();
  const { said, task } = tasks();
  for (const name of ['first', 'second']) {
    const { run, end } = task(name);
    const done = queue.run('a', run);
    expect(said.at(-1)).toBe(`${name} begins`);
    end();
    await done;
  }
});
