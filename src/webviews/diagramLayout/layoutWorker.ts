import { parentPort, workerData } from 'node:worker_threads';
import { computeLayout } from './computeLayout.ts';
import type { LayoutInput } from './layoutInput.ts';

/** Computes one layout and ends. Its input comes from `layoutThread.ts`. */
parentPort?.postMessage(computeLayout(workerData as LayoutInput));
