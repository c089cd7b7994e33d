import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { parseLossless } from '../../base/json.ts';
import type { WorkerStart } from './engine.ts';
import type { BuildJob } from './port.ts';
import { runBuild } from './runBuild.ts';

/** Builds what the thread was started with and posts the outcome. */
async function main({ job: text, temporary }: WorkerStart): Promise<void> {
  const job = parseLossless(text) as unknown as BuildJob;
  const outcome = await runBuild(job, {
    now: () => Date.now(),
    temporary,
    async pause(share) {
      if (job.delayMs > 0) {
        await setTimeout(job.delayMs * share);
      }
    },
  });
  parentPort?.postMessage(outcome, []);
}

// A rejection ends the thread with an error event, which the engine reports.
void main(workerData as WorkerStart);
