import {
  BRACKET_CLOSE,
  BRACKET_OPEN,
  findLineEnd,
  hasLineBreak,
  isLineBreak,
  isSpace,
  isWordPart,
  isWordStart,
} from './chars.ts';
import { lowerBound } from '../../base/lowerBound.ts';
import { breaksQuote } from './keywords.ts';
import { getQuoteAt } from './lexedText.ts';

/** The end of a quoted name or string. If it is `unclosed`, the end is a guess. */
export interface QuoteEnd {
  readonly end: number;
  readonly unclosed: boolean;
}

const OPERATORS = '=<>+-*/%|!';

type CaseStyle = 'upper' | 'lower' | 'title';

function getCaseStyle(word: string): CaseStyle {
  if (word === word.toUpperCase()) {
    return 'upper';
  }
  return word === word.toLowerCase() ? 'lower' : 'title';
}

/**
 * Detects keywords that end an unclosed quote: those in upper case, or in the case style of the first SELECT of the
 * text. `From` in `[Valid From` is part of the name in a text that uses `SELECT`, but ends the quote in a text that
 * uses `Select`.
 */
export class QuoteBreakDetector {
  readonly #text: string;
  #style: CaseStyle | undefined;
  #wasUsed = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** True if the detector was used, so that the tokens depend on the case style of the whole text. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  isBreak(start: number, end: number): boolean {
    this.#wasUsed = true;
    const word = this.#text.slice(start, end);
    return breaksQuote(word.toUpperCase()) && this.#isKeywordCase(word);
  }

  #isKeywordCase(word: string): boolean {
    const style = getCaseStyle(word);
    this.#style ??= getCaseStyle(/\bselect\b/i.exec(this.#text)?.[0] ?? 'SELECT');
    return style === 'upper' || style === this.#style;
  }

  /** Returns the offset of the first keyword that ends a quote between two offsets, or -1. */
  findFirstBreak(start: number, end: number): number {
    this.#wasUsed = true;
    let index = start;
    while (index < end) {
      if (!isWordStart(this.#text.charCodeAt(index))) {
        index++;
        continue;
      }
      const wordStart = index;
      while (index < end && isWordPart(this.#text.charCodeAt(index))) {
        index++;
      }
      if (this.isBreak(wordStart, index)) {
        return wordStart;
      }
    }
    return -1;
  }
}

/** A `]` that is not part of an escape. */
interface ClosingBracket {
  readonly index: number;
  /** The end of the last escape (`]]`) before the bracket. */
  readonly escapedUntil: number;
}

/** The offsets of the brackets of a text. Computed only once, because every unclosed bracket has to search them. */
export class BracketIndex {
  readonly #text: string;
  #openings: readonly number[] | undefined;
  #closings: readonly ClosingBracket[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the first closing bracket after an opening one. */
  findClosingAfter(openOffset: number): ClosingBracket | undefined {
    this.#closings ??= findClosings(this.#text);
    const closings = this.#closings;
    return closings[lowerBound(closings.length, (index) => (closings[index]?.index ?? 0) <= openOffset)];
  }

  /** Returns the first opening bracket between two offsets, or -1. */
  findOpeningIn(start: number, end: number): number {
    this.#openings ??= Array.from(this.#text.matchAll(/\[/g), ({ index }) => index);
    const openingOffsets = this.#openings;
    const openingOffset =
      openingOffsets[lowerBound(openingOffsets.length, (index) => (openingOffsets[index] ?? 0) < start)];
    return openingOffset !== undefined && openingOffset < end ? openingOffset : -1;
  }
}

/** Finds all closing brackets: in a run of `]`, each pair is an escape, and a remaining one closes. */
function findClosings(text: string): readonly ClosingBracket[] {
  const closings: ClosingBracket[] = [];
  let escapedUntil = 0;
  for (const { index, 0: run } of text.matchAll(/\]+/g)) {
    const end = index + run.length;
    const isOdd = run.length % 2 === 1;
    escapedUntil = run.length > 1 ? end - (isOdd ? 1 : 0) : escapedUntil;
    if (isOdd) {
      closings.push({ index: end - 1, escapedUntil });
    }
  }
  return closings;
}

/** Information about the whole text that is needed to find the end of a bracket. */
export interface QuoteContext {
  readonly breakDetector: QuoteBreakDetector;
  readonly brackets: BracketIndex;
}

function skipWhitespaceBackward(text: string, offset: number, minOffset: number): number {
  let index = offset;
  while (index > minOffset && isSpace(text.charCodeAt(index - 1))) {
    index--;
  }
  return index;
}

function findWordStart(text: string, end: number, minOffset: number): number {
  let index = end;
  while (index > minOffset && isWordPart(text.charCodeAt(index - 1))) {
    index--;
  }
  return index;
}

/** True if a `[` inside a bracketed name probably starts another name. */
function startsAnotherName(
  text: string,
  openOffset: number,
  innerOffset: number,
  breakDetector: QuoteBreakDetector,
): boolean {
  const contentEnd = skipWhitespaceBackward(text, innerOffset, openOffset + 1);
  if (contentEnd === openOffset + 1) {
    return true;
  }
  if (',.(=<>+-*/|'.includes(text.charAt(contentEnd - 1))) {
    return true;
  }
  const wordStart = findWordStart(text, contentEnd, openOffset + 1);
  return wordStart < contentEnd && breakDetector.isBreak(wordStart, contentEnd);
}

/** Names longer than this are handled by the slower search. */
const maxSimpleLength = 200;

/**
 * Returns the end of a simple name in brackets: on one line, not too long and without brackets in it; otherwise -1.
 */
function findSimpleBracketEnd(text: string, openOffset: number): number {
  for (let index = openOffset + 1; index < openOffset + maxSimpleLength; index++) {
    const code = text.charCodeAt(index);
    if (code === BRACKET_CLOSE && text.charCodeAt(index + 1) !== BRACKET_CLOSE) {
      return index + 1;
    }
    if (code === BRACKET_OPEN || code === BRACKET_CLOSE || isLineBreak(code)) {
      return -1;
    }
  }
  return -1;
}

/** Returns the end of a name in brackets, in which `]]` is an escaped bracket. */
export function findBracketEnd(
  text: string,
  openOffset: number,
  { breakDetector, brackets }: QuoteContext,
): QuoteEnd {
  const simpleEnd = findSimpleBracketEnd(text, openOffset);
  if (simpleEnd >= 0) {
    return { end: simpleEnd, unclosed: false };
  }
  const closing = brackets.findClosingAfter(openOffset);
  if (closing !== undefined) {
    const { index, escapedUntil } = closing;
    // `[Amount [USD]]]` is one name: its inner bracket is closed by the escape.
    const innerOffset = brackets.findOpeningIn(Math.max(openOffset + 1, escapedUntil), index);
    const innerStartsName =
      innerOffset >= 0 && startsAnotherName(text, openOffset, innerOffset, breakDetector);
    const firstLineEnd = Math.min(findLineEnd(text, openOffset + 1), index);
    const spansCode =
      !innerStartsName &&
      firstLineEnd < index &&
      (innerOffset >= 0 || breakDetector.findFirstBreak(firstLineEnd, index) >= 0);
    if (!innerStartsName && !spansCode) {
      return { end: index + 1, unclosed: false };
    }
  }
  return { end: guessQuoteEnd(text, openOffset, breakDetector), unclosed: true };
}

/** Returns the end of a part quoted with `"`, `` ` `` or `'`, which are escaped by doubling; -1 if it is unclosed. */
export function findQuoteEnd(text: string, openOffset: number): number {
  const quote = text.charAt(openOffset);
  let index = text.indexOf(quote, openOffset + 1);
  while (index >= 0 && text.charAt(index + 1) === quote) {
    index = text.indexOf(quote, index + 2);
  }
  return index < 0 ? -1 : index + 1;
}

/** True if a quoted part seems to contain code, which means that its real closing quote is missing. */
export function seemsToContainCode(
  text: string,
  start: number,
  end: number,
  breakDetector: QuoteBreakDetector,
): boolean {
  const contentStart = start + 1;
  const closeOffset = end - 1;
  if (closeOffset <= contentStart) {
    return false;
  }
  const contentEnd = skipWhitespaceBackward(text, closeOffset, contentStart);
  if (contentEnd === contentStart || ',.=(<>'.includes(text.charAt(contentEnd - 1))) {
    return contentEnd > contentStart;
  }
  return (
    breakDetector.findFirstBreak(contentStart, closeOffset) >= 0 &&
    (contentEnd < closeOffset || hasLineBreak(text, contentStart, closeOffset))
  );
}

function isOperatorAfterSpace(text: string, index: number): boolean {
  return OPERATORS.includes(text.charAt(index)) && isSpace(text.charCodeAt(index - 1));
}

/**
 * Guesses the end of an unclosed quote: the end of its line, or of the text before what is probably code: a keyword, a
 * comma, a semicolon, an operator after a space, an unbalanced closing parenthesis, or a qualifier of a quoted name,
 * such as `t.` in `t.[Id]`.
 */
export function guessQuoteEnd(text: string, openOffset: number, breakDetector: QuoteBreakDetector): number {
  let depth = 0;
  let index = openOffset + 1;
  let wordStart = index;
  while (index < text.length && !isLineBreak(text.charCodeAt(index))) {
    const code = text.charCodeAt(index);
    if (isWordStart(code)) {
      wordStart = index;
      while (index < text.length && isWordPart(text.charCodeAt(index))) {
        index++;
      }
      if (breakDetector.isBreak(wordStart, index)) {
        return skipWhitespaceBackward(text, wordStart, openOffset + 1);
      }
      continue;
    }
    const char = text.charAt(index);
    depth += char === '(' ? 1 : 0;
    depth -= char === ')' ? 1 : 0;
    if (depth < 0 || char === ',' || char === ';' || isOperatorAfterSpace(text, index)) {
      return skipWhitespaceBackward(text, index, openOffset + 1);
    }
    if (char === '.' && getQuoteAt(text, index + 1) !== '') {
      return skipWhitespaceBackward(text, wordStart, openOffset + 1);
    }
    index++;
  }
  return index;
}

/** Guesses the end of an unclosed string: the end of its line, or of the text before a keyword. */
export function guessStringEnd(text: string, openOffset: number, breakDetector: QuoteBreakDetector): number {
  const limit = findLineEnd(text, openOffset);
  const breakOffset = breakDetector.findFirstBreak(openOffset + 1, limit);
  return breakOffset < 0 ? limit : skipWhitespaceBackward(text, breakOffset, openOffset + 1);
}
