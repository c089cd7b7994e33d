/** A text with a version number, such as an open `TextDocument`. */
export interface VersionedText {
  /** Increases whenever the text changes. */
  readonly version: number;
  getText(): string;
}

/**
 * Caches a value computed from the text of a document; it is computed on first use, once per version. The key is the
 * document object, not its URI: version numbers start again when a document is reopened.
 */
export class VersionedTextCache<Value> {
  readonly #entries = new WeakMap<VersionedText, { readonly version: number; readonly value: Value }>();

  /** @param create must be the same function for all callers of this cache */
  getOrCreate(document: VersionedText, create: (text: string) => Value): Value {
    const { version } = document;
    const entry = this.#entries.get(document);
    if (entry?.version === version) {
      return entry.value;
    }
    const value = create(document.getText());
    this.#entries.set(document, { version, value });
    return value;
  }

  /** Removes the value if it was computed from an earlier version of the document. */
  evictStale(document: VersionedText): void {
    if (this.#entries.get(document)?.version !== document.version) {
      this.#entries.delete(document);
    }
  }

  /** Removes the value of a document that was closed. */
  evict(document: VersionedText): void {
    this.#entries.delete(document);
  }
}
