import * as z from 'zod';
import type { ValueStorage } from '../../base/valueStorage.ts';

const linksSchema = z.array(z.tuple([z.string(), z.string()]));

/** The maximum number of stored links; the oldest are deleted first. */
const maxLinks = 500;

/** Stores the links from workspace files to documents. */
export class DocumentLinks {
  readonly #storage: ValueStorage;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** Returns the path of the document that a file is linked to. */
  get(file: string): string | undefined {
    return this.#readAll().get(file);
  }

  set(file: string, path: string): void {
    const links = this.#readAll();
    links.delete(file);
    this.#storage.write([...links.set(file, path)].slice(-maxLinks));
  }

  #readAll(): Map<string, string> {
    return new Map(linksSchema.safeParse(this.#storage.read()).data);
  }
}
