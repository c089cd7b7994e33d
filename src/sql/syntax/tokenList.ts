import type { Token } from './token.ts';

/**
 * Small enough that no chunk is a large object. One array of all tokens of a long text would be, and the
 * collector would keep its dead tokens alive and copy them: pauses of 20 ms while a person types.
 */
const CHUNK = 2048;

/** Tokens in order of text. */
export class TokenList implements Iterable<Token> {
  readonly #chunks: Token[][] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get(index: number): Token | undefined {
    return index < 0 ? undefined : this.#chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
  }

  push(token: Token): void {
    const last = this.#chunks.at(-1);
    if (last === undefined || last.length === CHUNK) {
      this.#chunks.push([token]);
    } else {
      last.push(token);
    }
    this.#length++;
  }

  /** Drops the tokens from `length` on. */
  truncate(length: number): void {
    this.#chunks.length = Math.ceil(length / CHUNK);
    const last = this.#chunks.at(-1);
    if (last !== undefined) {
      last.length = length - (this.#chunks.length - 1) * CHUNK;
    }
    this.#length = length;
  }

  *[Symbol.iterator](): Generator<Token> {
    for (const chunk of this.#chunks) {
      yield* chunk;
    }
  }
}
