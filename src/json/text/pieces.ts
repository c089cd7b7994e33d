import { type Container, getEntries } from './jsonNode.ts';
import { scanTokens, type TriviaToken } from './trivia.ts';

/**
 * The region of an array item or object member: the whitespace before it, a comment before it on its line, the item
 * itself, its comma, and comments after it on its line. Comments on separate lines belong to no item, so they stay
 * where they are if items are moved or removed.
 */
export interface Piece {
  readonly start: number;
  /** True if `start` directly follows a line comment, so that the region must begin with a line break. */
  readonly startNeedsBreak: boolean;
  readonly nodeStart: number;
  readonly nodeEnd: number;
  /** Offset of the comma after the item; `undefined` for the last item, unless there is a trailing comma. */
  readonly comma: number | undefined;
  readonly end: number;
  /** True if the region ends with a line comment, so that the next token must be on a new line. */
  readonly needsBreak: boolean;
}

/** The regions of the entries of an array or object. */
export interface ContainerPieces {
  readonly pieces: readonly Piece[];
  /** Where a new first item is inserted: after the opening bracket and the comments after it on its line. */
  readonly head: number;
  readonly headNeedsBreak: boolean;
  /** Offset of the closing bracket. */
  readonly close: number;
}

/** Divides an array or object into regions. The text must have no syntax errors. */
export function splitContainer(text: string, container: Container): ContainerPieces {
  const entries = getEntries(container);
  const open = container.start + 1;
  const close = container.end - 1;
  const limit = entries[0]?.start ?? close;
  const { end: head, needsBreak: headNeedsBreak } =
    entries.length === 0 ? findLastComment(text, open, limit) : findRestOfLine(text, open, limit);
  const pieces: Piece[] = [];
  let from = head;
  entries.forEach(({ start: nodeStart, end: nodeEnd }, index) => {
    const comma = findCommaAfter(text, nodeEnd, close);
    const next = entries[index + 1]?.start ?? close;
    const { end, needsBreak } = findRestOfLine(text, comma === undefined ? nodeEnd : comma + 1, next);
    const { end: start, needsBreak: startNeedsBreak } = findOwnStart(text, from, nodeStart);
    pieces.push({ start, startNeedsBreak, nodeStart, nodeEnd, comma, end, needsBreak });
    from = end;
  });
  return { pieces, head, headNeedsBreak, close };
}

interface CommentReach {
  readonly end: number;
  readonly needsBreak: boolean;
}

/**
 * Finds the end of the comments after an offset on its line. Returns the offset itself if there are none, or if another
 * item follows on the line, because the comments then belong to that item.
 */
function findRestOfLine(text: string, from: number, limit: number): CommentReach {
  let reach: CommentReach = { end: from, needsBreak: false };
  for (const token of scanTrivia(text, from, limit)) {
    if (token.kind === 'break') {
      return reach;
    }
    if (token.kind !== 'blanks') {
      reach = { end: token.end, needsBreak: token.kind === 'line' };
    }
  }
  // If the closing bracket follows on the same line, the comments belong to the item before them.
  return isClosingBracket(text[limit]) ? reach : { end: from, needsBreak: false };
}

/** Finds the end of the last comment between two offsets; the first offset if there is none. */
function findLastComment(text: string, from: number, limit: number): CommentReach {
  let reach: CommentReach = { end: from, needsBreak: false };
  for (const { kind, end } of scanTrivia(text, from, limit)) {
    if (kind === 'line' || kind === 'block') {
      reach = { end, needsBreak: kind === 'line' };
    }
  }
  return reach;
}

/** Finds the start of the region of an item: after the last comment that is on a separate line. */
function findOwnStart(text: string, from: number, nodeStart: number): CommentReach {
  let reach: CommentReach = { end: from, needsBreak: false };
  let comment: CommentReach | undefined;
  for (const { kind, end } of scanTrivia(text, from, nodeStart)) {
    if (kind === 'break') {
      reach = comment ?? reach;
      comment = undefined;
    } else if (kind !== 'blanks') {
      comment = { end, needsBreak: kind === 'line' };
    }
  }
  return reach;
}

function findCommaAfter(text: string, nodeEnd: number, close: number): number | undefined {
  return scanTokens(text, nodeEnd, close).find(({ kind }) => kind === 'comma')?.start;
}

/** Yields whitespace, line breaks and comments from an offset. */
function* scanTrivia(text: string, from: number, limit: number): Generator<TriviaToken> {
  for (const token of scanTokens(text, from, limit)) {
    if (token.kind === 'comma') {
      return;
    }
    yield token;
  }
}

const isClosingBracket = (character: string | undefined): boolean => character === ']' || character === '}';
