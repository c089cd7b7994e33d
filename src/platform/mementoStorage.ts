import type { Memento } from 'vscode';
import type { Log } from '../base/log.ts';
import type { ValueStorage } from '../base/valueStorage.ts';
import type { ConnectionStorage } from '../connections/connectionStore.ts';

const connectionsKey = 'connections';

/** Stores the connections in the extension's global state. */
export class MementoConnectionStorage implements ConnectionStorage {
  readonly #memento: Memento;

  constructor(memento: Memento) {
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
  readonly #memento: Memento;
  readonly #key: string;
  readonly #log: Log;

  constructor(memento: Memento, key: string, log: Log) {
    this.#memento = memento;
    this.#key = key;
    this.#log = log;
  }

  read(): unknown {
    return this.#memento.get(this.#key);
  }

  write(value: unknown): void {
    this.#memento.update(this.#key, value).then(undefined, (error: unknown) => {
      this.#log.warn('connections', 'A value could not be remembered', {
        key: this.#key,
        reason: String(error),
      });
    });
  }
}
