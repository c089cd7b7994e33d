import { findLineStart } from '../../base/findLineStart.ts';
import {
  ASTERISK,
  BACKTICK,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  DOT,
  DOUBLE_QUOTE,
  HYPHEN,
  SINGLE_QUOTE,
  SLASH,
  findLineEnd,
  hasLineBreak,
  isDigit,
  isSpace,
  isWordPart,
  isWordStart,
} from './chars.ts';
import { getKeywordAt } from './keywords.ts';
import {
  findBracketEnd,
  BracketIndex,
  findQuoteEnd,
  guessQuoteEnd,
  guessStringEnd,
  seemsToContainCode,
  QuoteBreakDetector,
  type QuoteEnd,
} from './quotes.ts';
import type { Token, TokenKind } from './token.ts';
import { TokenList } from './tokenList.ts';
import type { Comment, LexedText } from './lexedText.ts';

/** Maximum number of times that the lexer goes back to an earlier quote to lex it again as unclosed. */
const MAX_RESTARTS = 24;

/** Prefixes of national character, hexadecimal and binary literals: `N'x'`, `x'FF'`, `b'01'`. */
const STRING_PREFIXES = 'NnXxBb';

const TWO_CHARACTER_OPERATORS: ReadonlySet<string> = new Set([
  '||',
  '<>',
  '!=',
  '<=',
  '>=',
  '==',
  '::',
  '->',
  '<<',
  '>>',
]);

/**
 * Splits any text into tokens. An unclosed quote ends where code seems to continue. If the quotes of a text do not
 * match, the quote that contains code is treated as the unclosed one.
 */
export function lex(text: string): LexedText {
  return new Lexer(text).run();
}

/** The part of a text to split into tokens. */
interface LexRange {
  /** Offset of the first token of the range. */
  readonly startOffset: number;
  /** The token before the range; it is the first token of the result. */
  readonly previousToken: Token | undefined;
  /** True for the last token of the range. */
  readonly isLast: (token: Token) => boolean;
}

/** Splits a part of a text into tokens; `undefined` if they depend on the text outside of it. */
export function lexRange(text: string, range: LexRange): Pick<LexedText, 'tokens' | 'comments'> | undefined {
  return new Lexer(text).runInRange(range);
}

class Lexer {
  readonly #text: string;
  readonly #breakDetector: QuoteBreakDetector;
  readonly #brackets: BracketIndex;
  readonly #tokens = new TokenList();
  #hasUnclosed = false;
  readonly #comments: Comment[] = [];
  /** Offsets of quotes that are lexed as unclosed although a closing quote follows. */
  readonly #forcedUnclosed = new Set<number>();
  #offset = 0;
  /** The number of array literals that are not closed yet. */
  #arrayDepth = 0;
  #hasArrays = false;

  constructor(text: string) {
    this.#text = text;
    this.#breakDetector = new QuoteBreakDetector(text);
    this.#brackets = new BracketIndex(text);
  }

  run(): LexedText {
    while (this.#offset < this.#text.length) {
      this.#scanNext();
    }
    this.#pushEnd();
    return {
      text: this.#text,
      tokens: this.#tokens,
      comments: this.#comments,
      hasUnclosed: this.#hasUnclosed,
      canRelex: this.#canRelex,
    };
  }

  runInRange({
    startOffset,
    previousToken,
    isLast,
  }: LexRange): Pick<LexedText, 'tokens' | 'comments'> | undefined {
    this.#offset = startOffset;
    if (previousToken !== undefined) {
      this.#tokens.push(previousToken);
    }
    let { length } = this.#tokens;
    while (this.#offset < this.#text.length && this.#canRelex) {
      this.#scanNext();
      const token = this.#tokens.get(length);
      if (token !== undefined && isLast(token)) {
        return this.#getRangeResult();
      }
      ({ length } = this.#tokens);
    }
    this.#pushEnd();
    return this.#getRangeResult();
  }

  #getRangeResult(): Pick<LexedText, 'tokens' | 'comments'> | undefined {
    return this.#canRelex ? { tokens: this.#tokens, comments: this.#comments } : undefined;
  }

  get #canRelex(): boolean {
    return !this.#hasUnclosed && !this.#hasArrays && !this.#breakDetector.wasUsed;
  }

  #scanNext(): void {
    const code = this.#text.charCodeAt(this.#offset);
    if (isSpace(code)) {
      this.#offset++;
    } else if (isWordStart(code)) {
      this.#scanWord(this.#offset);
    } else {
      this.#scanOther(code);
    }
  }

  #pushEnd(): void {
    const { length } = this.#text;
    this.#tokens.push({ kind: 'end', start: length, end: length, symbol: '', unclosed: false });
  }

  #push(kind: TokenKind, start: number, end: number, symbol: string, unclosed: boolean): void {
    this.#hasUnclosed ||= unclosed;
    this.#tokens.push({ kind, start, end, symbol, unclosed });
    this.#offset = end;
  }

  /** Scans the rest of a word from the current offset. The word starts there, or with digits before it: `2020Sales`. */
  #scanWord(start: number): void {
    const text = this.#text;
    let end = this.#offset + 1;
    while (end < text.length && isWordPart(text.charCodeAt(end))) {
      end++;
    }
    if (
      end === start + 1 &&
      text.charCodeAt(end) === SINGLE_QUOTE &&
      STRING_PREFIXES.includes(text.charAt(start))
    ) {
      this.#scanString(start, end);
      return;
    }
    this.#push('word', start, end, getKeywordAt(text, start, end), false);
  }

  #scanOther(code: number): void {
    const start = this.#offset;
    const next = this.#text.charCodeAt(start + 1);
    if (isDigit(code) || (code === DOT && isDigit(next) && !this.#isAfterName())) {
      this.#scanNumber(start);
    } else if (code === BRACKET_OPEN && this.#isAfterArrayKeyword()) {
      this.#arrayDepth++;
      this.#hasArrays = true;
      this.#push('operator', start, start + 1, '[', false);
    } else if (code === BRACKET_CLOSE && this.#arrayDepth > 0) {
      this.#arrayDepth--;
      this.#push('operator', start, start + 1, ']', false);
    } else if (code === BRACKET_OPEN) {
      const quoteEnd = this.#forcedUnclosed.has(start)
        ? this.#guessQuoteEnd(start)
        : this.#findBracketEnd(start);
      this.#push('quotedName', start, quoteEnd.end, '', quoteEnd.unclosed);
    } else if (code === DOUBLE_QUOTE || code === BACKTICK) {
      this.#scanQuotedName(start);
    } else if (code === SINGLE_QUOTE) {
      this.#scanString(start, start);
    } else if (code === HYPHEN && next === HYPHEN) {
      const end = findLineEnd(this.#text, start);
      this.#addComment({ start, end, block: false, unclosed: false });
    } else if (code === SLASH && next === ASTERISK) {
      const closeOffset = this.#text.indexOf('*/', start + 2);
      const unclosed = closeOffset < 0;
      const end = unclosed ? this.#text.length : closeOffset + 2;
      this.#addComment({ start, end, block: true, unclosed });
    } else {
      const pair = this.#text.slice(start, start + 2);
      const symbol = TWO_CHARACTER_OPERATORS.has(pair)
        ? this.#getLongestOperator(pair, start)
        : pair.charAt(0);
      this.#push('operator', start, start + symbol.length, symbol, false);
    }
  }

  #getLongestOperator(pair: string, start: number): string {
    return pair === '->' && this.#text.charAt(start + 2) === '>' ? '->>' : pair;
  }

  #guessQuoteEnd(start: number): QuoteEnd {
    return { end: guessQuoteEnd(this.#text, start, this.#breakDetector), unclosed: true };
  }

  #addComment(comment: Comment): void {
    this.#hasUnclosed ||= comment.unclosed;
    this.#comments.push(comment);
    this.#offset = comment.end;
  }

  /** Finds the end of a name in brackets. In an array literal such as `ARRAY[[a], [b]]`, `]]` is not an escape. */
  #findBracketEnd(start: number): QuoteEnd {
    const closeOffset = this.#arrayDepth > 0 ? this.#text.indexOf(']', start) : -1;
    return closeOffset < 0
      ? findBracketEnd(this.#text, start, { breakDetector: this.#breakDetector, brackets: this.#brackets })
      : { end: closeOffset + 1, unclosed: false };
  }

  /** True directly after ARRAY, where `[` starts an array literal instead of a name: `ARRAY[1, 2]`. */
  #isAfterArrayKeyword(): boolean {
    const last = this.#tokens.get(this.#tokens.length - 1);
    return last !== undefined && last.end === this.#offset && last.symbol === 'ARRAY';
  }

  /** True directly after a name: `t.5` is an incomplete column reference, not the number `.5`. */
  #isAfterName(): boolean {
    const last = this.#tokens.get(this.#tokens.length - 1);
    return (
      last !== undefined && last.end === this.#offset && (last.kind === 'word' || last.kind === 'quotedName')
    );
  }

  #scanNumber(start: number): void {
    const text = this.#text;
    // Only the start of a very long number is searched, so that the text is not copied for each number.
    const hex =
      text[start] === '0' ? /^0[xX][0-9a-fA-F]+(?![\w$])/.exec(text.slice(start, start + 40)) : null;
    if (hex !== null) {
      this.#push('number', start, start + hex[0].length, '', false);
      return;
    }
    let offset = start;
    const skipDigits = (): void => {
      while (isDigit(text.charCodeAt(offset))) {
        offset++;
      }
    };
    skipDigits();
    if (text[offset] === '.') {
      offset++;
      skipDigits();
    }
    const exponent = /^[eE][+-]?\d+/.exec(text.slice(offset, offset + 8));
    offset += exponent?.[0].length ?? 0;
    if (offset < text.length && isWordStart(text.charCodeAt(offset)) && text[offset - 1] !== '.') {
      // A name that starts with digits: `2020Sales`.
      this.#offset = offset;
      this.#scanWord(start);
      return;
    }
    this.#push('number', start, offset, '', false);
  }

  /** Scans a name in double quotes or backticks, which are escaped by doubling. */
  #scanQuotedName(start: number): void {
    if (this.#forcedUnclosed.has(start)) {
      this.#push('quotedName', start, this.#guessQuoteEnd(start).end, '', true);
      return;
    }
    const end = findQuoteEnd(this.#text, start);
    if (end >= 0 && (!hasLineBreak(this.#text, start, end) || this.#canSpanLines(start, end))) {
      this.#push('quotedName', start, end, '', false);
      return;
    }
    if (this.#relexEarlierQuoteAsUnclosed('quotedName', findLineStart(this.#text, start))) {
      return;
    }
    this.#push('quotedName', start, this.#guessQuoteEnd(start).end, '', true);
  }

  /** True if a name can contain a line break: it must not look like code, and the quotes after it must match. */
  #canSpanLines(start: number, end: number): boolean {
    const quote = this.#text.charAt(start);
    const restOfLine = this.#text.slice(end, findLineEnd(this.#text, end));
    const hasUnmatchedQuote = restOfLine.split(quote).length % 2 === 0;
    return !hasUnmatchedQuote && this.#breakDetector.findFirstBreak(start + 1, end - 1) < 0;
  }

  /** @param quote offset of the quote, which follows `start` if there is a prefix as in `N'x'` */
  #scanString(start: number, quote: number): void {
    this.#offset = quote;
    const isForced = this.#forcedUnclosed.has(quote);
    const end = isForced ? -1 : findQuoteEnd(this.#text, quote);
    if (end >= 0) {
      this.#push('string', start, end, '', false);
      return;
    }
    if (isForced) {
      this.#push('string', start, this.#guessQuoteEnd(quote).end, '', true);
      return;
    }
    if (this.#relexEarlierQuoteAsUnclosed('string', 0)) {
      return;
    }
    this.#push('string', start, guessStringEnd(this.#text, quote, this.#breakDetector), '', true);
  }

  /**
   * Goes back to the first quote from `minOffset` on that seems to contain code, so that it is lexed again as unclosed.
   * Returns false if there is none, or after too many restarts.
   */
  #relexEarlierQuoteAsUnclosed(kind: TokenKind, minOffset: number): boolean {
    if (this.#forcedUnclosed.size >= MAX_RESTARTS) {
      return false;
    }
    const quote = this.#text.charAt(this.#offset);
    let firstIndex = this.#tokens.length;
    while ((this.#tokens.get(firstIndex - 1)?.start ?? -1) >= minOffset) {
      firstIndex--;
    }
    for (let index = firstIndex; index < this.#tokens.length; index++) {
      const token = this.#tokens.get(index);
      const isCandidate = token?.kind === kind && !token.unclosed && this.#text.charAt(token.start) === quote;
      if (isCandidate && seemsToContainCode(this.#text, token.start, token.end, this.#breakDetector)) {
        this.#forcedUnclosed.add(token.start);
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
    this.#offset = offset;
    this.#arrayDepth = 0;
    for (const { symbol } of this.#tokens) {
      this.#arrayDepth += symbol === '[' ? 1 : symbol === ']' ? -1 : 0;
    }
  }
}
