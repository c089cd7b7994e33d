/** Runs tasks with the same key one after another; tasks with different keys run in parallel. */
export class KeyedQueue<Key> {
  /** For each key, resolves when the last queued task has ended; never rejects. */
  readonly #last = new Map<Key, Promise<void>>();

  /**
   * Runs the task after all earlier tasks with the same key have succeeded or failed; immediately if there are none.
   * @throws what the task throws
   */
  async run<T>(key: Key, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#last.set(key, ended);
    try {
      if (before !== undefined) {
        await before;
      }
      return await task();
    } finally {
      if (this.#last.get(key) === ended) {
        this.#last.delete(key);
      }
      end();
    }
  }
}
