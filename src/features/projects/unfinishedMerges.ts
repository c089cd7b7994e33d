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

  /**
   * Returns the result of an earlier merge of the same versions; `undefined` if there is none.
   * @param unresolvedText the text with all conflicts, made from both versions
   */
  find(file: vscode.Uri, unresolvedText: string): string | undefined {
    const merge = this.#read()[String(file)];
    return merge?.base === unresolvedText ? merge.text : undefined;
  }

  /** Returns whether a file has the result of a merge that is not complete. */
  has(file: vscode.Uri): boolean {
    return this.#read()[String(file)] !== undefined;
  }

  /**
   * Stores a result. If no conflict has been resolved yet, so that the result equals the unresolved text, removes the
   * stored result instead.
   */
  keep(file: vscode.Uri, unresolvedText: string, text: string): void {
    const { [String(file)]: _, ...others } = this.#read();
    this.#storage.write(
      text === unresolvedText ? others : { ...others, [String(file)]: { base: unresolvedText, text } },
    );
  }

  /** Removes the stored result of a file. */
  forget(file: vscode.Uri): void {
    // Equal texts remove the stored result.
    this.keep(file, '', '');
  }

  #read(): z.infer<typeof mergesSchema> {
    return mergesSchema.parse(this.#storage.read() ?? {});
  }
}
