/** A pseudo-random number generator (mulberry32): the same seed yields the same sequence on every machine. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns the next number, at least 0 and less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns the next integer from minimum to maximum, both inclusive. */
  nextInteger(minimum: number, maximum: number): number {
    return minimum + Math.floor(this.next() * (maximum - minimum + 1));
  }

  /** Picks one of the items. With a bias above 1, earlier items are picked more often. */
  pick<T>(items: readonly T[], bias = 1): T {
    const item = items[Math.floor(this.next() ** bias * items.length)];
    if (item === undefined) {
      throw new Error('there is nothing to pick from');
    }
    return item;
  }

  /** Returns true with the given probability, 0 to 1. */
  nextBoolean(probability: number): boolean {
    return this.next() < probability;
  }
}
