import { endOfLine, hasLineBreak, isDigit, isSpace, isWordPart, isWordStart, startOfLine } from './chars.ts';
import { getKeywordAt } from './keywords.ts';
import {
  findBracketEnd,
  Brackets,
  findDoubledEnd,
  guessEnd,
  guessStringEnd,
  looksSwallowed,
  QuoteBreaks,
  type QuoteEnd,
} from './quotes.ts';
import type { Token, TokenKind } from './token.ts';
import { TokenList } from './tokenList.ts';
import type { Comment, Lexed } from './tokens.ts';

/** Maximum number of restarts at a quote that swallowed code. */
const MAX_RESTARTS = 24;

/** Prefixes of national character, hexadecimal and binary literals: `N'x'`, `x'FF'`, `b'01'`. */
const STRING_PREFIXES = 'NnXxBb';

const TWO_CHARS: ReadonlySet<string> = new Set(['||', '<>', '!=', '<=', '>=', '==', '::', '->', '<<', '>>']);

/**
 * Splits any text into tokens. An unclosed quote ends where code seems to continue. If the quotes of a text do not
 * match, the quote that contains code is treated as the unclosed one.
 */
export function lex(text: string): Lexed {
  return new Lexer(text).run();
}

/** The part of a text to split into tokens. */
interface LexRange {
  /** Offset of the first token of the range. */
  readonly from: number;
  /** The token before the range; it is the first token of the result. */
  readonly before: Token | undefined;
  /** True for the last token of the range. */
  readonly isLast: (token: Token) => boolean;
}

/** Splits a part of a text into tokens; `undefined` if they depend on the text outside of it. */
export function lexRange(text: string, stretch: LexRange): Pick<Lexed, 'tokens' | 'comments'> | undefined {
  return new Lexer(text).runIn(stretch);
}

class Lexer {
  readonly #text: string;
  readonly #breaks: QuoteBreaks;
  readonly #brackets: Brackets;
  readonly #tokens = new TokenList();
  #hasOpen = false;
  readonly #comments: Comment[] = [];
  readonly #forcedOpen = new Set<number>();
  #pos = 0;
  /** The number of array literals that are not closed yet. */
  #arrays = 0;
  #hasArrays = false;

  constructor(text: string) {
    this.#text = text;
    this.#breaks = new QuoteBreaks(text);
    this.#brackets = new Brackets(text);
  }

  run(): Lexed {
    while (this.#pos < this.#text.length) {
      this.#scanNext();
    }
    this.#end();
    return {
      text: this.#text,
      tokens: this.#tokens,
      comments: this.#comments,
      open: this.#hasOpen,
      local: this.#isLocal,
    };
  }

  runIn({ from, before, isLast }: LexRange): Pick<Lexed, 'tokens' | 'comments'> | undefined {
    this.#pos = from;
    if (before !== undefined) {
      this.#tokens.push(before);
    }
    let { length } = this.#tokens;
    while (this.#pos < this.#text.length && this.#isLocal) {
      this.#scanNext();
      const token = this.#tokens.get(length);
      if (token !== undefined && isLast(token)) {
        return this.#getRangeResult();
      }
      ({ length } = this.#tokens);
    }
    this.#end();
    return this.#getRangeResult();
  }

  #getRangeResult(): Pick<Lexed, 'tokens' | 'comments'> | undefined {
    return this.#isLocal ? { tokens: this.#tokens, comments: this.#comments } : undefined;
  }

  get #isLocal(): boolean {
    return !this.#hasOpen && !this.#hasArrays && !this.#breaks.isAsked;
  }

  #scanNext(): void {
    const code = this.#text.charCodeAt(this.#pos);
    if (isSpace(code)) {
      this.#pos++;
    } else if (isWordStart(code)) {
      this.#scanWord(this.#pos);
    } else {
      this.#scanOther(code);
    }
  }

  #end(): void {
    const { length } = this.#text;
    this.#tokens.push({ kind: 'end', start: length, end: length, text: '', open: false });
  }

  #push(kind: TokenKind, start: number, end: number, text: string, open: boolean): void {
    this.#hasOpen ||= open;
    this.#tokens.push({ kind, start, end, text, open });
    this.#pos = end;
  }

  #scanWord(start: number): void {
    const text = this.#text;
    let end = this.#pos + 1;
    while (end < text.length && isWordPart(text.charCodeAt(end))) {
      end++;
    }
    if (end === start + 1 && text.charCodeAt(end) === 39 && STRING_PREFIXES.includes(text.charAt(start))) {
      this.#scanString(start, end);
      return;
    }
    this.#push('word', start, end, getKeywordAt(text, start, end), false);
  }

  #scanOther(code: number): void {
    const start = this.#pos;
    const next = this.#text.charCodeAt(start + 1);
    if (isDigit(code) || (code === 46 && isDigit(next) && !this.#followsName())) {
      this.#scanNumber(start);
    } else if (code === 91 && this.#followsArray()) {
      this.#arrays++;
      this.#hasArrays = true;
      this.#push('operator', start, start + 1, '[', false);
    } else if (code === 93 && this.#arrays > 0) {
      this.#arrays--;
      this.#push('operator', start, start + 1, ']', false);
    } else if (code === 91) {
      const found = this.#forcedOpen.has(start) ? this.#guessQuoteEnd(start) : this.#findBracketEnd(start);
      this.#push('name', start, found.end, '', found.open);
    } else if (code === 34 || code === 96) {
      this.#scanDoubledName(start);
    } else if (code === 39) {
      this.#scanString(start, start);
    } else if (code === 45 && next === 45) {
      this.#addComment(start, endOfLine(this.#text, start), false, false);
    } else if (code === 47 && next === 42) {
      const close = this.#text.indexOf('*/', start + 2);
      this.#addComment(start, close < 0 ? this.#text.length : close + 2, true, close < 0);
    } else {
      const pair = this.#text.slice(start, start + 2);
      const symbol = TWO_CHARS.has(pair) ? this.#getLongestOperator(pair, start) : pair.charAt(0);
      this.#push('operator', start, start + symbol.length, symbol, false);
    }
  }

  #getLongestOperator(pair: string, start: number): string {
    return pair === '->' && this.#text.charAt(start + 2) === '>' ? '->>' : pair;
  }

  #guessQuoteEnd(start: number): QuoteEnd {
    return { end: guessEnd(this.#text, start, this.#breaks), open: true };
  }

  #addComment(start: number, end: number, block: boolean, open: boolean): void {
    this.#hasOpen ||= open;
    this.#comments.push({ start, end, block, open });
    this.#pos = end;
  }

  /** Finds the end of a name in brackets. In an array literal such as `ARRAY[[a], [b]]`, `]]` is not an escape. */
  #findBracketEnd(start: number): QuoteEnd {
    const close = this.#arrays > 0 ? this.#text.indexOf(']', start) : -1;
    return close < 0
      ? findBracketEnd(this.#text, start, { breaks: this.#breaks, brackets: this.#brackets })
      : { end: close + 1, open: false };
  }

  /** True directly after ARRAY, where `[` starts an array literal instead of a name: `ARRAY[1, 2]`. */
  #followsArray(): boolean {
    const last = this.#tokens.get(this.#tokens.length - 1);
    return last !== undefined && last.end === this.#pos && last.text === 'ARRAY';
  }

  /** True directly after a name: `t.5` is an incomplete column reference, not the number `.5`. */
  #followsName(): boolean {
    const last = this.#tokens.get(this.#tokens.length - 1);
    return last !== undefined && last.end === this.#pos && (last.kind === 'word' || last.kind === 'name');
  }

  #scanNumber(start: number): void {
    const text = this.#text;
    const hex = /^0[xX][0-9a-fA-F]+(?![\w$])/.exec(text.slice(start, start + 40));
    if (hex !== null) {
      this.#push('number', start, start + hex[0].length, '', false);
      return;
    }
    let at = start;
    const digits = (): void => {
      while (isDigit(text.charCodeAt(at))) {
        at++;
      }
    };
    digits();
    if (text[at] === '.') {
      at++;
      digits();
    }
    const exponent = /^[eE][+-]?\d+/.exec(text.slice(at, at + 8));
    at += exponent?.[0].length ?? 0;
    if (at < text.length && isWordStart(text.charCodeAt(at)) && text[at - 1] !== '.') {
      // A name that starts with a digit: `2020Sales`.
      this.#pos = at;
      this.#scanWord(start);
      return;
    }
    this.#push('number', start, at, '', false);
  }

  #scanDoubledName(start: number): void {
    if (this.#forcedOpen.has(start)) {
      this.#push('name', start, this.#guessQuoteEnd(start).end, '', true);
      return;
    }
    const end = findDoubledEnd(this.#text, start);
    if (end >= 0 && (!hasLineBreak(this.#text, start, end) || this.#spansLines(start, end))) {
      this.#push('name', start, end, '', false);
      return;
    }
    if (this.#restartAtSwallowed('name', startOfLine(this.#text, start))) {
      return;
    }
    this.#push('name', start, this.#guessQuoteEnd(start).end, '', true);
  }

  /** True if a name can contain a line break: it must not look like code, and the quotes after it must match. */
  #spansLines(start: number, end: number): boolean {
    const quote = this.#text.charAt(start);
    const rest = this.#text.slice(end, endOfLine(this.#text, end));
    const odd = rest.split(quote).length % 2 === 0;
    return !odd && this.#breaks.findFirstIn(start + 1, end - 1) < 0;
  }

  /** @param quote offset of the quote, which follows `start` if there is a prefix as in `N'x'` */
  #scanString(start: number, quote: number): void {
    this.#pos = quote;
    const isForced = this.#forcedOpen.has(quote);
    const end = isForced ? -1 : findDoubledEnd(this.#text, quote);
    if (end >= 0) {
      this.#push('string', start, end, '', false);
      return;
    }
    if (isForced) {
      this.#push('string', start, this.#guessQuoteEnd(quote).end, '', true);
      return;
    }
    if (this.#restartAtSwallowed('string', 0)) {
      return;
    }
    this.#push('string', start, guessStringEnd(this.#text, quote, this.#breaks), '', true);
  }

  /** Goes back to the first quote after `minOffset` that seems to contain code, and lexes it again as unclosed. */
  #restartAtSwallowed(kind: TokenKind, floor: number): boolean {
    if (this.#forcedOpen.size >= MAX_RESTARTS) {
      return false;
    }
    const quote = this.#text.charAt(this.#pos);
    let first = this.#tokens.length;
    while ((this.#tokens.get(first - 1)?.start ?? -1) >= floor) {
      first--;
    }
    for (let index = first; index < this.#tokens.length; index++) {
      const token = this.#tokens.get(index);
      const isCandidate = token?.kind === kind && !token.open && this.#text.charAt(token.start) === quote;
      if (isCandidate && looksSwallowed(this.#text, token.start, token.end, this.#breaks)) {
        this.#forcedOpen.add(token.start);
        this.#rewindTo(index, token.start);
        return true;
      }
    }
    return false;
  }

  #rewindTo(tokenCount: number, offset: number): void {
    this.#tokens.truncate(tokenCount);
    while ((this.#comments.at(-1)?.start ?? -1) >= offset) {
      this.#comments.pop();
    }
    this.#pos = offset;
    this.#arrays = 0;
    for (const { text } of this.#tokens) {
      this.#arrays += text === '[' ? 1 : text === ']' ? -1 : 0;
    }
  }
}
