import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../base/threadCalls.ts';
import { StatusEngine } from './statusEngine.ts';
import type { StatusCalls, StatusTarget } from './statusCalls.ts';

/** The worker thread that computes the status of a project. Started by `statusThread.ts`. */
if (parentPort !== null) {
  serveCalls<StatusCalls>(parentPort, new StatusEngine(workerData as StatusTarget));
}
