/** A caret between two tokens; a half-typed word at the caret has been removed from the tokens. */
export interface Caret {
  /** Index of the token that follows the caret. */
  readonly index: number;
  /** A word was removed, so a name or operand is here although no token shows it. */
  readonly phantom: boolean;
  readonly offset: number;
}
