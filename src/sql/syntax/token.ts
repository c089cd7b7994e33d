export type TokenKind = 'word' | 'name' | 'string' | 'number' | 'operator' | 'end';

/** A token of the text. Comments are not tokens; they are stored separately in `LexedText`. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The symbol of an operator, a keyword in upper case, or `''` for any other token. */
  readonly text: string;
  /** True for an unclosed quote, whose end is a guess. */
  readonly unclosed: boolean;
}
