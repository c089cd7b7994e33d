/** Runs tasks with the same key one after another; tasks with different keys run in parallel. */
export class KeyedQueue<Key> {
  /** For each key, resolves when the last queued task has ended; never rejects. */
  readonly #lastTasks = new Map<Key, Promise<void>>();

  /**
   * Runs the task after all earlier tasks with the same key have succeeded or failed; immediately if there are none.
   * @throws what the task throws
   */
  async run<T>(key: Key, task: () => Promise<T>): Promise<T> {
    const previousTask = this.#lastTasks.get(key);
    const { promise: ownTask, resolve: finishOwnTask } = Promise.withResolvers<void>();
    this.#lastTasks.set(key, ownTask);
    try {
      if (previousTask !== undefined) {
        await previousTask;
      }
      return await task();
    } finally {
      if (this.#lastTasks.get(key) === ownTask) {
        this.#lastTasks.delete(key);
      }
      finishOwnTask();
    }
  }
}
