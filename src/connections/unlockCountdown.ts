import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { WriteLocks } from './writeLocks.ts';

const minuteMs = 60_000;

/** An unlocked connection, and how long it stays so. */
export interface UnlockedConnection {
  readonly connection: Connection;
  /** Rounded up: 1 in the last minute. */
  readonly minutesLeft: number;
}

/** Which connections are unlocked, with the minutes until they lock themselves. */
export class UnlockCountdown implements Disposable {
  readonly #connections: ConnectionStore;
  readonly #locks: WriteLocks;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Fires when a connection is locked, unlocked, or changed, and with each minute that passes for an unlocked one. */
  readonly onDidChange = this.#onDidChange.event;
  #timer: Disposable | undefined;

  constructor(deps: { connections: ConnectionStore; locks: WriteLocks; clock: Clock }) {
    this.#connections = deps.connections;
    this.#locks = deps.locks;
    this.#clock = deps.clock;
    this.#store.add(deps.locks.onDidChange(() => this.#update()));
    this.#store.add(deps.connections.onDidChange(() => this.#update()));
  }

  get unlockedConnections(): readonly UnlockedConnection[] {
    return this.#connections.all.flatMap((connection) => {
      const remainingMs = this.#getRemainingMs(connection);
      return remainingMs === undefined
        ? []
        : [{ connection, minutesLeft: Math.ceil(remainingMs / minuteMs) }];
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #getRemainingMs({ id }: Connection): number | undefined {
    const unlockedUntil = this.#locks.getUnlockedUntil(id);
    return unlockedUntil === undefined ? undefined : unlockedUntil - this.#clock.now();
  }

  #update(): void {
    this.#timer?.dispose();
    const delays = this.#connections.all.flatMap((connection) => {
      const remainingMs = this.#getRemainingMs(connection);
      return remainingMs === undefined ? [] : [remainingMs % minuteMs || minuteMs];
    });
    this.#timer =
      delays.length === 0 ? undefined : this.#clock.schedule(Math.min(...delays), () => this.#update());
    this.#onDidChange.fire();
  }
}
