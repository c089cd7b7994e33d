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
export class PerVersion<Made> {
  readonly #known = new WeakMap<VersionedText, { readonly version: number; readonly made: Made }>();

  /** @param make the same for all who ask */
  of(document: VersionedText, make: (text: string) => Made): Made {
    const { version } = document;
    const known = this.#known.get(document);
    if (known?.version === version) {
      return known.made;
    }
    const made = make(document.getText());
    this.#known.set(document, { version, made });
    return made;
  }

  /** The document may have another version: what was made of a former one is of no use. */
  changed(document: VersionedText): void {
    if (this.#known.get(document)?.version !== document.version) {
      this.#known.delete(document);
    }
  }

  /** Nobody looks at the document any more. */
  closed(document: VersionedText): void {
    this.#known.delete(document);
  }
}
