import type * as vscode from 'vscode';
import * as z from 'zod';
import type { ValueStorage } from '../../base/valueStorage.ts';

const mergesSchema = z.record(z.string(), z.object({ base: z.string(), text: z.string() })).catch({});

/** The results of merges that are not complete, by file: the next merge of the same versions continues with them. */
export class UnfinishedMerges {
  readonly #storage: ValueStorage;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** Returns the result of an earlier merge of the same versions; `undefined` if there is none. */
  find(file: vscode.Uri, base: string): string | undefined {
    const merge = this.#read()[String(file)];
    return merge?.base === base ? merge.text : undefined;
  }

  /** Returns whether a file has the result of a merge that is not complete. */
  has(file: vscode.Uri): boolean {
    return this.#read()[String(file)] !== undefined;
  }

  /** Stores a result, unless it equals the base: then no conflict has been resolved yet. */
  keep(file: vscode.Uri, base: string, text: string): void {
    const { [String(file)]: _, ...others } = this.#read();
    this.#storage.write(text === base ? others : { ...others, [String(file)]: { base, text } });
  }

  /** Removes the stored result of a file. */
  forget(file: vscode.Uri): void {
    this.keep(file, '', '');
  }

  #read(): z.infer<typeof mergesSchema> {
    return mergesSchema.parse(this.#storage.read() ?? {});
  }
}
