import { lowerBound } from '../../base/lowerBound.ts';
import type { Token } from './token.ts';

/**
 * The maximum number of tokens in a run. Small enough that no run is a large object for the garbage collector. A single
 * array with all tokens of a long text would be one and would cause garbage collection pauses of 20 ms during typing.
 */
const MAX_RUN_LENGTH = 2048;

/** Consecutive tokens. Several lists can share the same tokens, each with a different shift. */
interface TokenRun {
  /** Index of the first token. */
  readonly firstIndex: number;
  readonly tokens: Token[];
  /** The distance to add to the offsets of the tokens. */
  readonly shift: number;
}

/**
 * A list of tokens in text order, stored as runs of consecutive tokens. Lists created by `withReplaced` share unchanged
 * tokens.
 */
export class TokenList implements Iterable<Token> {
  readonly #runs: TokenRun[] = [];
  #length = 0;
  /** The run that was accessed last, because tokens are mostly accessed in order. */
  #lastRun: TokenRun | undefined;

  get length(): number {
    return this.#length;
  }

  get runCount(): number {
    return this.#runs.length;
  }

  get(index: number): Token | undefined {
    let run = this.#lastRun;
    if (run === undefined || index < run.firstIndex || index >= run.firstIndex + run.tokens.length) {
      run = this.#findRun(index);
      this.#lastRun = run;
    }
    const token = run?.tokens[index - run.firstIndex];
    return run === undefined || token === undefined || run.shift === 0 ? token : shiftToken(token, run.shift);
  }

  /** Returns the index of the first token that ends at or after the offset, or else of the last token. */
  indexAt(offset: number): number {
    return lowerBound(Math.max(0, this.#length - 1), (index) => (this.get(index)?.end ?? 0) < offset);
  }

  push(token: Token): void {
    const lastRun = this.#runs.at(-1);
    if (lastRun === undefined || lastRun.tokens.length === MAX_RUN_LENGTH) {
      this.#runs.push({ firstIndex: this.#length, tokens: [token], shift: 0 });
    } else {
      lastRun.tokens.push(token);
    }
    this.#length++;
  }

  /** Removes all tokens after the first `length` ones. */
  truncate(length: number): void {
    while ((this.#runs.at(-1)?.firstIndex ?? -1) >= length) {
      this.#runs.pop();
    }
    const lastRun = this.#runs.at(-1);
    if (lastRun !== undefined) {
      lastRun.tokens.length = length - lastRun.firstIndex;
    }
    this.#length = length;
    this.#lastRun = undefined;
  }

  /**
   * Returns a list in which the tokens from `startIndex` to `endIndex` are replaced, and the offsets of the following
   * tokens are shifted.
   */
  withReplaced(startIndex: number, endIndex: number, replacement: TokenList, shift: number): TokenList {
    const list = new TokenList();
    for (const run of this.#runs) {
      list.#add(run, 0, startIndex - run.firstIndex, 0);
    }
    for (const run of replacement.#runs) {
      list.#add(run, 0, run.tokens.length, 0);
    }
    for (const run of this.#runs) {
      list.#add(run, endIndex - run.firstIndex, run.tokens.length, shift);
    }
    return list;
  }

  without(index: number): TokenList {
    return this.withReplaced(index, index + 1, new TokenList(), 0);
  }

  *[Symbol.iterator](): Generator<Token> {
    for (const { tokens, shift } of this.#runs) {
      if (shift === 0) {
        yield* tokens;
      } else {
        for (const token of tokens) {
          yield shiftToken(token, shift);
        }
      }
    }
  }

  #add(run: TokenRun, startIndex: number, endIndex: number, shift: number): void {
    const { tokens } = run;
    const isWhole = startIndex <= 0 && endIndex >= tokens.length;
    const selectedTokens = isWhole ? tokens : tokens.slice(Math.max(0, startIndex), Math.max(0, endIndex));
    if (selectedTokens.length > 0) {
      this.#runs.push({ firstIndex: this.#length, tokens: selectedTokens, shift: run.shift + shift });
      this.#length += selectedTokens.length;
    }
  }

  /** Returns the run that contains an index. */
  #findRun(index: number): TokenRun | undefined {
    const runs = this.#runs;
    const runCount = lowerBound(runs.length, (runIndex) => (runs[runIndex]?.firstIndex ?? 0) <= index);
    return index < this.#length ? runs[runCount - 1] : undefined;
  }
}

function shiftToken({ kind, start, end, symbol, unclosed }: Token, distance: number): Token {
  return { kind, start: start + distance, end: end + distance, symbol, unclosed };
}
