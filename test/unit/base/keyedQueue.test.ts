import { expect, test } from 'vitest';
import { KeyedQueue } from '../../../src/base/keyedQueue.ts';

/** Tasks that say when they begin and end, and end when the test says so. */
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

test('tasks of one key run in their order, one at a time', async () => {
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

test('tasks of other keys do not wait', async () => {
  const queue = new KeyedQueue<object>();
  const { task } = tasks();
  const [stuck, other] = [task('stuck'), task('other')];
  void queue.run({}, stuck.run);
  other.end();
  expect(await queue.run({}, other.run)).toBe('other');
});

test('a task that fails tells its caller alone, and the next one runs', async () => {
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

test('a task that is given from within one of its key waits for it', async () => {
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

test('a task begins at once where none of its key is under way, again after the last one', async () => {
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
