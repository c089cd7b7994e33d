import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';

/** The environments that the user has selected, one per project of the workspace. */
export class SelectedEnvironments implements Disposable {
  readonly #storage: ValueStorage;
  readonly #onDidChange = new Emitter<void>();
  /** Fires when another environment of a project was selected. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(storage: ValueStorage) {
    this.#storage = storage;
  }

  /**
   * Returns the name of the selected environment of a project, which it may no longer have.
   * @param folder the text of the URI of its folder
   */
  get(folder: string): string | undefined {
    const name = this.#readAll()[folder];
    return typeof name === 'string' ? name : undefined;
  }

  select(folder: string, name: string): void {
    this.#storage.write({ ...this.#readAll(), [folder]: name });
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #readAll(): Readonly<Record<string, unknown>> {
    const names = this.#storage.read();
    return typeof names === 'object' && names !== null && !Array.isArray(names) ? { ...names } : {};
  }
}
