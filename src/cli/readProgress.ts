import type { CommandContext } from './command.ts';
import { supportsControlSequences } from './shell.ts';

/** The minimum interval between two lines without a terminal: the log of a pipeline should be short. */
const intervalMs = 10_000;

/** The functions that a pull or plan calls while it reads an instance. */
interface ReadProgress {
  readonly onProgress: (readCount: number, total: number) => void;
  readonly onViewpointsRead: (readCount: number, total: number | undefined) => void;
}

/**
 * Returns the functions that show how much of an instance was read: on a terminal in one line, elsewhere as a line from
 * time to time, so that the log of a long pull shows that it's still running. Viewpoints are one part, but may take
 * most of the time, so their pages count, too.
 */
export function createReadProgress({
  output,
  shell,
  clock,
}: Pick<CommandContext, 'output' | 'shell' | 'clock'>): ReadProgress {
  const isTerminal = supportsControlSequences(shell);
  let lastPrintedAt = clock.now();
  let partsText = '';
  let viewpointsText = '';
  const show = (): void => {
    const counts = [partsText, viewpointsText].filter((count) => count !== '');
    const text = `Reading the instance: ${counts.join(', ')}`;
    if (counts.length === 0) {
      return;
    }
    if (isTerminal) {
      output.showProgress(text);
    } else if (clock.now() - lastPrintedAt >= intervalMs) {
      lastPrintedAt = clock.now();
      output.printMessage(text);
    }
  };
  return {
    onProgress: (readCount, total) => {
      partsText = `${readCount} of ${total}`;
      show();
    },
    onViewpointsRead: (readCount, total) => {
      const isDone = total !== undefined && readCount >= total;
      viewpointsText = isDone ? '' : formatViewpointCount(readCount, total);
      show();
    },
  };
}

function formatViewpointCount(readCount: number, total: number | undefined): string {
  if (total !== undefined) {
    return `${readCount} of ${total} viewpoints`;
  }
  return readCount === 1 ? '1 viewpoint' : `${readCount} viewpoints`;
}
