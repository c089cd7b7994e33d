import type { Memento } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import type { ValueStorage } from '../base/valueStorage.ts';
import type { ConnectionStorage } from '../connections/connectionStore.ts';

const connectionsKey = 'connections';

/** The part of a `Memento` that is used. */
interface MementoPart {
  get(key: string): unknown;
  update: Memento['update'];
}

/**
 * Wraps a memento of VS Code, so that only one write is in progress at a time. VS Code writes all values of a memento
 * at once and, when the write is done, resets its values to the written ones: a value that was updated in between would
 * be lost in this window and, with the next write, in the storage.
 */
export class QueuedMemento implements Disposable {
  readonly #memento: MementoPart;
  /** The values that are not written yet. */
  readonly #unwritten = new Map<string, { readonly value: unknown }>();
  #currentWrite: Promise<void> | undefined;
  /** Writes all values that are updated before the current write is done. */
  #nextWrite: Promise<void> | undefined;

  constructor(memento: MementoPart) {
    this.#memento = memento;
  }

  /** Returns the last updated value, or a later one of another window; `undefined` if there is none. */
  get(key: string): unknown {
    const unwritten = this.#unwritten.get(key);
    return unwritten === undefined ? this.#memento.get(key) : unwritten.value;
  }

  /**
   * Resolves when the editor has stored the value.
   * @throws the editor's error
   */
  update(key: string, value: unknown): Promise<void> {
    this.#unwritten.set(key, { value });
    if (this.#currentWrite === undefined) {
      return this.#write();
    }
    this.#nextWrite ??= this.#currentWrite.then(
      () => this.#write(),
      // The error of the current write is reported to the callers of that write.
      () => this.#write(),
    );
    return this.#nextWrite;
  }

  /** Hands the values that are not written yet to the editor: the window is closing. */
  dispose(): void {
    this.#write().catch(() => {
      // The error is reported to the callers of `update`.
    });
  }

  async #write(): Promise<void> {
    this.#nextWrite = undefined;
    const entries = [...this.#unwritten];
    const write = Promise.all(entries.map(async ([key, { value }]) => this.#memento.update(key, value)));
    this.#currentWrite = write.then(() => undefined);
    const ownWrite = this.#currentWrite;
    try {
      await ownWrite;
    } finally {
      for (const [key, entry] of entries) {
        if (this.#unwritten.get(key) === entry) {
          this.#unwritten.delete(key);
        }
      }
      // If another write is waiting, an update must join that one instead of starting a third one.
      if (this.#currentWrite === ownWrite && this.#nextWrite === undefined) {
        this.#currentWrite = undefined;
      }
    }
  }
}

/** Stores the connections in the extension's global state. */
export class MementoConnectionStorage implements ConnectionStorage {
  readonly #memento: QueuedMemento;

  constructor(memento: QueuedMemento) {
    this.#memento = memento;
  }

  read(): unknown {
    return this.#memento.get(connectionsKey);
  }

  async write(connections: readonly unknown[]): Promise<void> {
    await this.#memento.update(connectionsKey, connections);
  }
}

/**
 * Stores one value in a memento. Writing is not awaited: if it fails, the value is lost only when the window reloads.
 */
export class MementoValue implements ValueStorage {
  readonly #memento: QueuedMemento;
  readonly #key: string;
  readonly #log: Log;

  constructor(memento: QueuedMemento, key: string, log: Log) {
    this.#memento = memento;
    this.#key = key;
    this.#log = log;
  }

  read(): unknown {
    return this.#memento.get(this.#key);
  }

  write(value: unknown): void {
    this.#memento.update(this.#key, value).catch((error: unknown) => {
      this.#log.warn('connections', 'A value could not be remembered', {
        key: this.#key,
        reason: String(error),
      });
    });
  }
}
