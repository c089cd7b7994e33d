import { expect, test } from 'vitest';
import { createRunControl } from '../../../src/cli/runControl.ts';
import { createCommandOutput } from '../../../src/cli/shell.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

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
  return { clock, onProgress, takeMessages: () => messages.split('\n').filter((line) => line !== '') };
}

test('on a terminal, a change prints its progress and each wait for a busy server', async () => {
  const { clock, onProgress, takeMessages } = createControl({ isErrorTerminal: true });
  onProgress({ done: 0, total: 3, waitMs: 900 });
  onProgress({ done: 1, total: 3 });
  await clock.advance(600);
  onProgress({ done: 2, total: 3 });
  onProgress({ done: 2, total: 3, waitMs: 2000 });
  expect(takeMessages()).toEqual([
    '0 of 3. The server is busy: waiting 1 s.',
    '2 of 3',
    '2 of 3. The server is busy: waiting 2 s.',
  ]);
});

test('a change without rules prints only that it waits', () => {
  const { onProgress, takeMessages } = createControl({ isErrorTerminal: true });
  onProgress({ done: 0, total: 0, waitMs: 30_000 });
  expect(takeMessages()).toEqual(['The server is busy: waiting 30 s.']);
});

test('a log shows why a change takes long, but not more than once a minute', async () => {
  const { clock, onProgress, takeMessages } = createControl({ isErrorTerminal: false });
  onProgress({ done: 1, total: 3 });
  for (let count = 0; count < 61; count += 1) {
    onProgress({ done: 1, total: 3, waitMs: 2000 });
    await clock.advance(2000);
  }
  expect(takeMessages()).toEqual(Array.from({ length: 3 }, () => '1 of 3. The server is busy: waiting 2 s.'));
});
