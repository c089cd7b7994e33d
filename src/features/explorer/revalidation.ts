import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

/** How old the list of datamodels may be when the view is shown again. */
const maxAgeMs = 60_000;

/**
 * Looks whether the lists of datamodels still hold when the view is shown again after a while. Nothing is asked while
 * nobody looks, nor for what is folded away.
 */
export class RevalidationOnShow {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #getLists: () => readonly { readonly connectionId: string; readonly isOpen: boolean }[];
  readonly #revalidate: (connectionId: string) => Promise<void>;
  #lastChecked: number;

  constructor(deps: {
    clock: Clock;
    log: Log;
    lists: () => readonly { readonly connectionId: string; readonly isOpen: boolean }[];
    revalidate: (connectionId: string) => Promise<void>;
  }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#getLists = deps.lists;
    this.#revalidate = deps.revalidate;
    this.#lastChecked = deps.clock.now();
  }

  /** Somebody looks at the view, or no longer does. */
  setVisible(isLookedAt: boolean): void {
    if (!isLookedAt || this.#clock.now() - this.#lastChecked < maxAgeMs) {
      return;
    }
    this.#lastChecked = this.#clock.now();
    for (const { connectionId, isOpen } of this.#getLists()) {
      if (isOpen) {
        void this.#check(connectionId);
      }
    }
  }

  async #check(connectionId: string): Promise<void> {
    try {
      await this.#revalidate(connectionId);
    } catch (error) {
      // What is shown stays; the next load tells the person.
      this.#log.warn('explorer', 'Looking for changes failed', { connectionId, reason: String(error) });
    }
  }
}
