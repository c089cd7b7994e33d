import { type Container, getEntries } from './jsonNode.ts';
import { scanTokens, type TriviaToken } from './trivia.ts';

/**
 * The region of an array item or object member: the whitespace before it, a comment before it on its line, the item
 * itself, its comma, and comments after it on its line. Comments on separate lines belong to no item, so they stay
 * where they are if items are moved or removed.
 */
export interface EntryRegion {
  readonly start: number;
  /** True if `start` directly follows a line comment: the region must then begin with a line break. */
  readonly startNeedsLineBreak: boolean;
  readonly nodeStart: number;
  readonly nodeEnd: number;
  /** Offset of the comma after the item; `undefined` for the last item, unless there is a trailing comma. */
  readonly commaOffset: number | undefined;
  readonly end: number;
  /** True if the region ends with a line comment: the next token must then be on a new line. */
  readonly needsLineBreak: boolean;
}

/** The regions of the entries of an array or object. */
export interface ContainerRegions {
  readonly regions: readonly EntryRegion[];
  /** Where a new first item is inserted: after the opening bracket and the comments after it on its line. */
  readonly contentStart: number;
  readonly contentStartNeedsLineBreak: boolean;
  /** Offset of the closing bracket. */
  readonly closeOffset: number;
}

/** Divides an array or object into regions. The text must have no syntax errors. */
export function splitContainer(text: string, container: Container): ContainerRegions {
  const entries = getEntries(container);
  const openEnd = container.start + 1;
  const closeOffset = container.end - 1;
  const limit = entries[0]?.start ?? closeOffset;
  const { end: contentStart, needsLineBreak: contentStartNeedsLineBreak } =
    entries.length === 0
      ? findLastCommentEnd(text, openEnd, limit)
      : findTrailingCommentEnd(text, openEnd, limit);
  const regions: EntryRegion[] = [];
  let previousEnd = contentStart;
  entries.forEach(({ start: nodeStart, end: nodeEnd }, index) => {
    const commaOffset = findCommaAfter(text, nodeEnd, closeOffset);
    const nextStart = entries[index + 1]?.start ?? closeOffset;
    const { end, needsLineBreak } = findTrailingCommentEnd(
      text,
      commaOffset === undefined ? nodeEnd : commaOffset + 1,
      nextStart,
    );
    const { end: start, needsLineBreak: startNeedsLineBreak } = findRegionStart(text, previousEnd, nodeStart);
    regions.push({ start, startNeedsLineBreak, nodeStart, nodeEnd, commaOffset, end, needsLineBreak });
    previousEnd = end;
  });
  return { regions, contentStart, contentStartNeedsLineBreak, closeOffset };
}

interface CommentEnd {
  readonly end: number;
  readonly needsLineBreak: boolean;
}

/**
 * Finds the end of the comments after an offset on its line. Returns the offset itself if there are none, or if another
 * item follows on the line, because the comments then belong to that item.
 */
function findTrailingCommentEnd(text: string, startOffset: number, limit: number): CommentEnd {
  let commentEnd: CommentEnd = { end: startOffset, needsLineBreak: false };
  for (const token of scanTrivia(text, startOffset, limit)) {
    if (token.kind === 'break') {
      return commentEnd;
    }
    if (token.kind !== 'blanks') {
      commentEnd = { end: token.end, needsLineBreak: token.kind === 'line' };
    }
  }
  // If the closing bracket follows on the same line, the comments belong to the item before them.
  return isClosingBracket(text[limit]) ? commentEnd : { end: startOffset, needsLineBreak: false };
}

/** Finds the end of the last comment between two offsets; the first offset if there is none. */
function findLastCommentEnd(text: string, startOffset: number, limit: number): CommentEnd {
  let commentEnd: CommentEnd = { end: startOffset, needsLineBreak: false };
  for (const { kind, end } of scanTrivia(text, startOffset, limit)) {
    if (kind === 'line' || kind === 'block') {
      commentEnd = { end, needsLineBreak: kind === 'line' };
    }
  }
  return commentEnd;
}

/** Finds the start of the region of an item: after the last comment that is on a separate line. */
function findRegionStart(text: string, startOffset: number, nodeStart: number): CommentEnd {
  let commentEnd: CommentEnd = { end: startOffset, needsLineBreak: false };
  let lastComment: CommentEnd | undefined;
  for (const { kind, end } of scanTrivia(text, startOffset, nodeStart)) {
    if (kind === 'break') {
      commentEnd = lastComment ?? commentEnd;
      lastComment = undefined;
    } else if (kind !== 'blanks') {
      lastComment = { end, needsLineBreak: kind === 'line' };
    }
  }
  return commentEnd;
}

function findCommaAfter(text: string, nodeEnd: number, closeOffset: number): number | undefined {
  return scanTokens(text, nodeEnd, closeOffset).find(({ kind }) => kind === 'comma')?.start;
}

/** Yields whitespace, line breaks and comments from an offset. */
function* scanTrivia(text: string, startOffset: number, limit: number): Generator<TriviaToken> {
  for (const token of scanTokens(text, startOffset, limit)) {
    if (token.kind === 'comma') {
      return;
    }
    yield token;
  }
}

const isClosingBracket = (character: string | undefined): boolean => character === ']' || character === '}';
