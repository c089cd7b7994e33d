import { parentPort, workerData } from 'node:worker_threads';
import { formatUnbounded } from '../../sql/format.ts';

/** Formats one text and exits. Its input comes from `formatThread.ts`. */
parentPort?.postMessage('ready');
parentPort?.postMessage({ text: formatUnbounded(workerData as string) });
