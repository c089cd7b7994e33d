import type { Build } from './build.ts';
import type { BuildEndEvent } from './buildWatch.ts';

/** The results that the user has not seen yet: all failures, and the latest of the other results. */
export class UnacknowledgedResults {
  #failures: readonly Build[] = [];
  #latestResult: Build | undefined;

  /** The failures that this window notifies the user of, oldest first. */
  get failures(): readonly Build[] {
    return this.#failures;
  }

  /** The latest other result. */
  get latestResult(): Build | undefined {
    return this.#latestResult;
  }

  add({ build, shouldNotify }: BuildEndEvent): void {
    if (build.phase === 'failed' && shouldNotify) {
      this.#failures = [...this.#failures, build];
    } else {
      this.#latestResult = build;
    }
  }

  /** Removes the latest other result after it was shown long enough. */
  clearLatestResult(): void {
    this.#latestResult = undefined;
  }

  /** Removes all results because the user has seen them. */
  acknowledge(): void {
    this.#failures = [];
    this.#latestResult = undefined;
  }
}
