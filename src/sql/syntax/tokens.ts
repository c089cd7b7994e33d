import type { Token } from './token.ts';
import type { TokenList } from './tokenList.ts';

/** The quotes of a name; `''` is a bare word. */
export type Quote = '' | '[' | '"' | '`';

export interface Comment {
  readonly start: number;
  readonly end: number;
  readonly block: boolean;
  readonly open: boolean;
}

/** A text split into tokens; the last one is always of kind `end`. */
export interface Lexed {
  readonly text: string;
  readonly tokens: TokenList;
  readonly comments: readonly Comment[];
  /** Some quote or comment was never closed. */
  readonly open: boolean;
  /** Each token depends only on its own text and what touches it: none on the rest of its line, or of the text. */
  readonly local: boolean;
}

const CLOSING = { '[': ']', '"': '"', '`': '`' } as const;

export function quoteAt(text: string, offset: number): Quote {
  const char = text[offset];
  return char === '[' || char === '"' || char === '`' ? char : '';
}

/** Returns the name inside its quotes, unescaped. */
export function unquote(text: string, token: Pick<Token, 'start' | 'end' | 'open'>): string {
  const quote = quoteAt(text, token.start);
  if (quote === '') {
    return text.slice(token.start, token.end);
  }
  const inner = text.slice(token.start + 1, token.open ? token.end : token.end - 1);
  const closing = CLOSING[quote];
  const name = inner.includes(closing) ? inner.replaceAll(closing + closing, closing) : inner;
  return token.open ? name.trimEnd() : name;
}

/** Writes a name in the given quotes, escaped; without quotes it stays as it is. */
export function enquote(name: string, quote: Quote): string {
  if (quote === '') {
    return name;
  }
  const closing = CLOSING[quote];
  return quote + name.replaceAll(closing, closing + closing) + closing;
}
