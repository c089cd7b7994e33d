import type { Clock } from '../../base/clock.ts';

/** The maximum time between the clicks of a double click, in milliseconds. */
const doubleClickMs = 500;

/** Recognizes double clicks: VS Code runs the command of a row once per click, and doesn't say which click it was. */
export class DoubleClicks {
  readonly #clock: Clock;
  #last: { readonly id: string; readonly time: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a click on a node, and returns whether it is the second of a double click. */
  recordClick(id: string): boolean {
    const time = this.#clock.now();
    const isDouble =
      this.#last !== undefined && this.#last.id === id && time - this.#last.time < doubleClickMs;
    this.#last = isDouble ? undefined : { id, time };
    return isDouble;
  }
}
