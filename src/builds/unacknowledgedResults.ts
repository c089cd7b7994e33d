import type { Build } from './build.ts';
import type { BuildEndEvent } from './buildWatch.ts';

/** Results that the user has not seen yet: a failure stays until it is seen, anything else is replaced by the next. */
export class UnacknowledgedResults {
  #failures: readonly Build[] = [];
  #last: Build | undefined;

  /** Failures that this window is to report, oldest first. */
  get failures(): readonly Build[] {
    return this.#failures;
  }

  /** The latest result that is not such a failure. */
  get last(): Build | undefined {
    return this.#last;
  }

  add({ build, shouldNotify }: BuildEndEvent): void {
    if (build.phase === 'failed' && shouldNotify) {
      this.#failures = [...this.#failures, build];
    } else {
      this.#last = build;
    }
  }

  /** The latest result has been shown for long enough. */
  forgetLast(): void {
    this.#last = undefined;
  }

  /** The user has seen the results. */
  acknowledge(): void {
    this.#failures = [];
    this.#last = undefined;
  }
}
