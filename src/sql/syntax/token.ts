export type TokenKind =
  /** A keyword, or a name without quotes: some words are either, depending on their place. */
  | 'word'
  /** A name in brackets, double quotes, or backticks. */
  | 'quotedName'
  /** A text in single quotes. */
  | 'string'
  | 'number'
  /** A symbol of one or more characters, punctuation included. */
  | 'operator'
  /** The end of the text, without characters. */
  | 'end';

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
