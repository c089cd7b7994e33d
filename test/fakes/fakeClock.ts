import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';

// Fake time does not wait for the disk, so modules that the client loads on demand are loaded in advance.
await Promise.all([
  import('../../src/client/errorResponse.ts'),
  import('../../src/client/liveRuleCreator.ts'),
  import('../../src/client/payloads/modelPayloads.ts'),
  import('../../src/client/payloads/viewpointPayload.ts'),
  import('../../src/client/payloads/customDataPayload.ts'),
  import('../../src/client/payloads/buildPayload.ts'),
]);

interface Timer {
  dueAt: number;
  readonly callback: () => void;
}

/** A clock whose time changes only when a test advances it. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, callback: () => void) {
    const timer = { dueAt: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** The number of timers that are set. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer is due; `undefined` when none is set. */
  get nextDelay(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.dueAt - this.#now;
  }

  /** Advances the time without running timers, as on a machine that was asleep. */
  skip(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Changes the system time: scheduled timers still wait as long as before. */
  shiftSystemTime(offsetMs: number): void {
    this.#now += offsetMs;
    for (const timer of Array.from(this.#timers)) {
      timer.dueAt += offsetMs;
    }
  }

  /**
   * Advances time, running due timers in order. After each, it waits for a turn of the event loop, so that everything
   * that waits for settled promises runs first.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await setImmediate();
    for (let timer = this.#next(); timer !== undefined && timer.dueAt <= end; timer = this.#next()) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.dueAt);
      timer.callback();
      await setImmediate();
    }
    this.#now = end;
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      next = next === undefined || timer.dueAt < next.dueAt ? timer : next;
    }
    return next;
  }
}
