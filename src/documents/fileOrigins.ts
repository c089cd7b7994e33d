import * as z from 'zod';
import type { ValueStorage } from '../base/valueStorage.ts';

const originsSchema = z.array(z.tuple([z.string(), z.string()]));

/** The maximum number of stored origins; the oldest are deleted first. */
const maxOrigins = 500;

/** Stores the origins of workspace files: the document of the server that each is a copy of. */
export class FileOrigins {
  readonly #storage: ValueStorage;
  /** The origins as last read, and the value that they were read from. */
  #lastRead: { readonly value: unknown; readonly origins: ReadonlyMap<string, string> } | undefined;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** Returns the path of the document that a file is a copy of. */
  get(file: string): string | undefined {
    return this.#readAll().get(file);
  }

  /** Returns all files that have an origin. */
  getFiles(): readonly string[] {
    return [...this.#readAll().keys()];
  }

  set(file: string, path: string): void {
    const origins = new Map(this.#readAll());
    origins.delete(file);
    this.#storage.write([...origins.set(file, path)].slice(-maxOrigins));
  }

  #readAll(): ReadonlyMap<string, string> {
    const value = this.#storage.read();
    if (this.#lastRead === undefined || this.#lastRead.value !== value) {
      this.#lastRead = { value, origins: new Map(originsSchema.safeParse(value).data) };
    }
    return this.#lastRead.origins;
  }
}
