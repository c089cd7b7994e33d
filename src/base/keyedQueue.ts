/** Runs tasks of one key one after the other; tasks of other keys run in parallel. */
export class KeyedQueue<Key> {
  /** The end of the last unfinished task of each key; never rejects. */
  readonly #last = new Map<Key, Promise<void>>();

  /**
   * Runs the task after all earlier tasks of the key have ended, however they ended; at once if there are none.
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
