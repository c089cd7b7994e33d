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

const sendReport = (message: ProcessReport, onSent?: () => void): void => {
  process.send?.(message, () => onSent?.());
};

/** Runs jobs in a worker thread. Kills the process when a job exceeds a limit, or when the sandbox disconnects. */
function watchWorker(): void {
  const worker = new Worker(new URL(import.meta.url));
  let limits: JobMessage['limits'] | undefined;
  let table: string | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let memoryPoll: NodeJS.Timeout | undefined;
  const stopTimers = (): void => {
    clearTimeout(deadline);
    clearInterval(memoryPoll);
  };
  const reportAndKill = (report: ProcessReport): void => {
    stopTimers();
    sendReport(report, killProcess);
  };
  const reportLimit = (limit: 'time' | 'memory'): void =>
    reportAndKill({ kind: 'limit-exceeded', limit, ...(table === undefined ? {} : { table }) });
  process.on('disconnect', killProcess);
  process.on('message', (message: JobMessage) => {
    limits = message.limits;
    table = undefined;
    const { memoryBytes } = limits;
    memoryPoll = setInterval(() => {
      if (process.memoryUsage.rss() > memoryBytes) {
        reportLimit('memory');
      }
    }, memoryPollMs);
    worker.postMessage(message.job);
  });
  worker.on('message', (message: WorkerMessage) => {
    switch (message.kind) {
      case 'begin':
        table = message.table;
        deadline = setTimeout(() => reportLimit('time'), limits?.timeMs);
        break;
      case 'end':
        clearTimeout(deadline);
        table = undefined;
        break;
      case 'result':
        stopTimers();
        sendReport({ kind: 'result', result: message.result, memoryBytes: process.memoryUsage.rss() });
    }
  });
  worker.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      reportLimit('memory');
    } else {
      reportAndKill({ kind: 'failed', message: error.message });
    }
  });
}

if (isMainThread) {
  watchWorker();
} else {
  // The main thread does not load the engine.
  await import('./engineWorker.ts');
}
