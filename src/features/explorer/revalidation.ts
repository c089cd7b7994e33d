import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

/** The time after which the lists are checked again when the view is shown, in milliseconds. */
const maxAgeMs = 60_000;

/**
 * Checks whether the lists of datamodels are still current when the view is shown again after a while. Requests nothing
 * while the view is hidden, and nothing for collapsed lists.
 */
export class Revalidator {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #getLists: () => readonly { readonly connectionId: string; readonly isExpanded: boolean }[];
  readonly #revalidate: (connectionId: string) => Promise<void>;
  #lastCheckTime: number;

  constructor(deps: {
    clock: Clock;
    log: Log;
    getLists: () => readonly { readonly connectionId: string; readonly isExpanded: boolean }[];
    revalidate: (connectionId: string) => Promise<void>;
  }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#getLists = deps.getLists;
    this.#revalidate = deps.revalidate;
    this.#lastCheckTime = deps.clock.now();
  }

  /** Handles the view becoming visible or hidden. */
  setVisible(isVisible: boolean): void {
    if (!isVisible || this.#clock.now() - this.#lastCheckTime < maxAgeMs) {
      return;
    }
    this.#lastCheckTime = this.#clock.now();
    for (const { connectionId, isExpanded } of this.#getLists()) {
      if (isExpanded) {
        void this.#check(connectionId);
      }
    }
  }

  async #check(connectionId: string): Promise<void> {
    try {
      await this.#revalidate(connectionId);
    } catch (error) {
      // Keep the current tree; the next load reports the error.
      this.#log.warn('explorer', 'Checking for changes failed', { connectionId, reason: String(error) });
    }
  }
}
