import type { SaveIntent } from './saveIntent.ts';

/**
 * Passes the user's decisions to the save that they are for. VS Code's `save` takes no arguments, so an intent is
 * stored under the path of its document until the file system provider is called, and no longer than that save takes.
 */
export class SaveIntents {
  readonly #intents = new Map<string, SaveIntent>();

  /**
   * Saves with an intent. The intent is removed when the save is over, even if it was canceled and nothing was written.
   * Replaces an intent that is still stored for the same document.
   */
  async saveWith(path: string, intent: SaveIntent, save: () => PromiseLike<unknown>): Promise<void> {
    this.#intents.set(path, intent);
    try {
      await save();
    } finally {
      this.take(path, intent);
    }
  }

  /** Returns the intent for the write of a document that is now beginning. */
  peek(path: string): SaveIntent | undefined {
    return this.#intents.get(path);
  }

  /** Removes and returns an intent; `undefined` if another write has taken it, or its save is over. */
  take(path: string, intent: SaveIntent | undefined): SaveIntent | undefined {
    return intent !== undefined && this.#intents.get(path) === intent && this.#intents.delete(path)
      ? intent
      : undefined;
  }
}
