import { endOfLine, hasLineBreak, isLineBreak, isSpace, isWordPart, isWordStart } from './chars.ts';
import { lowerBound } from '../../base/lowerBound.ts';
import { breaksQuote } from './keywords.ts';
import { quoteAt } from './tokens.ts';

/** The end of a quoted name or string. If it is unclosed (`open`), the end is a guess. */
export interface QuoteEnd {
  readonly end: number;
  readonly open: boolean;
}

const BRACKET_OPEN = 91;
const BRACKET_CLOSE = 93;
const OPERATORS = '=<>+-*/%|!';

type CaseStyle = 'upper' | 'lower' | 'title';

function getCaseStyle(word: string): CaseStyle {
  if (word === word.toUpperCase()) {
    return 'upper';
  }
  return word === word.toLowerCase() ? 'lower' : 'title';
}

/**
 * Detects keywords that end an unclosed quote, judging by the case style of the keywords in the text: `From` in
 * `[Valid From` is part of the name in a text that uses `SELECT`, but ends the quote in a text that uses `Select`.
 */
export class QuoteBreaks {
  readonly #text: string;
  #style: CaseStyle | undefined;
  #isAsked = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** True if the detector was used, so that the tokens depend on the case style of the whole text. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  isBreak(start: number, end: number): boolean {
    this.#isAsked = true;
    const word = this.#text.slice(start, end);
    return breaksQuote(word.toUpperCase()) && this.#isKeywordCase(word);
  }

  #isKeywordCase(word: string): boolean {
    const style = getCaseStyle(word);
    this.#style ??= getCaseStyle(/\bselect\b/i.exec(this.#text)?.[0] ?? 'SELECT');
    return style === 'upper' || style === this.#style;
  }

  /** Returns the offset of the first keyword that ends a quote between two offsets, or -1. */
  findFirstIn(from: number, to: number): number {
    this.#isAsked = true;
    let at = from;
    while (at < to) {
      if (!isWordStart(this.#text.charCodeAt(at))) {
        at++;
        continue;
      }
      const start = at;
      while (at < to && isWordPart(this.#text.charCodeAt(at))) {
        at++;
      }
      if (this.isBreak(start, at)) {
        return start;
      }
    }
    return -1;
  }
}

/** A `]` that is not part of an escape. */
interface ClosingBracket {
  readonly at: number;
  /** The end of the last escape (`]]`) before the bracket. */
  readonly escapedUntil: number;
}

/** The offsets of the brackets of a text. Computed only once, because every unclosed bracket has to search them. */
export class Brackets {
  readonly #text: string;
  #openings: readonly number[] | undefined;
  #closings: readonly ClosingBracket[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the first closing bracket after an opening one. */
  findClosingAfter(open: number): ClosingBracket | undefined {
    this.#closings ??= findClosings(this.#text);
    const closings = this.#closings;
    return closings[lowerBound(closings.length, (index) => (closings[index]?.at ?? 0) <= open)];
  }

  /** Returns the first opening bracket between two offsets, or -1. */
  findOpeningIn(from: number, to: number): number {
    this.#openings ??= Array.from(this.#text.matchAll(/\[/g), ({ index }) => index);
    const openings = this.#openings;
    const found = openings[lowerBound(openings.length, (index) => (openings[index] ?? 0) < from)];
    return found !== undefined && found < to ? found : -1;
  }
}

/** Finds all closing brackets: in a run of `]`, each pair is an escape, and a remaining one closes. */
function findClosings(text: string): readonly ClosingBracket[] {
  const closings: ClosingBracket[] = [];
  let escapedUntil = 0;
  for (const { index, 0: row } of text.matchAll(/\]+/g)) {
    const end = index + row.length;
    const isOdd = row.length % 2 === 1;
    escapedUntil = row.length > 1 ? end - (isOdd ? 1 : 0) : escapedUntil;
    if (isOdd) {
      closings.push({ at: end - 1, escapedUntil });
    }
  }
  return closings;
}

/** Information about the whole text that is needed to find the end of a bracket. */
export interface QuoteFacts {
  readonly breaks: QuoteBreaks;
  readonly brackets: Brackets;
}

function skipBlanksBack(text: string, offset: number, floor: number): number {
  let at = offset;
  while (at > floor && isSpace(text.charCodeAt(at - 1))) {
    at--;
  }
  return at;
}

function findWordStart(text: string, end: number, floor: number): number {
  let at = end;
  while (at > floor && isWordPart(text.charCodeAt(at - 1))) {
    at--;
  }
  return at;
}

/** True if a `[` inside a bracketed name probably starts another name. */
function startsAnotherName(text: string, open: number, inner: number, breaks: QuoteBreaks): boolean {
  const before = skipBlanksBack(text, inner, open + 1);
  if (before === open + 1) {
    return true;
  }
  if (',.(=<>+-*/|'.includes(text.charAt(before - 1))) {
    return true;
  }
  const word = findWordStart(text, before, open + 1);
  return word < before && breaks.isBreak(word, before);
}

/** Names longer than this are handled by the slower search. */
const maxPlainLength = 200;

/**
 * Returns the end of a simple name in brackets: on one line, not too long and without brackets in it; otherwise -1.
 */
function findPlainEnd(text: string, open: number): number {
  for (let at = open + 1; at < open + maxPlainLength; at++) {
    const code = text.charCodeAt(at);
    if (code === BRACKET_CLOSE && text.charCodeAt(at + 1) !== BRACKET_CLOSE) {
      return at + 1;
    }
    if (code === BRACKET_OPEN || code === BRACKET_CLOSE || isLineBreak(code)) {
      return -1;
    }
  }
  return -1;
}

/** Returns the end of a name in brackets, in which `]]` is an escaped bracket. */
export function findBracketEnd(text: string, open: number, { breaks, brackets }: QuoteFacts): QuoteEnd {
  const plain = findPlainEnd(text, open);
  if (plain >= 0) {
    return { end: plain, open: false };
  }
  const closing = brackets.findClosingAfter(open);
  if (closing !== undefined) {
    const { at, escapedUntil } = closing;
    // `[Amount [USD]]]` is one name: its inner bracket is closed by the escape.
    const inner = brackets.findOpeningIn(Math.max(open + 1, escapedUntil), at);
    const isAnother = inner >= 0 && startsAnotherName(text, open, inner, breaks);
    const lineEnd = isAnother ? at : Math.min(endOfLine(text, open + 1), at);
    const spansCode = lineEnd < at && (inner >= 0 || breaks.findFirstIn(lineEnd, at) >= 0);
    if (!isAnother && !spansCode) {
      return { end: at + 1, open: false };
    }
  }
  return { end: guessEnd(text, open, breaks), open: true };
}

/** Returns the end of a part quoted with `"`, `` ` `` or `'`, which are escaped by doubling; -1 if it is unclosed. */
export function findDoubledEnd(text: string, open: number): number {
  const quote = text.charAt(open);
  let at = text.indexOf(quote, open + 1);
  while (at >= 0 && text.charAt(at + 1) === quote) {
    at = text.indexOf(quote, at + 2);
  }
  return at < 0 ? -1 : at + 1;
}

/** True if a quoted part seems to contain code, which means that its real closing quote is missing. */
export function looksSwallowed(text: string, start: number, end: number, breaks: QuoteBreaks): boolean {
  const from = start + 1;
  const to = end - 1;
  if (to <= from) {
    return false;
  }
  const last = skipBlanksBack(text, to, from);
  if (last === from || ',.=(<>'.includes(text.charAt(last - 1))) {
    return last > from;
  }
  return breaks.findFirstIn(from, to) >= 0 && (last < to || hasLineBreak(text, from, to));
}

function isOperatorAt(text: string, at: number): boolean {
  return OPERATORS.includes(text.charAt(at)) && isSpace(text.charCodeAt(at - 1));
}

/**
 * Guesses the end of an unclosed quote: the end of its line, or before text that is probably code: a keyword, a comma,
 * an operator after a space, an unbalanced parenthesis, or a qualifier with a quoted name after it.
 */
export function guessEnd(text: string, open: number, breaks: QuoteBreaks): number {
  let depth = 0;
  let at = open + 1;
  let wordStart = at;
  while (at < text.length && !isLineBreak(text.charCodeAt(at))) {
    const code = text.charCodeAt(at);
    if (isWordStart(code)) {
      wordStart = at;
      while (at < text.length && isWordPart(text.charCodeAt(at))) {
        at++;
      }
      if (breaks.isBreak(wordStart, at)) {
        return skipBlanksBack(text, wordStart, open + 1);
      }
      continue;
    }
    const char = text.charAt(at);
    depth += char === '(' ? 1 : 0;
    depth -= char === ')' ? 1 : 0;
    if (depth < 0 || char === ',' || char === ';' || isOperatorAt(text, at)) {
      return skipBlanksBack(text, at, open + 1);
    }
    if (char === '.' && quoteAt(text, at + 1) !== '') {
      return skipBlanksBack(text, wordStart, open + 1);
    }
    at++;
  }
  return at;
}

/** Guesses the end of an unclosed string: the end of its line, or before a keyword. */
export function guessStringEnd(text: string, open: number, breaks: QuoteBreaks): number {
  const limit = endOfLine(text, open);
  const word = breaks.findFirstIn(open + 1, limit);
  return word < 0 ? limit : skipBlanksBack(text, word, open + 1);
}
