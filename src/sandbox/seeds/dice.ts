/** A fixed sequence of pseudo-random numbers: the same start gives the same data on every machine. */
export class Dice {
  #state: number;

  constructor(start: number) {
    this.#state = start >>> 0;
  }

  /** At least 0, less than 1 (the generator known as mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Picks one of the items; earlier ones are picked more often the larger `lean` is. */
  pick<T>(items: readonly T[], lean = 1): T {
    const item = items[Math.floor(this.next() ** lean * items.length)];
    if (item === undefined) {
      throw new Error('there is nothing to pick from');
    }
    return item;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}
