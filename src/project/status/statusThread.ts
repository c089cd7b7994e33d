import type { Disposable } from '../../base/disposable.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import { type CallArguments, type CallResult, CallableThread } from '../../base/threadCalls.ts';
import type { InstanceReading } from '../source/readInstance.ts';
import { createChunks } from './serverReading.ts';
import type { ProjectStatus, StatusCalls, StatusTarget } from './statusCalls.ts';

/** What the thread reports to its caller. */
interface StatusThreadEvents {
  /** The thread has failed. The next call starts another one. */
  readonly onFailure: (reason: Error) => void;
  /** A thread that replaces another one has read the files. It has no documents of the instance yet. */
  readonly onRestart: (status: ProjectStatus) => void;
}

/**
 * The status of a project in a thread of its own, so that thousands of files don't block the caller. A thread that has
 * failed is replaced at the next call.
 */
export class StatusThread implements Disposable {
  readonly #start: () => CallableThread<StatusCalls>;
  readonly #events: StatusThreadEvents;
  readonly #readings = new KeyedQueue<'reading'>();
  #running: CallableThread<StatusCalls>;
  #isDisposed = false;

  /** @param script the path or URL of `statusWorker.ts` or its bundle */
  constructor(script: string | URL, target: StatusTarget, events: StatusThreadEvents) {
    this.#events = events;
    this.#start = () =>
      new CallableThread<StatusCalls>(script, target, (reason) => {
        if (!this.#isDisposed) {
          events.onFailure(reason);
        }
      });
    this.#running = this.#start();
  }

  /** @throws Error if the thread fails or is disposed */
  async call<Name extends keyof StatusCalls>(
    call: Name,
    ...argument: CallArguments<StatusCalls, Name>
  ): Promise<CallResult<StatusCalls, Name>> {
    const { thread, reloaded } = this.#getThread();
    const [result] = await Promise.all([thread.call(call, ...argument), reloaded]);
    return result;
  }

  /**
   * Sends a reading of the instance to the thread, in chunks that don't block the caller. Readings are sent one after
   * the other.
   * @throws Error if the thread fails or is disposed
   */
  setReading({ documents, scope }: Pick<InstanceReading, 'documents' | 'scope'>): Promise<ProjectStatus> {
    return this.#readings.run('reading', async () => {
      // All chunks go to the same thread: if it is replaced, the new thread must not receive only the rest.
      const { thread, reloaded } = this.#getThread();
      await Promise.all([thread.call('startReading'), reloaded]);
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
  #getThread(): { readonly thread: CallableThread<StatusCalls>; readonly reloaded?: Promise<void> } {
    if (this.#isDisposed || !this.#running.hasEnded) {
      return { thread: this.#running };
    }
    const thread = this.#start();
    this.#running = thread;
    return { thread, reloaded: thread.call('reload').then(this.#events.onRestart) };
  }
}
