interface Entry<T> {
  readonly load: Promise<T>;
  loaded?: { readonly value: T };
}

/**
 * Keeps the promise of each load, so that callers who ask at the same time share one request, and can be asked what
 * it holds without loading anything. A failed load is not kept: the next caller tries again.
 */
export class LoadCache<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /** The kept value, or the one that `load` brings. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      return known.load;
    }
    // The value is written down before anybody who awaits it goes on, so that it can be peeked at from there.
    const entry: Entry<T> = {
      load: load().then((value) => {
        entry.loaded = { value };
        return value;
      }),
    };
    this.#entries.set(key, entry);
    entry.load.catch(() => {
      // Only this very load is forgotten: a newer one may have taken its place meanwhile.
      if (this.#entries.get(key) === entry) {
        this.#entries.delete(key);
      }
    });
    return entry.load;
  }

  /** What was loaded and not forgotten since; `undefined` when nothing was. */
  peek(key: string): T | undefined {
    return this.#entries.get(key)?.loaded?.value;
  }

  /** All that was loaded and not forgotten since. */
  get loaded(): readonly (readonly [key: string, value: T])[] {
    return [...this.#entries].flatMap(([key, { loaded }]) =>
      loaded === undefined ? [] : [[key, loaded.value] as const],
    );
  }

  /** Keeps a value that came by another way, in place of what was kept. */
  put(key: string, value: T): void {
    this.#entries.set(key, { load: Promise.resolve(value), loaded: { value } });
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
