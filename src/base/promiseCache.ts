interface Entry<T> {
  /** The last value that was loaded or put. */
  kept?: { readonly value: T };
  /** The load in progress. */
  loading?: Promise<T> | undefined;
}

/**
 * Caches loaded values by key. Concurrent callers share one load. A failed load is not kept: the next caller tries
 * again. A load that began before its key was forgotten or put still resolves for those who wait for it, but is not
 * cached.
 */
export class PromiseCache<T> {
  /** A load whose entry is no longer in this map leaves the map alone. */
  readonly #entries = new Map<string, Entry<T>>();

  /**
   * The cached value, or the one that `load` returns.
   * @throws what `load` throws
   */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key);
    return entry?.kept === undefined ? this.refresh(key, load) : Promise.resolve(entry.kept.value);
  }

  /**
   * Loads the value again, or joins the load in progress. The cached value stays until then, and remains if the load
   * fails.
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
    // The value is cached before any awaiting caller continues, so that they can peek at it.
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

  /** Caches a value that was obtained in another way. */
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
