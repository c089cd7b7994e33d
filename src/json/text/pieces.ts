import { type Container, getEntries } from './jsonNode.ts';
import { scanTokens, type TriviaToken } from './trivia.ts';

/**
 * An item of an array or a property of an object with its surroundings: the whitespace before it, a comment before it
 * on its line, its comma, and comments after it on its line. Comments on lines of their own belong to no item: they
 * stay where they are, whatever happens to the items around them.
 */
export interface Piece {
  readonly start: number;
  /** True if the comment on the lines before it ends with its line. */
  readonly startNeedsBreak: boolean;
  readonly nodeStart: number;
  readonly nodeEnd: number;
  /** Offset of the comma after it; `undefined` after the last item, unless there is a trailing comma. */
  readonly comma: number | undefined;
  readonly end: number;
  /** True if it ends with a line comment, so that the next token must start on a new line. */
  readonly needsBreak: boolean;
}

/** The pieces of an array or object. */
export interface ContainerPieces {
  readonly pieces: readonly Piece[];
  /** Insertion offset of the first item: after the bracket and the rest of its line. */
  readonly head: number;
  readonly headNeedsBreak: boolean;
  /** Offset of the closing bracket. */
  readonly close: number;
}

/** Splits an array or object into pieces. The text must be free of errors. */
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
 * The end of the comments after `from` on its line; `from` itself if there are none, or if another item follows on the
 * line, to which they then belong.
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
  // A closing bracket ends the line for the items inside.
  return isClosingBracket(text[limit]) ? reach : { end: from, needsBreak: false };
}

/** The end of the last comment between two offsets; the first offset if there is none. */
function findLastComment(text: string, from: number, limit: number): CommentReach {
  let reach: CommentReach = { end: from, needsBreak: false };
  for (const { kind, end } of scanTrivia(text, from, limit)) {
    if (kind === 'line' || kind === 'block') {
      reach = { end, needsBreak: kind === 'line' };
    }
  }
  return reach;
}

/** The start of an item's own text: after the last comment on a line of its own. */
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
