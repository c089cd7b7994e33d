import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';

/** Where the id of the current connection is kept: with the workspace, which holds no address and no token. */
export interface CurrentConnectionMemory {
  /** What was last written, unparsed; `undefined` when nothing was. */
  read(): unknown;
  write(connectionId: string): void;
}

const idSchema = z.string().min(1);

/**
 * The connection that a person works on in this workspace. The one that was chosen, as long as it is there; else the
 * first, so that somebody with a single connection never has to choose.
 */
export class CurrentConnection implements Disposable {
  readonly #connections: ConnectionStore;
  readonly #memory: CurrentConnectionMemory;
  readonly #onDidChange = new Emitter<void>();
  /** Another connection is current, or the current one was edited. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #subscription: Disposable;
  #chosen: string | undefined;
  #lastFired: Connection | undefined;

  constructor(connections: ConnectionStore, memory: CurrentConnectionMemory) {
    this.#connections = connections;
    this.#memory = memory;
    this.#chosen = idSchema.safeParse(memory.read()).data;
    this.#lastFired = this.value;
    this.#subscription = connections.onDidChange(() => this.#fireIfChanged());
  }

  /** `undefined` when there is no connection at all. */
  get value(): Connection | undefined {
    const chosen = this.#chosen === undefined ? undefined : this.#connections.find(this.#chosen);
    return chosen ?? this.#connections.all[0];
  }

  /** All connections, the current one first, as lists to choose from show them. */
  get first(): readonly Connection[] {
    const current = this.value;
    return current === undefined
      ? []
      : [current, ...this.#connections.all.filter(({ id }) => id !== current.id)];
  }

  /** Makes a connection the current one of this workspace. An unknown id changes nothing. */
  switchTo(connectionId: string): void {
    if (this.#connections.find(connectionId) !== undefined) {
      this.#chosen = connectionId;
      this.#memory.write(connectionId);
      this.#fireIfChanged();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#onDidChange.dispose();
  }

  #fireIfChanged(): void {
    const now = this.value;
    if (now !== this.#lastFired) {
      this.#lastFired = now;
      this.#onDidChange.fire();
    }
  }
}
