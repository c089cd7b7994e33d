import { setTimeout } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { parseLossless, stringify } from '../../base/json.ts';
import { runBuild } from './runBuild.ts';
import type { BuildJob } from './buildEngine.ts';
import type { WorkerMessage } from './messages.ts';
import { type EngineTask, runTask } from './tasks.ts';

/** A job for an engine process. */
export type EngineJob =
  | {
      readonly kind: 'build';
      readonly job: BuildJob;
      readonly temporaryFile: string;
      readonly maxRows: number;
    }
  | { readonly kind: 'task'; readonly task: EngineTask };

const postMessageToParent = (message: WorkerMessage): void => parentPort?.postMessage(message, []);

/** Runs work and reports its begin and end, so that the main thread can enforce the time limit. */
function runTimed<T>(table: string | undefined, work: () => T): T {
  postMessageToParent({ kind: 'begin', ...(table === undefined ? {} : { table }) });
  const result = work();
  postMessageToParent({ kind: 'end' });
  return result;
}

async function runJob(job: EngineJob): Promise<unknown> {
  if (job.kind === 'task') {
    return runTimed(undefined, () => runTask(job.task));
  }
  const { temporaryFile, maxRows } = job;
  const { delayMs } = job.job;
  return await runBuild(job.job, {
    now: () => Date.now(),
    temporaryFile,
    maxRows,
    runTimed,
    async pause(fraction) {
      if (delayMs > 0) {
        await setTimeout(delayMs * fraction);
      }
    },
  });
}

async function handleJob(text: string): Promise<void> {
  const result = await runJob(parseLossless(text) as unknown as EngineJob);
  postMessageToParent({ kind: 'result', result: stringify(result) });
}

// A rejection ends the thread with an `error` event, which the main thread reports.
parentPort?.on('message', (text: string) => void handleJob(text));
