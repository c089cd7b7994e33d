import type { RunControl } from '../changes/bulkRules/runChange.ts';
import type { RunProgress } from '../changes/run/trackProgress.ts';
import { english } from '../base/localize.ts';
import { formatWait } from '../client/messages/formatWait.ts';
import type { CommandContext } from './command.ts';

/** The interval of progress updates on a terminal. */
const progressIntervalMs = 500;
/** The first pause after a message that a change waits, in a log, that is: without a terminal. It doubles each time. */
const firstWaitIntervalMs = 1000;
const maxWaitIntervalMs = 60_000;

/**
 * Creates the control of a change that can be interrupted and shows its progress. Without a terminal, it shows only that
 * the change waits, which may take long: each of the first waits, later ones less and less often.
 */
export function createRunControl({
  clock,
  signal,
  shell,
  output,
}: Pick<CommandContext, 'clock' | 'signal' | 'shell' | 'output'>): RunControl {
  let lastUpdate = clock.now();
  const isWaitSkipped = createWaitFilter();
  const isSkipped = ({ wait }: RunProgress, now: number): boolean =>
    shell.isErrorTerminal
      ? wait === undefined && now - lastUpdate < progressIntervalMs
      : wait === undefined || isWaitSkipped(now, wait.ms);
  return {
    signal,
    onProgress: (progress: RunProgress) => {
      const now = clock.now();
      if (isSkipped(progress, now)) {
        return;
      }
      const { done, total, wait } = progress;
      lastUpdate = now;
      // Only rules are counted.
      const parts = [
        ...(total > 0 ? [`${done} of ${total}`] : []),
        ...(wait === undefined ? [] : [formatWait(english, wait)]),
      ];
      output.printMessage(parts.join('. '));
    },
  };
}

/** Returns a function that returns whether a wait isn't worth a line of a log, beside those before it. */
function createWaitFilter(): (now: number, ms: number) => boolean {
  let intervalMs = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  /** When the last wait that was printed ends. */
  let knownEnd = Number.NEGATIVE_INFINITY;
  return (now, ms) => {
    const end = now + ms;
    // Several requests may wait at the same time. One that waits much longer than was said is printed, too.
    if (now < Math.max(knownEnd, nextAt) && end - knownEnd < maxWaitIntervalMs) {
      return true;
    }
    knownEnd = end;
    nextAt = now + intervalMs;
    intervalMs = Math.min(maxWaitIntervalMs, Math.max(firstWaitIntervalMs, intervalMs * 2));
    return false;
  };
}
