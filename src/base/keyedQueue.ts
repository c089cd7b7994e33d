/** Runs tasks of one key one after the other; those of other keys run beside them. */
export class KeyedQueue<Key> {
  /** The end of the last task of each key that is not done; never rejects. */
  readonly #last = new Map<Key, Promise<void>>();

  /**
   * Runs the task after all that were given for the key before, however these end; at once where there are none.
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
