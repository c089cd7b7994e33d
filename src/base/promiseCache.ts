/**
 * Keeps the promise of each load, so that callers who ask at the same time share one request. A failed load is not
 * kept: the next caller tries again.
 */
export class PromiseCache<T> {
  readonly #entries = new Map<string, Promise<T>>();

  /** The kept value, or the one that `load` brings. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      return known;
    }
    const loading = load();
    this.#entries.set(key, loading);
    loading.catch(() => {
      // Only this very load is forgotten: a newer one may have taken its place meanwhile.
      if (this.#entries.get(key) === loading) {
        this.#entries.delete(key);
      }
    });
    return loading;
  }

  /** Forgets one entry; the next caller loads it anew. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
