import { hasLineBreak } from '../syntax/chars.ts';
import type { Caret } from '../syntax/caret.ts';
import { type LexedText, type Quote, getQuoteAt } from '../syntax/lexedText.ts';

/** The caret in a token list from which the incomplete word at the caret has been removed. */
export interface CaretPosition {
  readonly lexed: LexedText;
  readonly caret: Caret;
  /** Start of the text that an accepted proposal replaces. */
  readonly start: number;
  readonly end: number;
  /** The part of the name before the caret, without the opening quote. */
  readonly prefix: string;
  readonly quote: Quote;
}

/** True inside a comment. The end of a line comment counts as inside. */
export function isInComment(lexed: LexedText, offset: number): boolean {
  return lexed.comments.some(
    ({ start, end, block, unclosed }) =>
      offset > start && (offset < end || (offset === end && (!block || unclosed))),
  );
}

/**
 * Returns the index of the name that is being typed at the offset, which may be an unclosed quoted name before the
 * caret; -1 if there is none.
 */
function findTypedToken(lexed: LexedText, offset: number): number {
  const index = lexed.tokens.indexAt(offset);
  const token = lexed.tokens.get(index);
  if (token !== undefined && token.start < offset) {
    const isTyped =
      token.kind === 'word' || (token.kind === 'quotedName' && (offset < token.end || token.unclosed));
    return isTyped ? index : -1;
  }
  const previous = lexed.tokens.get(index - 1);
  const isAfterUnclosedName =
    previous?.kind === 'quotedName' &&
    previous.unclosed &&
    lexed.text.slice(previous.end, offset).trim() === '';
  return isAfterUnclosedName && !hasLineBreak(lexed.text, previous.end, offset) ? index - 1 : -1;
}

function isInLiteral(lexed: LexedText, offset: number): boolean {
  const token = lexed.tokens.get(lexed.tokens.indexAt(offset));
  if (token !== undefined && token.start < offset) {
    return token.kind === 'number' || (token.kind === 'string' && (offset < token.end || token.unclosed));
  }
  const previous = lexed.tokens.get(lexed.tokens.indexAt(offset) - 1);
  if (previous?.kind !== 'string' || !previous.unclosed) {
    return false;
  }
  return (
    lexed.text.slice(previous.end, offset).trim() === '' && !hasLineBreak(lexed.text, previous.end, offset)
  );
}

/** Returns the caret position; `undefined` inside comments, strings and numbers, where nothing is proposed. */
export function getCaretPosition(lexed: LexedText, offset: number): CaretPosition | undefined {
  if (isInComment(lexed, offset) || isInLiteral(lexed, offset)) {
    return undefined;
  }
  const index = findTypedToken(lexed, offset);
  const token = lexed.tokens.get(index);
  if (token === undefined) {
    return createCaretPosition(lexed, offset);
  }
  const quote = token.kind === 'quotedName' ? getQuoteAt(lexed.text, token.start) : '';
  return {
    lexed: { ...lexed, tokens: lexed.tokens.without(index) },
    caret: { index, hasIncompleteWord: true, offset },
    start: token.start,
    end: token.unclosed ? Math.max(offset, token.start + 1) : token.end,
    prefix: lexed.text.slice(token.start + quote.length, offset),
    quote,
  };
}

/**
 * Returns the caret position without removing the word at the caret. If the caret is inside a literal, the literal
 * follows the caret.
 */
export function createCaretPosition(lexed: LexedText, offset: number): CaretPosition {
  let index = lexed.tokens.indexAt(offset);
  const token = lexed.tokens.get(index);
  if (token !== undefined && token.end <= offset && token.kind !== 'end') {
    index++;
  }
  return {
    lexed,
    caret: { index, hasIncompleteWord: false, offset },
    start: offset,
    end: offset,
    prefix: '',
    quote: '',
  };
}
