import type { SaveIntent } from './saveIntent.ts';

/**
 * Hands what a person decided to the save that it is for. The editor's own save runs in between and takes no argument,
 * so an intent waits under the path of its document until the write comes, and no longer than that save lasts.
 */
export class SaveIntents {
  readonly #peek = new Map<string, SaveIntent>();

  /**
   * Saves with an intent. However the save ends, also when it writes nothing because it was canceled, the intent is
   * over with it. One that waits for the same document already gives way.
   */
  async saveWith(path: string, intent: SaveIntent, save: () => PromiseLike<unknown>): Promise<void> {
    this.#peek.set(path, intent);
    try {
      await save();
    } finally {
      this.take(path, intent);
    }
  }

  /** What waits for a write of the document that begins now. */
  peek(path: string): SaveIntent | undefined {
    return this.#peek.get(path);
  }

  /** Takes an intent that waits, once: `undefined` when another write was given it, or its save is over. */
  take(path: string, intent: SaveIntent | undefined): SaveIntent | undefined {
    return intent !== undefined && this.#peek.get(path) === intent && this.#peek.delete(path)
      ? intent
      : undefined;
  }
}
