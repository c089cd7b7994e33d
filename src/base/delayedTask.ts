import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/**
 * A task that runs some time after it was requested, so that one run is enough for many requests. Requests that arrive
 * during a run are handled after it; otherwise, runs that take longer than the delay would pile up.
 */
export class DelayedTask implements Disposable {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #task: () => Promise<void>;
  #timer: Disposable | undefined;
  #runningCount = 0;
  /** Whether the task was requested while it was running. */
  #isRequested = false;
  #isDisposed = false;

  /** @param task never rejects */
  constructor(clock: Clock, delayMs: number, task: () => Promise<void>) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#task = task;
  }

  request(): void {
    if (this.#runningCount > 0) {
      this.#isRequested = true;
    } else if (!this.#isDisposed) {
      this.#timer ??= this.#clock.schedule(this.#delayMs, () => void this.run());
    }
  }

  /** Runs the task now. Earlier requests don't lead to another run. */
  async run(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#isRequested = false;
    this.#runningCount += 1;
    try {
      await this.#task();
    } finally {
      this.#runningCount -= 1;
      if (this.#isRequested) {
        this.request();
      }
    }
  }

  /** Requests no longer have an effect. */
  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }
}
