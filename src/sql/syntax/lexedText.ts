import type { Token } from './token.ts';
import type { TokenList } from './tokenList.ts';

/** The opening quote of a name; `''` if it is unquoted. */
export type Quote = '' | '[' | '"' | '`';

export interface Comment {
  readonly start: number;
  readonly end: number;
  readonly block: boolean;
  readonly unclosed: boolean;
}

/** A text split into tokens. The last token is always of kind `end`. */
export interface LexedText {
  readonly text: string;
  readonly tokens: TokenList;
  readonly comments: readonly Comment[];
  /** True if a quote or comment is unclosed. */
  readonly hasUnclosed: boolean;
  /**
   * True if each token depends only on the text next to it, so that after an edit only the edited part is lexed again.
   */
  readonly canRelex: boolean;
}

const CLOSING_QUOTES = { '[': ']', '"': '"', '`': '`' } as const;

export function getQuoteAt(text: string, offset: number): Quote {
  const char = text[offset];
  return char === '[' || char === '"' || char === '`' ? char : '';
}

/** Returns a name without its quotes, unescaped. */
export function unquoteName(text: string, token: Pick<Token, 'start' | 'end' | 'unclosed'>): string {
  const quote = getQuoteAt(text, token.start);
  if (quote === '') {
    return text.slice(token.start, token.end);
  }
  const inner = text.slice(token.start + 1, token.unclosed ? token.end : token.end - 1);
  const closing = CLOSING_QUOTES[quote];
  const name = inner.includes(closing) ? inner.replaceAll(closing + closing, closing) : inner;
  return token.unclosed ? name.trimEnd() : name;
}

/** Puts a name into the given quotes and escapes it; returns it unchanged if `quote` is empty. */
export function quoteName(name: string, quote: Quote): string {
  if (quote === '') {
    return name;
  }
  const closing = CLOSING_QUOTES[quote];
  const escaped = name.includes(closing) ? name.replaceAll(closing, closing + closing) : name;
  return quote + escaped + closing;
}
