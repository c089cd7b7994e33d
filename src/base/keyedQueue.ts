/** Options of a task that may have to wait for earlier ones. */
export interface QueueOptions {
  /** A task whose signal aborts while it waits is not run. Once it runs, it has to watch its signal itself. */
  readonly signal?: AbortSignal | undefined;
  /** Called with true if the task has to wait, and with false when it no longer does. */
  readonly onQueued?: ((isQueued: boolean) => void) | undefined;
}

/** Runs tasks with the same key one after another; tasks with different keys run in parallel. */
export class KeyedQueue<Key> {
  /** For each key, resolves when the last queued task and all before it have ended; never rejects. */
  readonly #lastTasks = new Map<Key, Promise<void>>();

  /**
   * Runs the task after all earlier tasks with the same key have succeeded or failed; immediately if there are none.
   * @throws the signal's reason if it aborts while the task waits, otherwise what the task throws
   */
  async run<T>(key: Key, task: () => Promise<T>, options: QueueOptions = {}): Promise<T> {
    const previousTask = this.#lastTasks.get(key);
    const { promise: ownTask, resolve: finishOwnTask } = Promise.withResolvers<void>();
    this.#lastTasks.set(key, ownTask);
    const end = (): void => {
      if (this.#lastTasks.get(key) === ownTask) {
        this.#lastTasks.delete(key);
      }
      finishOwnTask();
    };
    if (previousTask !== undefined) {
      try {
        await waitForTurn(previousTask, options);
      } catch (error) {
        // The tasks behind this one still have to wait for those before it.
        void previousTask.then(end);
        throw error;
      }
    }
    try {
      return await task();
    } finally {
      end();
    }
  }
}

/** @throws the signal's reason if it aborts before the previous task has ended */
async function waitForTurn(previousTask: Promise<void>, { signal, onQueued }: QueueOptions): Promise<void> {
  signal?.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  onQueued?.(true);
  try {
    await Promise.race([previousTask, aborted]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    onQueued?.(false);
  }
}
