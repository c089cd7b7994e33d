interface Entry<T> {
  /** The last value that was loaded or put. */
  kept?: { readonly value: T };
  /** The load under way. */
  loading?: Promise<T> | undefined;
}

/**
 * Keeps what was loaded, by key. Callers who ask at the same time share one load. A failed load is not kept: the next
 * caller tries again. A load that began before its key was forgotten or put answers those who wait for it, and fills
 * nothing.
 */
export class PromiseCache<T> {
  /** An entry that is no longer in here is left to the load that began with it. */
  readonly #entries = new Map<string, Entry<T>>();

  /**
   * The kept value, or the one that `load` brings.
   * @throws what `load` throws
   */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key);
    return entry?.kept === undefined ? this.refresh(key, load) : Promise.resolve(entry.kept.value);
  }

  /**
   * The value that `load` brings, or the load that is under way. What was kept before stays until then, and stays
   * where the load fails.
   * @throws what `load` throws
   */
  refresh(key: string, load: () => Promise<T>): Promise<T> {
    const underWay = this.#entries.get(key)?.loading;
    if (underWay !== undefined) {
      return underWay;
    }
    const started = load();
    const entry = this.#entries.get(key) ?? {};
    this.#entries.set(key, entry);
    // The value is kept before anybody who awaits it goes on, so that it can be peeked at from there.
    const loading = started.then((value) => {
      entry.kept = { value };
      entry.loading = undefined;
      return value;
    });
    entry.loading = loading;
    loading.catch(() => this.#failed(key, entry));
    return loading;
  }

  /** What is kept; `undefined` where nothing is. Loads nothing. */
  peek(key: string): T | undefined {
    return this.#entries.get(key)?.kept?.value;
  }

  /** All that is kept. */
  get entries(): readonly (readonly [key: string, value: T])[] {
    return [...this.#entries].flatMap(([key, { kept }]) =>
      kept === undefined ? [] : [[key, kept.value] as const],
    );
  }

  /** Keeps a value that came by another way. */
  put(key: string, value: T): void {
    this.#entries.set(key, { kept: { value } });
  }

  /** Forgets one entry; the next caller loads it. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #failed(key: string, entry: Entry<T>): void {
    entry.loading = undefined;
    if (entry.kept === undefined && this.#entries.get(key) === entry) {
      this.#entries.delete(key);
    }
  }
}
