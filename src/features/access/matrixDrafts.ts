import type { ValueStorage } from '../../base/valueStorage.ts';
import { type PersistedDraft, persistedDraftSchema } from '../../webviews/protocol/ruleMatrix.ts';

/** Stores the unapplied rule changes of a datamodel or cube set; they survive closing the tab and the window. */
export class MatrixDrafts {
  readonly #storage: ValueStorage;
  readonly #key: string;

  /** @param key identifies the rules */
  constructor(storage: ValueStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  read(): PersistedDraft | undefined {
    return persistedDraftSchema.safeParse(this.#readAll()[this.#key]).data;
  }

  /** Stores a draft, or deletes the stored one if the draft has no changes. */
  write(draft: PersistedDraft): void {
    const { [this.#key]: _previous, ...others } = this.#readAll();
    this.#storage.write(draft.cells.length === 0 ? others : { ...others, [this.#key]: draft });
  }

  #readAll(): Readonly<Record<string, unknown>> {
    const storedDrafts = this.#storage.read();
    return typeof storedDrafts === 'object' && storedDrafts !== null ? { ...storedDrafts } : {};
  }
}
