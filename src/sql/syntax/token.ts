export type TokenKind = 'word' | 'name' | 'string' | 'number' | 'operator' | 'end';

/** One token of the text. Comments are not tokens; `Lexed` keeps them separately. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The symbol of an operator, the upper-case spelling of a known word, otherwise `''`. */
  readonly text: string;
  /** True for a quote that was never closed; the lexer guessed where it ends. */
  readonly open: boolean;
}
