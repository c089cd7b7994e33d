import type { Clock } from './clock.ts';

const firstDelayMs = 1000;
const maxDelayMs = 60_000;

/** A failure at least this long after the start was not caused by the start, so it counts as the first one in a row. */
const stableMs = 60_000;

/** Computes how long to wait before restarting something that has failed: longer after each failure in a row. */
export class RestartDelay {
  readonly #clock: Clock;
  #startedAt = 0;
  #delayMs = 0;
  #earliestRestartAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True until the wait after the last failure is over. */
  get isWaiting(): boolean {
    return this.#clock.now() < this.#earliestRestartAt;
  }

  recordStart(): void {
    this.#startedAt = this.#clock.now();
  }

  /** Records a failure, and returns how long to wait, in milliseconds. */
  recordFailure(): number {
    const now = this.#clock.now();
    const isStable = now - this.#startedAt >= stableMs;
    this.#delayMs = isStable || this.#delayMs === 0 ? firstDelayMs : Math.min(this.#delayMs * 2, maxDelayMs);
    this.#earliestRestartAt = now + this.#delayMs;
    return this.#delayMs;
  }
}
