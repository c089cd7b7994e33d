import type { CommandContext } from './command.ts';
import { hasControlSequences } from './shell.ts';

/** Without a terminal, a line is printed this often at most: the log of a pipeline should be short. */
const intervalMs = 10_000;

/**
 * Returns a function that shows how much of an instance was read: on a terminal in one line, elsewhere as a line from
 * time to time, so that the log of a long pull shows that it's still running.
 */
export function createReadProgress({
  output,
  shell,
  clock,
}: Pick<CommandContext, 'output' | 'shell' | 'clock'>): (readCount: number, total: number) => void {
  const isTerminal = hasControlSequences(shell);
  let lastPrintedAt = clock.now();
  return (readCount, total) => {
    const text = `Reading the instance: ${readCount} of ${total}`;
    if (isTerminal) {
      output.showProgress(text);
    } else if (clock.now() - lastPrintedAt >= intervalMs) {
      lastPrintedAt = clock.now();
      output.printMessage(text);
    }
  };
}
