import type { Build } from './build.ts';
import type { BuildEndEvent } from './buildWatch.ts';

/** What has ended and nobody has looked at yet: a failure stays until it is seen, anything else makes room. */
export class UnacknowledgedResults {
  #failures: readonly Build[] = [];
  #last: Build | undefined;

  /** Failures that this window is to tell of, the oldest first. */
  get failures(): readonly Build[] {
    return this.#failures;
  }

  /** What ended last without being such a failure. */
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

  /** What ended last has been shown for long enough. */
  forgetLast(): void {
    this.#last = undefined;
  }

  /** A person has looked. */
  acknowledge(): void {
    this.#failures = [];
    this.#last = undefined;
  }
}
