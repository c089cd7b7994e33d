import { longestIncreasingSubsequence } from '../json/text/longestIncreasingSubsequence.ts';

/** Texts with more pairs of equal lines than this are not compared line by line. */
const maxPairs = 1_000_000;

/**
 * Merges two sides' changes of one text line by line, as version control does. Returns `undefined` if both sides
 * changed the same or adjacent lines, or if the texts have too many equal lines to compare. The result has the line
 * endings of `ours`.
 * @param preferred the version whose lines are taken where both sides changed them; without it, such texts aren't merged
 */
export function mergeLines(
  base: string,
  ours: string,
  theirs: string,
  preferred?: 'base' | 'ours' | 'theirs',
): string | undefined {
  const baseLines = splitMergeLines(base);
  const [ourLines, theirLines] = [splitMergeLines(ours), splitMergeLines(theirs)];
  const [ourMatches, theirMatches] = [matchLines(baseLines, ourLines), matchLines(baseLines, theirLines)];
  if (ourMatches === undefined || theirMatches === undefined) {
    return undefined;
  }
  const merged: string[] = [];
  let start: MatchedLines = { base: 0, ours: 0, theirs: 0 };
  const mergeUpTo = (end: MatchedLines): boolean => {
    const region = {
      base: baseLines.slice(start.base, end.base),
      ours: ourLines.slice(start.ours, end.ours),
      theirs: theirLines.slice(start.theirs, end.theirs),
    };
    const chunk = mergeRegion(region) ?? (preferred && region[preferred]);
    merged.push(...(chunk ?? []));
    return chunk !== undefined;
  };
  for (const [line, text] of baseLines.entries()) {
    const match = { line, ours: ourMatches[line], theirs: theirMatches[line] };
    if (match.ours !== undefined && match.theirs !== undefined) {
      if (!mergeUpTo({ base: line, ours: match.ours, theirs: match.theirs })) {
        return undefined;
      }
      merged.push(text);
      start = { base: line + 1, ours: match.ours + 1, theirs: match.theirs + 1 };
    }
  }
  const isClean = mergeUpTo({ base: baseLines.length, ours: ourLines.length, theirs: theirLines.length });
  return isClean ? merged.join(ours.includes('\r\n') ? '\r\n' : '\n') : undefined;
}

interface MatchedLines {
  readonly base: number;
  readonly ours: number;
  readonly theirs: number;
}

/**
 * Splits a text into lines for a merge: an empty text is one empty line, and a carriage return alone ends no line.
 */
export const splitMergeLines = (text: string): readonly string[] => text.split(/\r?\n/);

/** Merges the lines between two lines that all versions have; `undefined` if both sides changed them differently. */
function mergeRegion({
  base,
  ours,
  theirs,
}: Readonly<Record<'base' | 'ours' | 'theirs', readonly string[]>>): readonly string[] | undefined {
  if (areSameLines(base, theirs) || areSameLines(ours, theirs)) {
    return ours;
  }
  return areSameLines(base, ours) ? theirs : undefined;
}

const areSameLines = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);

/**
 * Returns the position of each line of `base` in `side`, for a longest common subsequence (Hunt and Szymanski: a
 * longest increasing subsequence among the positions of equal lines); `undefined` if there are too many pairs to
 * compare.
 */
export function matchLines(
  base: readonly string[],
  side: readonly string[],
): readonly (number | undefined)[] | undefined {
  /** Positions by line, last position first: an increasing subsequence then contains at most one of them. */
  const positions = new Map<string, number[]>();
  for (let position = side.length - 1; position >= 0; position -= 1) {
    const line = side[position] ?? '';
    const linePositions = positions.get(line);
    if (linePositions === undefined) {
      positions.set(line, [position]);
    } else {
      linePositions.push(position);
    }
  }
  const count = base.reduce((sum, line) => sum + (positions.get(line)?.length ?? 0), 0);
  if (count > maxPairs) {
    return undefined;
  }
  const commonPositions = longestIncreasingSubsequence(base.flatMap((line) => positions.get(line) ?? []));
  const matches: (number | undefined)[] = base.map(() => undefined);
  let line = 0;
  for (const position of commonPositions) {
    // Skip to the next equal line. There is one, since both sides have these lines in this order.
    while (base[line] !== side[position]) {
      line += 1;
    }
    matches[line] = position;
    line += 1;
  }
  return matches;
}
