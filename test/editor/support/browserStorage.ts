import type { Page } from 'playwright-core';

/** One value that the editor stores in the browser: settings, global and workspace state, and secrets. */
export interface StoredValue {
  /** `localStorage`, `sessionStorage`, or a database and its object store. */
  readonly storage: string;
  readonly key: string;
  readonly text: string;
}

/** Reads everything that the editor stores in the browser. */
export function readBrowserStorage(page: Page): Promise<readonly StoredValue[]> {
  return page.evaluate(async () => {
    const found: { storage: string; key: string; text: string }[] = [];
    for (const [name, storage] of [
      ['localStorage', localStorage],
      ['sessionStorage', sessionStorage],
    ] as const) {
      for (const [key, value] of Object.entries(storage)) {
        found.push({ storage: name, key, text: String(value) });
      }
    }
    const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await toPromise(indexedDB.open(name));
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName, 'readonly').objectStore(storeName);
        const [keys, values] = await Promise.all([toPromise(store.getAllKeys()), toPromise(store.getAll())]);
        for (const [index, value] of values.entries()) {
          const text =
            value instanceof Uint8Array ? new TextDecoder().decode(value) : (JSON.stringify(value) ?? '');
          found.push({ storage: `${name}/${storeName}`, key: JSON.stringify(keys[index]) ?? '', text });
        }
      }
      database.close();
    }
    return found;
  });
}
