import type { RunHandle, RunProgress } from '../changes/bulkRules/runChange.ts';
import type { CommandContext } from './command.ts';

/** How often progress is shown to somebody who watches. */
const progressIntervalMs = 500;

/** Runs a change that can be interrupted, and shows how far it is. */
export function createRunHandle({
  clock,
  signal,
  shell,
  output,
}: Pick<CommandContext, 'clock' | 'signal' | 'shell' | 'output'>): RunHandle {
  let shown = clock.now();
  return {
    signal,
    onProgress: ({ done, total, waitMs }: RunProgress) => {
      const now = clock.now();
      if (!shell.isErrorTerminal || (now - shown < progressIntervalMs && waitMs === undefined)) {
        return;
      }
      shown = now;
      output.say(
        waitMs === undefined
          ? `${done} of ${total}`
          : `${done} of ${total}. The server is busy: waiting ${Math.ceil(waitMs / 1000)} s.`,
      );
    },
  };
}
