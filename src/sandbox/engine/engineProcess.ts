import { isMainThread, Worker } from 'node:worker_threads';
import type { JobMessage, ProcessReport, WorkerMessage } from './messages.ts';

/**
 * The program of a process of the engine. One thread works and one watches it: a thread that SQLite or a pattern keeps
 * busy can be neither asked to stop nor ended from within, but its process can, by the thread that is always free.
 */

/** How often the memory of the process is looked at, in milliseconds. */
const memoryPollMs = 20;

/** Nothing asks a process whose thread is stuck: SIGKILL ends it wherever it is. */
const killProcess = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const sendReport = (message: ProcessReport, then?: () => void): void => {
  process.send?.(message, () => then?.());
};

/** Runs the jobs of the sandbox in a thread and ends the process when one passes a bound, or the sandbox is gone. */
function watchWorker(): void {
  const worker = new Worker(new URL(import.meta.url));
  let bounds: JobMessage['bounds'] | undefined;
  let table: string | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let look: NodeJS.Timeout | undefined;
  const rest = (): void => {
    clearTimeout(deadline);
    clearInterval(look);
  };
  const stop = (last: ProcessReport): void => {
    rest();
    sendReport(last, killProcess);
  };
  const reportAndEnd = (bound: 'time' | 'memory'): void =>
    stop({ kind: 'bound', bound, ...(table === undefined ? {} : { table }) });
  process.on('disconnect', killProcess);
  process.on('message', (message: JobMessage) => {
    bounds = message.bounds;
    table = undefined;
    const { memoryBytes } = bounds;
    look = setInterval(() => {
      if (process.memoryUsage.rss() > memoryBytes) {
        reportAndEnd('memory');
      }
    }, memoryPollMs);
    worker.postMessage(message.job);
  });
  worker.on('message', (message: WorkerMessage) => {
    switch (message.kind) {
      case 'begin':
        table = message.table;
        deadline = setTimeout(() => reportAndEnd('time'), bounds?.timeMs);
        break;
      case 'end':
        clearTimeout(deadline);
        table = undefined;
        break;
      case 'result':
        rest();
        sendReport({ kind: 'result', result: message.result, memoryBytes: process.memoryUsage.rss() });
    }
  });
  worker.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      reportAndEnd('memory');
    } else {
      stop({ kind: 'failed', message: error.message });
    }
  });
}

if (isMainThread) {
  watchWorker();
} else {
  // Only the thread that works needs the engine.
  await import('./engineWorker.ts');
}
