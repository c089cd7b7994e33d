import { isMainThread, Worker } from 'node:worker_threads';
import type { JobMessage, ProcessReport, WorkerMessage } from './messages.ts';

/**
 * Entry point of an engine process. A worker thread runs the jobs, and the main thread watches it: a thread that is
 * inside SQLite or a regular expression cannot be interrupted, but the main thread can kill the whole process.
 */

/** Interval at which the memory of the process is checked, in milliseconds. */
const memoryPollMs = 20;

/** Ends the process with SIGKILL, because `process.exit` would wait for a blocked thread. */
const killProcess = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const sendReport = (message: ProcessReport, then?: () => void): void => {
  process.send?.(message, () => then?.());
};

/** Runs jobs in a worker thread. Kills the process when a job exceeds a limit, or when the sandbox disconnects. */
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
  // The main thread does not load the engine.
  await import('./engineWorker.ts');
}
