import type { Clock } from './clock.ts';

const firstDelayMs = 1000;
const maxDelayMs = 60_000;

/** What has worked for this long had not failed because of what is done at its start. */
const stableMs = 60_000;

/** How long to wait before something that has failed is started again: longer after each failure in a row. */
export class RestartDelay {
  readonly #clock: Clock;
  #startedAt = 0;
  #delayMs = 0;
  #waitsUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it must not be started again yet. */
  get isWaiting(): boolean {
    return this.#clock.now() < this.#waitsUntil;
  }

  noteStart(): void {
    this.#startedAt = this.#clock.now();
  }

  /** Returns the milliseconds to wait. */
  noteFailure(): number {
    const now = this.#clock.now();
    const isStable = now - this.#startedAt >= stableMs;
    this.#delayMs = isStable || this.#delayMs === 0 ? firstDelayMs : Math.min(this.#delayMs * 2, maxDelayMs);
    this.#waitsUntil = now + this.#delayMs;
    return this.#delayMs;
  }
}
