import type { RunControl } from '../changes/bulkRules/runChange.ts';
import type { RunProgress } from '../changes/run/trackProgress.ts';
import type { CommandContext } from './command.ts';

/** The interval of progress updates on a terminal. */
const progressIntervalMs = 500;
/** The shortest interval of messages that a change waits, in a log: without a terminal. */
const waitIntervalMs = 60_000;

/**
 * Creates the control of a change that can be interrupted and shows its progress. Without a terminal, it shows only that
 * the change waits for a busy server, which may take long.
 */
export function createRunControl({
  clock,
  signal,
  shell,
  output,
}: Pick<CommandContext, 'clock' | 'signal' | 'shell' | 'output'>): RunControl {
  let lastUpdate = clock.now();
  let lastWait = Number.NEGATIVE_INFINITY;
  const isSkipped = ({ waitMs }: RunProgress, now: number): boolean => {
    if (shell.isErrorTerminal) {
      return waitMs === undefined && now - lastUpdate < progressIntervalMs;
    }
    return waitMs === undefined || now - lastWait < waitIntervalMs;
  };
  return {
    signal,
    onProgress: (progress: RunProgress) => {
      const now = clock.now();
      if (isSkipped(progress, now)) {
        return;
      }
      const { done, total, waitMs } = progress;
      lastUpdate = now;
      lastWait = waitMs === undefined ? lastWait : now;
      // Only rules are counted.
      const parts = [
        ...(total > 0 ? [`${done} of ${total}`] : []),
        ...(waitMs === undefined ? [] : [`The server is busy: waiting ${Math.ceil(waitMs / 1000)} s.`]),
      ];
      output.printMessage(parts.join('. '));
    },
  };
}
