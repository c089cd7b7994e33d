/** A caret between two tokens. If a word is being typed at the caret, it has been removed from the tokens. */
export interface Caret {
  /** Index of the token that follows the caret. */
  readonly index: number;
  /** True if a word was removed: the parser accepts a name or operand at the caret although there is no token. */
  readonly hasIncompleteWord: boolean;
  readonly offset: number;
}
