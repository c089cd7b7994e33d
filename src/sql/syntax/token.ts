export type TokenKind =
  /** A keyword, or a name without quotes: some words are either, depending on their place. */
  | 'word'
  /** A name in brackets, double quotes, or backticks. */
  | 'quotedName'
  /** A text in single quotes. */
  | 'string'
  | 'number'
  /** One or more characters such as `>=`, punctuation included. */
  | 'operator'
  /** The end of the text, without characters. */
  | 'end';

/** A token of the text. Comments are not tokens; they are stored separately in `LexedText`. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** A keyword in upper case, or the characters of an operator; `''` for any other token. */
  readonly symbol: string;
  /** True for an unclosed quote, whose end is a guess. */
  readonly unclosed: boolean;
}
