import type { SaveIntent } from './saveIntent.ts';

/**
 * Passes the user's decisions to the save that they are for. The editor's own save runs in between and takes no
 * argument, so an intent waits under the path of its document until the write comes, and no longer than that save
 * lasts.
 */
export class SaveIntents {
  readonly #peek = new Map<string, SaveIntent>();

  /**
   * Saves with an intent. However the save ends, including one that writes nothing because it was canceled, the intent
   * ends with it. An intent that already waits for the same document is dropped.
   */
  async saveWith(path: string, intent: SaveIntent, save: () => PromiseLike<unknown>): Promise<void> {
    this.#peek.set(path, intent);
    try {
      await save();
    } finally {
      this.take(path, intent);
    }
  }

  /** Returns the intent that waits for the write of a document that begins now. */
  peek(path: string): SaveIntent | undefined {
    return this.#peek.get(path);
  }

  /** Consumes a waiting intent once: `undefined` if another write got it, or its save is over. */
  take(path: string, intent: SaveIntent | undefined): SaveIntent | undefined {
    return intent !== undefined && this.#peek.get(path) === intent && this.#peek.delete(path)
      ? intent
      : undefined;
  }
}
