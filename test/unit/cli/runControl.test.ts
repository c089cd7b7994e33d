import { expect, test } from 'vitest';
import { createRunControl } from '../../../src/cli/runControl.ts';
import { createCommandOutput } from '../../../src/cli/shell.ts';
import { HttpError } from '../../../src/client/errors.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const operation = { endpoint: 'tables.update', method: 'PATCH', path: '/table' } as const;
const busy = (ms: number) => ({ ms, failure: new HttpError(operation, { status: 429 }) });

function createControl({ isErrorTerminal }: { readonly isErrorTerminal: boolean }) {
  let messages = '';
  const shell = {
    env: {},
    platform: process.platform,
    home: '/',
    readInput: () => Promise.resolve(''),
    isInputTerminal: false,
    isErrorTerminal,
    isOutputTerminal: false,
    writeData: () => undefined,
    writeMessage: (text: string) => {
      messages += text;
    },
  };
  const clock = new FakeClock();
  const { onProgress } = createRunControl({
    clock,
    signal: new AbortController().signal,
    shell,
    output: createCommandOutput(shell),
  });
  return { clock, onProgress, getMessages: () => messages.split('\n').filter((line) => line !== '') };
}

test('on a terminal, a change prints its progress and each wait for a busy server', async () => {
  const { clock, onProgress, getMessages } = createControl({ isErrorTerminal: true });
  onProgress({ done: 0, total: 3, wait: busy(900) });
  onProgress({ done: 1, total: 3 });
  await clock.advance(600);
  onProgress({ done: 2, total: 3 });
  onProgress({ done: 2, total: 3, wait: busy(2000) });
  expect(getMessages()).toEqual([
    '0 of 3. The server is busy. Trying again in 1 second.',
    '2 of 3',
    '2 of 3. The server is busy. Trying again in 2 seconds.',
  ]);
});

test('without a count of rules (a total of 0), a change prints only that it waits', () => {
  const { onProgress, getMessages } = createControl({ isErrorTerminal: true });
  onProgress({ done: 0, total: 0, wait: busy(30_000) });
  expect(getMessages()).toEqual(['The server is busy. Trying again in 30 seconds.']);
});

test('a log shows each of the first waits, even short ones', async () => {
  const { clock, onProgress, getMessages } = createControl({ isErrorTerminal: false });
  onProgress({ done: 0, total: 0, wait: busy(500) });
  await clock.advance(520);
  onProgress({ done: 0, total: 0, wait: busy(3000) });
  expect(getMessages()).toEqual([
    'The server is busy. Trying again in 1 second.',
    'The server is busy. Trying again in 3 seconds.',
  ]);
});

test('a log shows a long wait at once, but not each request that waits at the same time', async () => {
  const { clock, onProgress, getMessages } = createControl({ isErrorTerminal: false });
  for (const ms of [2000, 2000, 1500, 300_000, 300_000]) {
    onProgress({ done: 0, total: 0, wait: busy(ms) });
    await clock.advance(1);
  }
  expect(getMessages()).toEqual([
    'The server is busy. Trying again in 2 seconds.',
    'The server is busy. Trying again in 300 seconds.',
  ]);
});

test('a log shows why a change takes long, less and less often, and in the end once a minute', async () => {
  const { clock, onProgress, getMessages } = createControl({ isErrorTerminal: false });
  const times: number[] = [];
  onProgress({ done: 1, total: 3 });
  for (let second = 0; second <= 300; second += 2) {
    const { length } = getMessages();
    onProgress({ done: 1, total: 3, wait: busy(2000) });
    times.push(...(getMessages().length > length ? [second] : []));
    await clock.advance(2000);
  }
  expect(times).toEqual([0, 2, 4, 6, 10, 18, 34, 66, 126, 186, 246]);
  expect(new Set(getMessages())).toEqual(new Set(['1 of 3. The server is busy. Trying again in 2 seconds.']));
});

test('a failure of the server is not shown as a busy server', () => {
  const { onProgress, getMessages } = createControl({ isErrorTerminal: false });
  const failure = new HttpError(operation, { status: 500 });
  onProgress({ done: 1, total: 3, wait: { ms: 500, failure } });
  expect(getMessages()).toEqual([
    '1 of 3. A request failed: the server encountered an internal error (500). Trying again in 1 second.',
  ]);
});
