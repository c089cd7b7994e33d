import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import type { InstanceReading } from '../source/readInstance.ts';
import { createChunks } from './serverReading.ts';
import type {
  ProjectStatus,
  StatusCalls,
  StatusRequest,
  StatusResponse,
  StatusTarget,
} from './statusMessages.ts';

type Call = keyof StatusCalls;
type Argument<Name extends Call> = Parameters<StatusCalls[Name]>;
type Result<Name extends Call> = Awaited<ReturnType<StatusCalls[Name]>>;

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What the thread reports to its caller. */
interface StatusThreadEvents {
  /** The thread has failed. The next call starts another one. */
  readonly onFailure: (reason: Error) => void;
  /** A thread that replaces another one has read the files. It knows nothing of the instance. */
  readonly onRestart: (status: ProjectStatus) => void;
}

/** The memory limit of a thread: without it, a project that is too large could take that of the whole editor. */
const maxMegabytes = 2048;

/**
 * The status of a project in a thread of its own, so that thousands of files don't block the caller. A thread that has
 * failed is replaced at the next call.
 */
export class StatusThread implements Disposable {
  readonly #start: () => RunningThread;
  readonly #events: StatusThreadEvents;
  readonly #readings = new KeyedQueue<'reading'>();
  #running: RunningThread;
  #isDisposed = false;

  /** @param script the path or URL of `statusWorker.ts` or its bundle */
  constructor(script: string | URL, target: StatusTarget, events: StatusThreadEvents) {
    this.#events = events;
    this.#start = () =>
      new RunningThread(script, target, (reason) => {
        if (!this.#isDisposed) {
          events.onFailure(reason);
        }
      });
    this.#running = this.#start();
  }

  /** @throws Error if the thread fails or is disposed */
  async call<Name extends Call>(call: Name, ...[argument]: Argument<Name>): Promise<Result<Name>> {
    const { thread, reloaded } = this.#getThread();
    const [result] = await Promise.all([thread.call(call, argument), reloaded]);
    return result;
  }

  /**
   * Hands a reading of the instance to the thread, in pieces that don't block the caller. Readings are handed over one
   * after the other.
   * @throws Error if the thread fails or is disposed
   */
  setReading({ documents, scope }: Pick<InstanceReading, 'documents' | 'scope'>): Promise<ProjectStatus> {
    return this.#readings.run('reading', async () => {
      // All pieces go to the same thread: one that replaces it must not get the rest.
      const { thread, reloaded } = this.#getThread();
      await Promise.all([thread.call('startReading', undefined), reloaded]);
      for (const chunk of createChunks(documents)) {
        await thread.call('addDocuments', chunk);
      }
      return thread.call('finishReading', scope);
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#running.end(new Error('The status of the project was closed'));
  }

  /** Returns a thread that has read the files once `reloaded` resolves, which is before it answers other calls. */
  #getThread(): { readonly thread: RunningThread; readonly reloaded?: Promise<void> } {
    if (this.#isDisposed || !this.#running.hasEnded) {
      return { thread: this.#running };
    }
    const thread = this.#start();
    this.#running = thread;
    return { thread, reloaded: thread.call('reload', undefined).then(this.#events.onRestart) };
  }
}

/** A thread from its start to its end. */
class RunningThread {
  readonly #worker: Worker;
  readonly #onFailure: (reason: Error) => void;
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 0;
  /** Why the thread has ended. */
  #end: Error | undefined;

  constructor(script: string | URL, target: StatusTarget, onFailure: (reason: Error) => void) {
    this.#onFailure = onFailure;
    const resourceLimits = { maxOldGenerationSizeMb: maxMegabytes };
    this.#worker = new Worker(script, { workerData: target, resourceLimits });
    this.#worker.on('message', (response: StatusResponse) => this.#settle(response));
    this.#worker.once('error', (error) => this.end(error));
    this.#worker.once('exit', (code) =>
      this.end(new Error(`The thread with the status of the project has ended with code ${code}`)),
    );
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  call<Name extends Call>(call: Name, argument: Argument<Name>[0]): Promise<Result<Name>> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#end !== undefined) {
        reject(this.#end);
        return;
      }
      const id = this.#nextId++;
      this.#pending.set(id, { resolve, reject });
      const request: StatusRequest = { id, call, argument };
      this.#worker.postMessage(request);
    }) as Promise<Result<Name>>;
  }

  /** Rejects what was asked and not answered. */
  end(reason: Error): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = reason;
    // What it would still answer is of no use.
    void this.#worker.terminate();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    pending.forEach(({ reject }) => reject(reason));
    this.#onFailure(reason);
  }

  #settle(response: StatusResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('error' in response) {
      pending?.reject(new Error(response.error));
    } else {
      pending?.resolve(response.value);
    }
  }
}
