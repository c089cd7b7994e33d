import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { platform } from 'node:os';
import { expect, test } from 'vitest';
import { isAlive } from '../../../../src/changes/journal/isAlive.ts';

test('this process is alive, and one that does not exist is not', () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(process.ppid)).toBe(true);
  expect(isAlive(999_999_999)).toBe(false);
});

test.skipIf(platform() !== 'linux')(
  'a process that was killed is not alive, even if its parent never asks for its end',
  async () => {
    // `cat` replaces the shell that is the parent, and knows nothing of the other process.
    const parent = spawn('sh', ['-c', 'cat >&2 <&3 3<&- & echo $!; exec cat'], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    try {
      const [output] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(output.toString());
      expect(isAlive(pid)).toBe(true);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isAlive(pid)).toBe(false);
      // The system still has its ID.
      expect(process.kill(pid, 0)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
