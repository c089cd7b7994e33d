import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { type PersistedDraft, persistedDraftSchema } from '../../webviews/protocol/ruleMatrix.ts';

export const emptyDraft: PersistedDraft = { cells: [], parties: [], columns: [] };

/** Returns the key of the rules of a datamodel or cube set on a server. */
export const getServerDraftKey = ({ connectionId, subject }: SubjectTarget): string =>
  JSON.stringify([connectionId, subject]);

/** Stores the unapplied rule changes of each datamodel and cube set; they survive closing the tab and the window. */
export class MatrixDrafts implements Disposable {
  readonly #storage: ValueStorage;
  readonly #onDidChange = new Emitter<string>();
  /** Fires with the key of the rules whose unapplied changes have changed. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /** @param key identifies the rules */
  read(key: string): PersistedDraft {
    return persistedDraftSchema.safeParse(this.#readAll()[key]).data ?? emptyDraft;
  }

  /** Stores a draft, or deletes the stored one if the draft has no changes. */
  write(key: string, draft: PersistedDraft): void {
    const { [key]: _previous, ...others } = this.#readAll();
    this.#storage.write(draft.cells.length === 0 ? others : { ...others, [key]: draft });
    this.#onDidChange.fire(key);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #readAll(): Readonly<Record<string, unknown>> {
    const storedDrafts = this.#storage.read();
    return typeof storedDrafts === 'object' && storedDrafts !== null ? { ...storedDrafts } : {};
  }
}
