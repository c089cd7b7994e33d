import { parentPort, workerData } from 'node:worker_threads';
import { formatUnbounded } from '../../sql/format.ts';

/** Lays one text out and ends. What it is handed comes from `formatThread.ts`. */
parentPort?.postMessage('ready');
parentPort?.postMessage({ text: formatUnbounded(workerData as string) });
