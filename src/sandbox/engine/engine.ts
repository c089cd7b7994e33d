import { Worker } from 'node:worker_threads';
import { stringify } from '../../base/json.ts';
import { wordsOf } from './buildError.ts';
import { cubeFile, removeFile, removeStaleFiles, replaceFile, temporaryCubeFile } from './files.ts';
import type { BuildEngine, BuildJob, BuildOutcome } from './port.ts';

/** What the worker is started with; the job travels as text because a raw number does not survive cloning. */
export interface WorkerStart {
  readonly job: string;
  readonly temporary: string;
}

function isOutcome(value: unknown): value is BuildOutcome {
  return typeof value === 'object' && value !== null && 'status' in value;
}

/** Resolves with the worker's outcome, with `failed` when it dies without one, and at once when the signal aborts. */
function outcomeOf(worker: Worker, signal: AbortSignal): Promise<BuildOutcome> {
  return new Promise((resolve) => {
    const finish = (outcome: BuildOutcome): void => {
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const onAbort = (): void => finish({ status: 'cancelled' });
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('message', (message: unknown) =>
      finish(isOutcome(message) ? message : { status: 'failed', message: 'the build gave no outcome' }),
    );
    worker.once('error', (error) => finish({ status: 'failed', message: wordsOf(error) }));
    worker.once('exit', (code) => finish({ status: 'failed', message: `the build ended early (${code})` }));
  });
}

/** Removes the file of a cancelled build; one that is still open on Windows goes with the next start at the latest. */
function discard(file: string): void {
  try {
    removeFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EBUSY' || error.code === 'EPERM'))) {
      throw error;
    }
  }
}

class WorkerBuildEngine implements BuildEngine {
  readonly #worker: URL;
  #runs = 0;

  constructor(worker: URL) {
    this.#worker = worker;
  }

  async run(job: BuildJob, signal: AbortSignal): Promise<BuildOutcome> {
    if (signal.aborted) {
      return { status: 'cancelled' };
    }
    this.#runs += 1;
    const oid = typeof job.datamodel['oid'] === 'string' ? job.datamodel['oid'] : '';
    const temporary = temporaryCubeFile(job.folder, oid, this.#runs);
    removeStaleFiles(job.folder);
    const start: WorkerStart = { job: stringify(job), temporary };
    const worker = new Worker(this.#worker, { workerData: start });
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const outcome = await outcomeOf(worker, signal);
    const stopped = worker.terminate().then(() => ended);
    if (outcome.status === 'cancelled') {
      // Inside a long native call a thread ends when that call next looks up: nobody waits for it.
      discard(temporary);
      void stopped.then(() => discard(temporary));
      return outcome;
    }
    await stopped;
    if (outcome.status === 'done' && job.buildType !== 'publish') {
      replaceFile(temporary, cubeFile(job.folder, oid));
    }
    removeFile(temporary);
    return outcome;
  }
}

/**
 * An engine that runs each build in a thread of its own, so that the sandbox keeps answering. `worker` is the
 * address of `buildWorker.ts` or of its bundle.
 */
export function createBuildEngine({ worker }: { readonly worker: URL }): BuildEngine {
  return new WorkerBuildEngine(worker);
}
