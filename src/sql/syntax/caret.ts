/** A caret between two tokens; a half-typed word at the caret has been taken out of the tokens. */
export interface Caret {
  /** Index of the token that follows the caret. */
  readonly index: number;
  /** A word was taken out, so a name or operand stands here although no token says so. */
  readonly phantom: boolean;
  readonly offset: number;
}
