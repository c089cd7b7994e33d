import { expect, test } from 'vitest';
import { createReadProgress } from '../../../src/cli/readProgress.ts';
import { type Shell, createCommandOutput } from '../../../src/cli/shell.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

/** Reports progress at some times, in seconds, and returns what is printed. */
async function print(
  isErrorTerminal: boolean,
  times: readonly number[],
  report: (progress: ReturnType<typeof createReadProgress>, index: number) => void = (
    { onProgress },
    index,
  ) => onProgress(index + 1, 5),
): Promise<string> {
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
  const progress = createReadProgress({ shell, output: createCommandOutput(shell), clock });
  for (const [index, time] of times.entries()) {
    await clock.advance(start + time * 1000 - clock.now());
    report(progress, index);
  }
  return printed;
}

test('progress is one line on a terminal', async () => {
  expect(await print(true, [0, 1])).toBe(
    'Reading the instance: 1 of 5\r\u001b[2KReading the instance: 2 of 5',
  );
});

test('elsewhere, progress is a plain line every ten seconds', async () => {
  expect(await print(false, [1, 9])).toBe('');
  expect(await print(false, [1, 12, 13, 22])).toBe(
    'Reading the instance: 2 of 5\nReading the instance: 4 of 5\n',
  );
});

test('progress counts the viewpoints that were read until all of them are', async () => {
  const printed = await print(false, [1, 12, 23, 34], ({ onProgress, onViewpointsRead }, index) => {
    if (index === 0) {
      onProgress(4, 5);
    } else {
      onViewpointsRead(index * 500, index === 2 ? undefined : 1500);
    }
  });
  expect(printed.split('\n')).toEqual([
    'Reading the instance: 4 of 5, 500 of 1500 viewpoints',
    'Reading the instance: 4 of 5, 1000 viewpoints',
    'Reading the instance: 4 of 5',
    '',
  ]);
});

test('a single viewpoint is counted in the singular', async () => {
  const printed = await print(false, [12], ({ onViewpointsRead }) => onViewpointsRead(1, undefined));
  expect(printed).toBe('Reading the instance: 1 viewpoint\n');
});
