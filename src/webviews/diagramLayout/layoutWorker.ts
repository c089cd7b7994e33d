import { parentPort, workerData } from 'node:worker_threads';
import { computeLayout } from './computeLayout.ts';
import type { LayoutInput } from './layoutInput.ts';

/** The script of a worker thread that computes one layout and ends. `computeLayoutInWorker` passes the input. */
parentPort?.postMessage(computeLayout(workerData as LayoutInput));
