import { parentPort, workerData } from 'node:worker_threads';
import { formatWithLongLimit } from '../../sql/format.ts';

/** Formats one text and exits. Started by `formatInWorker.ts`, which passes the text. */
parentPort?.postMessage('ready');
parentPort?.postMessage({ text: formatWithLongLimit(workerData as string) });
