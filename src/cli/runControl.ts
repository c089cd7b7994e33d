import type { RunControl } from '../changes/bulkRules/runChange.ts';
import type { RunProgress } from '../changes/run/trackProgress.ts';
import { english } from '../base/localize.ts';
import { formatWait } from '../client/messages/formatWait.ts';
import type { CommandContext } from './command.ts';

/** The interval of progress updates on a terminal. */
const progressIntervalMs = 500;
/**
 * Without a terminal: the minimum time between the first two messages that say that a change is waiting. The time
 * doubles with each further message.
 */
const firstWaitIntervalMs = 1000;
const maxWaitIntervalMs = 60_000;

/**
 * Creates the options of a change that make it interruptible and show its progress. Without a terminal, only waits are
 * shown, since they may take long: each of the first waits, and later ones less and less often.
 */
export function createRunControl({
  clock,
  signal,
  shell,
  output,
}: Pick<CommandContext, 'clock' | 'signal' | 'shell' | 'output'>): RunControl {
  let lastUpdate = clock.now();
  const isWaitSkipped = createWaitSkipCheck();
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
      // `done` and `total` count only rules, so `total` is 0 for a change without rules.
      const parts = [
        ...(total > 0 ? [`${done} of ${total}`] : []),
        ...(wait === undefined ? [] : [formatWait(english, wait)]),
      ];
      output.printMessage(parts.join('. '));
    },
  };
}

/**
 * Creates a function that returns whether a wait is skipped in a log, because a recent line covers it. The function
 * receives the current time and the length of the wait.
 */
function createWaitSkipCheck(): (now: number, ms: number) => boolean {
  let intervalMs = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  /** When the last wait that was printed ends. */
  let knownEnd = Number.NEGATIVE_INFINITY;
  return (now, ms) => {
    const end = now + ms;
    // Several requests may wait at the same time. A wait that ends much later than the last printed one isn't skipped.
    if (now < Math.max(knownEnd, nextAt) && end - knownEnd < maxWaitIntervalMs) {
      return true;
    }
    knownEnd = end;
    nextAt = now + intervalMs;
    intervalMs = Math.min(maxWaitIntervalMs, Math.max(firstWaitIntervalMs, intervalMs * 2));
    return false;
  };
}
