interface Entry<T> {
  /** The last value that was loaded or set. */
  kept?: { readonly value: T };
  /** The load in progress. */
  loading?: Promise<T> | undefined;
}

/**
 * Caches loaded values by key. Concurrent callers share one load. Failed loads are not cached, so the next caller tries
 * again. If a key is forgotten or set during a load, the load still resolves for its callers but is not cached.
 */
export class PromiseCache<T> {
  /** A load only updates the entry that was in this map when it began. */
  readonly #entries = new Map<string, Entry<T>>();

  /**
   * Returns the cached value, or loads it.
   * @throws what `load` throws
   */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key);
    return entry?.kept === undefined ? this.refresh(key, load) : Promise.resolve(entry.kept.value);
  }

  /**
   * Loads the value again, or joins the load in progress. The cached value is kept until the load succeeds.
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
    // Cache the value before any awaiting caller continues, so that `peek` returns it.
    const loading = started.then((value) => {
      entry.kept = { value };
      entry.loading = undefined;
      return value;
    });
    entry.loading = loading;
    loading.catch(() => this.#failed(key, entry));
    return loading;
  }

  /** The cached value; `undefined` if there is none. Loads nothing. */
  peek(key: string): T | undefined {
    return this.#entries.get(key)?.kept?.value;
  }

  get entries(): readonly (readonly [key: string, value: T])[] {
    return [...this.#entries].flatMap(([key, { kept }]) =>
      kept === undefined ? [] : [[key, kept.value] as const],
    );
  }

  /** Caches a value that was not loaded through this cache. */
  put(key: string, value: T): void {
    this.#entries.set(key, { kept: { value } });
  }

  /** Removes a value; the next caller loads it again. */
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
