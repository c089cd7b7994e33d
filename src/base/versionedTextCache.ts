/** A text that changes from version to version, such as an open document of the editor. */
export interface VersionedText {
  /** Changes whenever the text changes. */
  readonly version: number;
  getText(): string;
}

/**
 * Caches a value derived from the text of a document, once per version, on first use. Documents are distinguished by
 * identity: reopening one under the same name restarts its version numbers.
 */
export class VersionedTextCache<Made> {
  readonly #entries = new WeakMap<VersionedText, { readonly version: number; readonly made: Made }>();

  /** @param make the same for all callers */
  getOrCreate(document: VersionedText, make: (text: string) => Made): Made {
    const { version } = document;
    const known = this.#entries.get(document);
    if (known?.version === version) {
      return known.made;
    }
    const made = make(document.getText());
    this.#entries.set(document, { version, made });
    return made;
  }

  /** The document may have a new version: the value of an earlier one is useless. */
  documentChanged(document: VersionedText): void {
    if (this.#entries.get(document)?.version !== document.version) {
      this.#entries.delete(document);
    }
  }

  /** The document is no longer in use. */
  documentClosed(document: VersionedText): void {
    this.#entries.delete(document);
  }
}
