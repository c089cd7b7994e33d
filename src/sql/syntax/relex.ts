import { lexRange } from './lexer.ts';
import type { Token } from './token.ts';
import type { TokenList } from './tokenList.ts';
import type { Comment, LexedText } from './lexedText.ts';

/**
 * The maximum number of runs in a token list (see {@link TokenList}) after an edit. With more runs, access to tokens
 * becomes slow, so the whole text is lexed again.
 */
const MAX_RUNS = 64;

/** Texts are compared in blocks, because comparing strings is faster than comparing single characters. */
const BLOCK_LENGTH = 1024;

/** The tokens that an edit replaced, by index. All tokens before and after them are unchanged, except for offsets. */
export interface TokenChange {
  readonly startIndex: number;
  /** End index of the replaced tokens, before the edit. */
  readonly oldEndIndex: number;
  /** End index of the new tokens, after the edit. */
  readonly newEndIndex: number;
}

/**
 * Splits an edited text into tokens by lexing only the edited part. The result is the same as that of {@link lex}.
 * Returns `undefined` if the tokens depend on more than the edited part, for example because of an unclosed quote, or
 * if the token list has too many runs.
 */
export function relex(
  previous: LexedText,
  text: string,
): { lexed: LexedText; change: TokenChange } | undefined {
  if (!previous.canRelex || previous.tokens.runCount > MAX_RUNS) {
    return undefined;
  }
  const edit = computeTextChange(previous.text, text);
  const { tokens } = previous;
  // The edit may change the token that ends at it, and also the token before that, because the lexer looks ahead.
  const startIndex = Math.max(0, tokens.indexAt(edit.start) - 1);
  const start = startIndex === 0 ? 0 : (tokens.get(startIndex)?.start ?? 0);
  const previousTokens = new PreviousTokens(tokens, edit);
  const tokenBefore = tokens.get(startIndex - 1);
  const isLast = (token: Token): boolean => previousTokens.tryMatch(token);
  const relexed = lexRange(text, { startOffset: start, previousToken: tokenBefore, isLast });
  if (relexed === undefined) {
    return undefined;
  }
  const keptTokenCount = tokenBefore === undefined ? startIndex : startIndex - 1;
  const oldEndIndex = previousTokens.isFound ? previousTokens.index : tokens.length;
  const newTokens = tokens.withReplaced(keptTokenCount, oldEndIndex, relexed.tokens, edit.shift);
  return {
    lexed: {
      text,
      tokens: newTokens,
      comments: mergeComments(previous, relexed.comments, start, previousTokens.end, edit.shift),
      hasUnclosed: false,
      canRelex: true,
    },
    change: { startIndex, oldEndIndex, newEndIndex: newTokens.length - (tokens.length - oldEndIndex) },
  };
}

/** The part of a text that was replaced, and the distance by which the text after it has moved. */
interface TextChange {
  readonly start: number;
  /** The end in the text before the edit. */
  readonly end: number;
  readonly shift: number;
}

function computeTextChange(before: string, after: string): TextChange {
  const maxLength = Math.min(before.length, after.length);
  const start = getCommonPrefixLength(before, after, maxLength);
  const suffixLength = getCommonSuffixLength(before, after, maxLength - start);
  return { start, end: before.length - suffixLength, shift: after.length - before.length };
}

/** Returns the length of the common prefix of two texts. */
function getCommonPrefixLength(before: string, after: string, maxLength: number): number {
  let length = 0;
  while (
    length + BLOCK_LENGTH <= maxLength &&
    before.slice(length, length + BLOCK_LENGTH) === after.slice(length, length + BLOCK_LENGTH)
  ) {
    length += BLOCK_LENGTH;
  }
  while (length < maxLength && before.charCodeAt(length) === after.charCodeAt(length)) {
    length++;
  }
  return length;
}

/** Returns the length of the common suffix of two texts. */
function getCommonSuffixLength(before: string, after: string, maxLength: number): number {
  const lengths = [before.length, after.length] as const;
  let length = 0;
  while (
    length + BLOCK_LENGTH <= maxLength &&
    before.slice(lengths[0] - length - BLOCK_LENGTH, lengths[0] - length) ===
      after.slice(lengths[1] - length - BLOCK_LENGTH, lengths[1] - length)
  ) {
    length += BLOCK_LENGTH;
  }
  while (
    length < maxLength &&
    before.charCodeAt(lengths[0] - length - 1) === after.charCodeAt(lengths[1] - length - 1)
  ) {
    length++;
  }
  return length;
}

/** The previous tokens after an edit. Once one of them is found again, all tokens after it are unchanged. */
class PreviousTokens {
  readonly #tokens: TokenList;
  readonly #edit: TextChange;
  /** Index of the first token that has not been compared yet. */
  index: number;
  /** The end of the token that was found again, in the text before the edit. */
  end = Number.POSITIVE_INFINITY;
  isFound = false;

  constructor(tokens: TokenList, edit: TextChange) {
    this.#tokens = tokens;
    this.#edit = edit;
    this.index = tokens.indexAt(edit.end);
  }

  /**
   * Returns whether a token of the edited text is one of the previous tokens, and then moves on to the next one. Must
   * be called in text order.
   */
  tryMatch({ kind, start, end, symbol }: Token): boolean {
    const { shift, end: editEnd } = this.#edit;
    if (start - shift < editEnd) {
      return false;
    }
    let previousToken = this.#tokens.get(this.index);
    while (previousToken !== undefined && previousToken.start + shift < start) {
      this.index++;
      previousToken = this.#tokens.get(this.index);
    }
    const isSame =
      previousToken?.start === start - shift &&
      previousToken.end === end - shift &&
      previousToken.kind === kind &&
      previousToken.symbol === symbol;
    if (previousToken !== undefined && isSame) {
      this.index++;
      this.end = previousToken.end;
      this.isFound = true;
    }
    return isSame;
  }
}

function mergeComments(
  previous: LexedText,
  newComments: readonly Comment[],
  editStart: number,
  editEnd: number,
  shift: number,
): Comment[] {
  const commentsBefore = previous.comments.filter(({ start }) => start < editStart);
  const commentsAfter = previous.comments.filter(({ start }) => start >= editEnd);
  return [
    ...commentsBefore,
    ...newComments,
    ...commentsAfter.map((comment) => ({
      ...comment,
      start: comment.start + shift,
      end: comment.end + shift,
    })),
  ];
}
