import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { ConnectionRole } from './connection.ts';

/** Why a connection accepts no writes now. */
export type WriteRefusal = 'read-only' | 'locked';

/**
 * Controls which connections accept writes. A read-only one never does, a production one only while it is unlocked, and
 * an unlocked one locks itself again (decisions.md, "REST client" and "Connections").
 */
export class WriteLocks implements Disposable {
  readonly #clock: Clock;
  readonly #unlocked = new Map<string, { readonly expiresAt: number; readonly timer: Disposable }>();
  readonly #onDidChange = new Emitter<string>();
  /** Fires with the ID of a connection that was locked or unlocked. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why nothing may be written to the connection now; `undefined` if writes are allowed. */
  getRefusal(connection: { readonly id: string; readonly role: ConnectionRole }): WriteRefusal | undefined {
    switch (connection.role) {
      case 'development':
      case 'staging':
        return undefined;
      case 'read-only':
        return 'read-only';
      case 'production':
        return this.getUnlockedUntil(connection.id) === undefined ? 'locked' : undefined;
    }
  }

  /**
   * Time at which the connection locks itself again, in milliseconds since the epoch; `undefined` while it is locked.
   */
  getUnlockedUntil(connectionId: string): number | undefined {
    const expiresAt = this.#unlocked.get(getBaseConnectionId(connectionId))?.expiresAt;
    // The clock decides, not the timer: a machine that slept runs its timers late.
    return expiresAt !== undefined && expiresAt > this.#clock.now() ? expiresAt : undefined;
  }

  /** Unlocks a connection for all of its tenants. */
  unlock(connectionId: string, durationMs: number): void {
    const baseId = getBaseConnectionId(connectionId);
    this.#unlocked.get(baseId)?.timer.dispose();
    const timer = this.#clock.schedule(durationMs, () => this.lock(baseId));
    this.#unlocked.set(baseId, { expiresAt: this.#clock.now() + durationMs, timer });
    this.#onDidChange.fire(baseId);
  }

  lock(connectionId: string): void {
    const baseId = getBaseConnectionId(connectionId);
    const entry = this.#unlocked.get(baseId);
    if (entry !== undefined) {
      entry.timer.dispose();
      this.#unlocked.delete(baseId);
      this.#onDidChange.fire(baseId);
    }
  }

  dispose(): void {
    for (const { timer } of this.#unlocked.values()) {
      timer.dispose();
    }
    this.#unlocked.clear();
    this.#onDidChange.dispose();
  }
}
