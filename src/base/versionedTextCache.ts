/** A text that changes from version to version, as an open document of the editor. */
export interface VersionedText {
  /** Another number for each other text. */
  readonly version: number;
  getText(): string;
}

/**
 * What is made of the text of a document, once for each of its versions, when somebody asks first. Documents are told
 * apart by identity: one that is opened anew under the same name begins its versions anew.
 */
export class VersionedTextCache<Made> {
  readonly #entries = new WeakMap<VersionedText, { readonly version: number; readonly made: Made }>();

  /** @param make the same for all who ask */
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

  /** The document may have another version: what was made of a former one is of no use. */
  documentChanged(document: VersionedText): void {
    if (this.#entries.get(document)?.version !== document.version) {
      this.#entries.delete(document);
    }
  }

  /** Nobody looks at the document any more. */
  documentClosed(document: VersionedText): void {
    this.#entries.delete(document);
  }
}
