import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { ValueStorage } from '../base/valueStorage.ts';
import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';

/**
 * The connection that the user works with in this workspace: the selected one, while it exists; otherwise the first, so
 * that a user with a single connection never has to select it.
 */
export class CurrentConnection implements Disposable {
  readonly #connections: ConnectionStore;
  readonly #storage: ValueStorage;
  readonly #onDidChange = new Emitter<void>();
  /** Fires when another connection becomes current, and when the current one is edited. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #subscription: Disposable;
  #selectedId: string | undefined;
  #lastFired: Connection | undefined;

  /** @param storage stores the ID of the connection in the workspace state, but no address or token */
  constructor(connections: ConnectionStore, storage: ValueStorage) {
    this.#connections = connections;
    this.#storage = storage;
    const storedId = storage.read();
    this.#selectedId = typeof storedId === 'string' ? storedId : undefined;
    this.#lastFired = this.value;
    this.#subscription = connections.onDidChange(() => this.#fireIfChanged());
  }

  /** `undefined` if there are no connections. */
  get value(): Connection | undefined {
    const selectedConnection =
      this.#selectedId === undefined ? undefined : this.#connections.find(this.#selectedId);
    return selectedConnection ?? this.#connections.all[0];
  }

  /** All connections, the current one first, as shown in selection lists. */
  get allCurrentFirst(): readonly Connection[] {
    const current = this.value;
    return current === undefined
      ? []
      : [current, ...this.#connections.all.filter(({ id }) => id !== current.id)];
  }

  /** Makes a connection the current one of this workspace. An unknown ID changes nothing. */
  switchTo(connectionId: string): void {
    const baseId = getBaseConnectionId(connectionId);
    if (this.#connections.find(baseId) !== undefined) {
      this.#selectedId = baseId;
      this.#storage.write(baseId);
      this.#fireIfChanged();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#onDidChange.dispose();
  }

  #fireIfChanged(): void {
    const current = this.value;
    if (current !== this.#lastFired) {
      this.#lastFired = current;
      this.#onDidChange.fire();
    }
  }
}
