import type { RunControl } from '../changes/bulkRules/runChange.ts';
import type { RunProgress } from '../changes/run/trackProgress.ts';
import type { CommandContext } from './command.ts';

/** The interval of progress updates on a terminal. */
const progressIntervalMs = 500;

/** Creates the control of a change that can be interrupted and shows its progress. */
export function createRunControl({
  clock,
  signal,
  shell,
  output,
}: Pick<CommandContext, 'clock' | 'signal' | 'shell' | 'output'>): RunControl {
  let lastUpdate = clock.now();
  return {
    signal,
    onProgress: ({ done, total, waitMs }: RunProgress) => {
      const now = clock.now();
      if (!shell.isErrorTerminal || (now - lastUpdate < progressIntervalMs && waitMs === undefined)) {
        return;
      }
      lastUpdate = now;
      output.printMessage(
        waitMs === undefined
          ? `${done} of ${total}`
          : `${done} of ${total}. The server is busy: waiting ${Math.ceil(waitMs / 1000)} s.`,
      );
    },
  };
}
