import { parentPort, workerData } from 'node:worker_threads';
import { formatWithLongLimit } from '../../sql/format.ts';

// This script formats one text and exits. `formatInWorker.ts` starts it, and passes the text as `workerData`.
parentPort?.postMessage('ready');
parentPort?.postMessage({ text: formatWithLongLimit(workerData as string) });
