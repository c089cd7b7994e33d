import { lexRange } from './lexer.ts';
import type { Token } from './token.ts';
import type { TokenList } from './tokenList.ts';
import type { Comment, Lexed } from './tokens.ts';

/** With more runs, access to tokens becomes slow, so the whole text is lexed again. */
const MAX_PIECES = 64;

/** Texts are compared in blocks, because comparing strings is faster than comparing single characters. */
const BLOCK = 1024;

/** The tokens that an edit replaced, by index. All tokens before and after them are unchanged, except for offsets. */
export interface TokenChange {
  readonly from: number;
  /** End index of the replaced tokens, before the edit. */
  readonly oldEnd: number;
  /** End index of the new tokens, after the edit. */
  readonly newEnd: number;
}

/**
 * Splits an edited text into tokens by lexing only the edited part. The result is the same as that of {@link lex}.
 * Returns `undefined` if the tokens depend on more than the edited part, for example because of an unclosed quote.
 */
export function relex(before: Lexed, text: string): { lexed: Lexed; change: TokenChange } | undefined {
  if (!before.local || before.tokens.pieces > MAX_PIECES) {
    return undefined;
  }
  const edit = computeTextChange(before.text, text);
  const { tokens } = before;
  // The edit may change the token that ends at it, and also the token before that, because the lexer looks ahead.
  const from = Math.max(0, tokens.indexAt(edit.start) - 1);
  const start = from === 0 ? 0 : (tokens.get(from)?.start ?? 0);
  const known = new PreviousTokens(tokens, edit);
  const previous = tokens.get(from - 1);
  const isLast = (token: Token): boolean => known.has(token);
  const read = lexRange(text, { from: start, before: previous, isLast });
  if (read === undefined) {
    return undefined;
  }
  const kept = previous === undefined ? from : from - 1;
  const oldEnd = known.isMet ? known.index : tokens.length;
  const all = tokens.withReplaced(kept, oldEnd, read.tokens, edit.shift);
  return {
    lexed: {
      text,
      tokens: all,
      comments: mergeComments(before, read.comments, start, known.end, edit.shift),
      open: false,
      local: true,
    },
    change: { from, oldEnd, newEnd: all.length - (tokens.length - oldEnd) },
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
  const most = Math.min(before.length, after.length);
  const start = countCommonPrefix(before, after, most);
  const tail = countCommonSuffix(before, after, most - start);
  return { start, end: before.length - tail, shift: after.length - before.length };
}

/** Returns the length of the common prefix of two texts. */
function countCommonPrefix(before: string, after: string, most: number): number {
  let at = 0;
  while (at + BLOCK <= most && before.slice(at, at + BLOCK) === after.slice(at, at + BLOCK)) {
    at += BLOCK;
  }
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) {
    at++;
  }
  return at;
}

/** Returns the length of the common suffix of two texts. */
function countCommonSuffix(before: string, after: string, most: number): number {
  const ends = [before.length, after.length] as const;
  let at = 0;
  while (
    at + BLOCK <= most &&
    before.slice(ends[0] - at - BLOCK, ends[0] - at) === after.slice(ends[1] - at - BLOCK, ends[1] - at)
  ) {
    at += BLOCK;
  }
  while (at < most && before.charCodeAt(ends[0] - at - 1) === after.charCodeAt(ends[1] - at - 1)) {
    at++;
  }
  return at;
}

/** The previous tokens after an edit. Once one of them is found again, all tokens after it are unchanged. */
class PreviousTokens {
  readonly #tokens: TokenList;
  readonly #edit: TextChange;
  /** Index of the first token that has not been compared yet. */
  index: number;
  /** The end of the token that was found again, in the text before the edit. */
  end = Number.POSITIVE_INFINITY;
  isMet = false;

  constructor(tokens: TokenList, edit: TextChange) {
    this.#tokens = tokens;
    this.#edit = edit;
    this.index = tokens.indexAt(edit.end);
  }

  /** True if a token of the edited text is one of the previous tokens. Must be called in text order. */
  has({ kind, start, end, text }: Token): boolean {
    const { shift, end: editEnd } = this.#edit;
    if (start - shift < editEnd) {
      return false;
    }
    let known = this.#tokens.get(this.index);
    while (known !== undefined && known.start + shift < start) {
      this.index++;
      known = this.#tokens.get(this.index);
    }
    const isSame =
      known?.start === start - shift &&
      known.end === end - shift &&
      known.kind === kind &&
      known.text === text;
    if (known !== undefined && isSame) {
      this.index++;
      this.end = known.end;
      this.isMet = true;
    }
    return isSame;
  }
}

function mergeComments(
  before: Lexed,
  read: readonly Comment[],
  from: number,
  to: number,
  shift: number,
): Comment[] {
  const kept = before.comments.filter(({ start }) => start < from);
  const moved = before.comments.filter(({ start }) => start >= to);
  return [
    ...kept,
    ...read,
    ...moved.map((comment) => ({ ...comment, start: comment.start + shift, end: comment.end + shift })),
  ];
}
