import { type Container, getEntries } from './jsonNode.ts';
import { scanTokens, type TriviaToken } from './trivia.ts';

/**
 * An item of an array or a property of an object with what stands with it: the blanks before it, a comment before it
 * on its line, its comma, and comments after it on its line. Comments on lines of their own belong to no item: they
 * stay where they are, whatever becomes of the items around them.
 */
export interface Piece {
  readonly start: number;
  /** True where the comment on the lines before it ends with its line. */
  readonly startNeedsBreak: boolean;
  readonly nodeStart: number;
  readonly nodeEnd: number;
  /** Offset of the comma after it; `undefined` after the last, unless a trailing comma stands there. */
  readonly comma: number | undefined;
  readonly end: number;
  /** True where a line comment ends it: what follows must begin with a new line. */
  readonly needsBreak: boolean;
}

/** An array or object taken apart. */
export interface ContainerPieces {
  readonly pieces: readonly Piece[];
  /** Where the first item would be put: after the bracket and what stands on its line. */
  readonly head: number;
  readonly headNeedsBreak: boolean;
  /** Offset of the closing bracket. */
  readonly close: number;
}

/** Takes an array or object apart. It must be whole: the text has no errors. */
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
 * The end of the comments after `from` on its line; `from` itself where there are none, or where an item follows on
 * the line, to which they then belong.
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
  // What ends at a closing bracket ends its line too, as far as items go.
  return isClosingBracket(text[limit]) ? reach : { end: from, needsBreak: false };
}

/** The end of the last comment between two offsets; the first of them where there is none. */
function findLastComment(text: string, from: number, limit: number): CommentReach {
  let reach: CommentReach = { end: from, needsBreak: false };
  for (const { kind, end } of scanTrivia(text, from, limit)) {
    if (kind === 'line' || kind === 'block') {
      reach = { end, needsBreak: kind === 'line' };
    }
  }
  return reach;
}

/** Where an item's own part begins: after the last comment that has its line to itself. */
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

/** Blanks, line breaks and comments from an offset on. */
function* scanTrivia(text: string, from: number, limit: number): Generator<TriviaToken> {
  for (const token of scanTokens(text, from, limit)) {
    if (token.kind === 'comma') {
      return;
    }
    yield token;
  }
}

const isClosingBracket = (character: string | undefined): boolean => character === ']' || character === '}';
