interface CacheEntry<T> {
  /** The last value that was loaded or set. */
  cached?: { readonly value: T };
  /** The load in progress. */
  loading?: Promise<T> | undefined;
}

/**
 * Caches loaded values by key. Concurrent callers share one load. Failed loads are not cached, so the next caller tries
 * again. If a key is forgotten or set during a load, the load still resolves for its callers but is not cached.
 */
export class PromiseCache<T> {
  /** A load only updates the entry that was in this map when it began. */
  readonly #entries = new Map<string, CacheEntry<T>>();

  /**
   * Returns the cached value, or loads it.
   * @throws what `load` throws
   */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key);
    return entry?.cached === undefined ? this.refresh(key, load) : Promise.resolve(entry.cached.value);
  }

  /**
   * Loads the value again, or joins the load in progress. The cached value is kept until the load succeeds.
   * @throws what `load` throws
   */
  refresh(key: string, load: () => Promise<T>): Promise<T> {
    const pendingLoad = this.#entries.get(key)?.loading;
    if (pendingLoad !== undefined) {
      return pendingLoad;
    }
    const loadPromise = load();
    const entry = this.#entries.get(key) ?? {};
    this.#entries.set(key, entry);
    // Cache the value before any awaiting caller continues, so that `peek` returns it.
    const loading = loadPromise.then((value) => {
      entry.cached = { value };
      entry.loading = undefined;
      return value;
    });
    entry.loading = loading;
    loading.catch(() => this.#handleFailure(key, entry));
    return loading;
  }

  /** The cached value; `undefined` if there is none. Loads nothing. */
  peek(key: string): T | undefined {
    return this.#entries.get(key)?.cached?.value;
  }

  /** The keys of all values that are cached or being loaded. */
  get keys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  get entries(): readonly (readonly [key: string, value: T])[] {
    return [...this.#entries].flatMap(([key, { cached }]) =>
      cached === undefined ? [] : [[key, cached.value] as const],
    );
  }

  /** Caches a value that was not loaded through this cache. */
  set(key: string, value: T): void {
    this.#entries.set(key, { cached: { value } });
  }

  /** Removes a value; the next caller loads it again. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #handleFailure(key: string, entry: CacheEntry<T>): void {
    entry.loading = undefined;
    if (entry.cached === undefined && this.#entries.get(key) === entry) {
      this.#entries.delete(key);
    }
  }
}
