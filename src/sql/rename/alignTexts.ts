import { lexBounded } from '../syntax/parser.ts';
import type { Token } from '../syntax/token.ts';
import type { OffsetMapping } from './offsetMapping.ts';

/** Maximum number of tokens that are skipped, in both texts together, to find the next match. */
const MAX_SKIP = 24;

/**
 * Computes an offset mapping between the texts before and after a change, by aligning their tokens. A name can be
 * matched with a different name at the same position. Qualifiers and aliases that the change adds are not matched.
 */
export function alignTexts(before: string, after: string): OffsetMapping {
  const aligner = new TokenAligner(before, after);
  const [newOffsets, oldOffsets] = [new Map<number, number>(), new Map<number, number>()];
  for (const [oldToken, newToken] of aligner.getPairs()) {
    newOffsets.set(oldToken.start, newToken.start);
    oldOffsets.set(newToken.start, oldToken.start);
  }
  return { toAfter: (offset) => newOffsets.get(offset), toBefore: (offset) => oldOffsets.get(offset) };
}

class TokenAligner {
  readonly #before: string;
  readonly #after: string;
  readonly #oldTokens: readonly Token[];
  readonly #newTokens: readonly Token[];

  constructor(before: string, after: string) {
    this.#before = before;
    this.#after = after;
    this.#oldTokens = [...lexBounded(before).tokens];
    this.#newTokens = [...lexBounded(after).tokens];
  }

  *getPairs(): Generator<readonly [Token, Token]> {
    let [oldIndex, newIndex] = [0, 0];
    while (oldIndex < this.#oldTokens.length && newIndex < this.#newTokens.length) {
      newIndex += this.#isPair(oldIndex, newIndex) ? 0 : this.#countAddedTokens(oldIndex, newIndex);
      const [oldToken, newToken] = [this.#oldTokens[oldIndex], this.#newTokens[newIndex]];
      if (oldToken !== undefined && newToken !== undefined && this.#isPair(oldIndex, newIndex)) {
        yield [oldToken, newToken];
        oldIndex++;
        newIndex++;
      } else {
        [oldIndex, newIndex] = this.#findNextMatch(oldIndex, newIndex);
      }
    }
  }

  /**
   * True for equal tokens, or for a name that replaces another one. An alias may have been added after the new name.
   */
  #isPair(oldIndex: number, newIndex: number): boolean {
    if (this.#isSame(oldIndex, newIndex)) {
      return true;
    }
    const doNextTokensMatch =
      this.#isSame(oldIndex + 1, newIndex + 1) ||
      (this.#isAlias(newIndex + 1) && this.#isSame(oldIndex + 1, newIndex + 3));
    return (
      isNameToken(this.#oldTokens[oldIndex]) && isNameToken(this.#newTokens[newIndex]) && doNextTokensMatch
    );
  }

  #isAlias(newIndex: number): boolean {
    return this.#newTokens[newIndex]?.symbol === 'AS' && isNameToken(this.#newTokens[newIndex + 1]);
  }

  #isSame(oldIndex: number, newIndex: number): boolean {
    const [oldToken, newToken] = [this.#oldTokens[oldIndex], this.#newTokens[newIndex]];
    return (
      oldToken !== undefined &&
      oldToken.kind === newToken?.kind &&
      this.#before.slice(oldToken.start, oldToken.end) === this.#after.slice(newToken.start, newToken.end)
    );
  }

  /**
   * Returns 2 if the next two tokens of the new text are an added qualifier (`o.`) or an added alias (`AS x`),
   * otherwise 0.
   */
  #countAddedTokens(oldIndex: number, newIndex: number): number {
    const isQualifier =
      isNameToken(this.#newTokens[newIndex]) &&
      this.#newTokens[newIndex + 1]?.symbol === '.' &&
      this.#isPair(oldIndex, newIndex + 2);
    return isQualifier || (this.#isAlias(newIndex) && this.#isPair(oldIndex, newIndex + 2)) ? 2 : 0;
  }

  /** Returns the indexes of the nearest following position where two consecutive tokens are equal in both texts. */
  #findNextMatch(oldIndex: number, newIndex: number): [number, number] {
    for (let totalSkip = 1; totalSkip <= MAX_SKIP; totalSkip++) {
      for (let oldSkip = 0; oldSkip <= totalSkip; oldSkip++) {
        const [nextOld, nextNew] = [oldIndex + oldSkip, newIndex + totalSkip - oldSkip];
        if (
          this.#isSame(nextOld, nextNew) &&
          (this.#isSame(nextOld + 1, nextNew + 1) || nextOld + 1 >= this.#oldTokens.length)
        ) {
          return [nextOld, nextNew];
        }
      }
    }
    return [oldIndex + 1, newIndex + 1];
  }
}

const isNameToken = (token: Token | undefined): boolean =>
  token?.kind === 'quotedName' || token?.kind === 'word';
