import * as z from 'zod';
import type { ValueStorage } from '../../base/valueStorage.ts';

const schema = z.array(z.tuple([z.string(), z.string()]));

/** How many are kept: the oldest go first. */
const maxLinks = 500;

/** Which files of the workspace belong to which documents, as far as a person has said so. */
export class DocumentLinks {
  readonly #storage: ValueStorage;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** The path of the document that a file belongs to. */
  get(file: string): string | undefined {
    return this.#readAll().get(file);
  }

  set(file: string, path: string): void {
    const all = this.#readAll();
    all.delete(file);
    this.#storage.write([...all.set(file, path)].slice(-maxLinks));
  }

  #readAll(): Map<string, string> {
    return new Map(schema.safeParse(this.#storage.read()).data);
  }
}
