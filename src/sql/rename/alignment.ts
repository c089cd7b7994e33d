import { lexBounded } from '../syntax/parser.ts';
import type { Token } from '../syntax/token.ts';
import type { OffsetMapping } from './offsetMapping.ts';

/** Maximum number of tokens that are skipped, in both texts together, to find the next match. */
const MAX_SKIP = 24;

/**
 * Computes an offset mapping from the texts before and after a change, by aligning their tokens. A name can be matched
 * with a different name at the same position. Qualifiers and aliases that the change adds are not matched.
 */
export function alignTexts(before: string, after: string): OffsetMapping {
  const sides = new TokenAligner(before, after);
  const [forth, back] = [new Map<number, number>(), new Map<number, number>()];
  for (const [one, other] of sides.getPairs()) {
    forth.set(one.start, other.start);
    back.set(other.start, one.start);
  }
  return { toAfter: (offset) => forth.get(offset), toBefore: (offset) => back.get(offset) };
}

class TokenAligner {
  readonly #before: string;
  readonly #after: string;
  readonly #old: readonly Token[];
  readonly #new: readonly Token[];

  constructor(before: string, after: string) {
    this.#before = before;
    this.#after = after;
    this.#old = [...lexBounded(before).tokens];
    this.#new = [...lexBounded(after).tokens];
  }

  *getPairs(): Generator<readonly [Token, Token]> {
    let [i, j] = [0, 0];
    while (i < this.#old.length && j < this.#new.length) {
      j += this.#isPair(i, j) ? 0 : this.#added(i, j);
      const [one, other] = [this.#old[i], this.#new[j]];
      if (one !== undefined && other !== undefined && this.#isPair(i, j)) {
        yield [one, other];
        i++;
        j++;
      } else {
        [i, j] = this.#next(i, j);
      }
    }
  }

  /** True for equal tokens, or for a name that replaces another one, which may follow as an alias. */
  #isPair(i: number, j: number): boolean {
    if (this.#isSame(i, j)) {
      return true;
    }
    const goesOn = this.#isSame(i + 1, j + 1) || (this.#isAlias(j + 1) && this.#isSame(i + 1, j + 3));
    return isNameToken(this.#old[i]) && isNameToken(this.#new[j]) && goesOn;
  }

  #isAlias(j: number): boolean {
    return this.#new[j]?.text === 'AS' && isNameToken(this.#new[j + 1]);
  }

  #isSame(i: number, j: number): boolean {
    const [one, other] = [this.#old[i], this.#new[j]];
    return (
      one !== undefined &&
      one.kind === other?.kind &&
      this.#before.slice(one.start, one.end) === this.#after.slice(other.start, other.end)
    );
  }

  /**
   * Returns 2 if the next two tokens of the new text are an added qualifier (`o.`) or an added alias (`AS x`),
   * otherwise 0.
   */
  #added(i: number, j: number): number {
    const isQualifier = isNameToken(this.#new[j]) && this.#new[j + 1]?.text === '.' && this.#isPair(i, j + 2);
    return isQualifier || (this.#isAlias(j) && this.#isPair(i, j + 2)) ? 2 : 0;
  }

  /** Returns the indexes of the nearest following position where two consecutive tokens are equal in both texts. */
  #next(i: number, j: number): [number, number] {
    for (let skip = 1; skip <= MAX_SKIP; skip++) {
      for (let left = 0; left <= skip; left++) {
        const [one, other] = [i + left, j + skip - left];
        if (this.#isSame(one, other) && (this.#isSame(one + 1, other + 1) || one + 1 >= this.#old.length)) {
          return [one, other];
        }
      }
    }
    return [i + 1, j + 1];
  }
}

const isNameToken = (token: Token | undefined): boolean => token?.kind === 'name' || token?.kind === 'word';
