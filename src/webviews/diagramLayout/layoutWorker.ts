import { parentPort, workerData } from 'node:worker_threads';
import { arrange } from './arrange.ts';
import type { LayoutInput } from './layoutInput.ts';

/** Computes one layout and ends. What it is handed comes from `layoutThread.ts`. */
parentPort?.postMessage(arrange(workerData as LayoutInput));
