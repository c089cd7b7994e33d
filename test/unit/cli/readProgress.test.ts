import { expect, test } from 'vitest';
import { createReadProgress } from '../../../src/cli/readProgress.ts';
import { type Shell, createCommandOutput } from '../../../src/cli/shell.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

/** Reports progress at some times, in seconds, and returns what is printed. */
async function print(isErrorTerminal: boolean, ...times: readonly number[]): Promise<string> {
  let printed = '';
  const shell = {
    env: {},
    isErrorTerminal,
    writeMessage: (text: string) => {
      printed += text;
    },
  } as unknown as Shell;
  const clock = new FakeClock();
  const start = clock.now();
  const show = createReadProgress({ shell, output: createCommandOutput(shell), clock });
  for (const [index, time] of times.entries()) {
    await clock.advance(start + time * 1000 - clock.now());
    show(index + 1, 5);
  }
  return printed;
}

test('progress is one line on a terminal', async () => {
  expect(await print(true, 0, 1)).toBe('Reading the instance: 1 of 5\r\u001b[2KReading the instance: 2 of 5');
});

test('elsewhere, progress is a plain line every ten seconds', async () => {
  expect(await print(false, 1, 9)).toBe('');
  expect(await print(false, 1, 12, 13, 21, 22)).toBe(
    'Reading the instance: 2 of 5\nReading the instance: 5 of 5\n',
  );
});
