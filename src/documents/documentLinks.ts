import * as z from 'zod';
import type { ValueStorage } from '../base/valueStorage.ts';

const linksSchema = z.array(z.tuple([z.string(), z.string()]));

/** The maximum number of stored links; the oldest are deleted first. */
const maxLinks = 500;

/** Stores the links from workspace files to documents. */
export class DocumentLinks {
  readonly #storage: ValueStorage;
  /** The links as last read, and the value that they were read from. */
  #lastRead: { readonly value: unknown; readonly links: ReadonlyMap<string, string> } | undefined;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** Returns the path of the document that a file is linked to. */
  get(file: string): string | undefined {
    return this.#readAll().get(file);
  }

  /** Returns all linked files. */
  getFiles(): readonly string[] {
    return [...this.#readAll().keys()];
  }

  set(file: string, path: string): void {
    const links = new Map(this.#readAll());
    links.delete(file);
    this.#storage.write([...links.set(file, path)].slice(-maxLinks));
  }

  #readAll(): ReadonlyMap<string, string> {
    const value = this.#storage.read();
    if (this.#lastRead === undefined || this.#lastRead.value !== value) {
      this.#lastRead = { value, links: new Map(linksSchema.safeParse(value).data) };
    }
    return this.#lastRead.links;
  }
}
