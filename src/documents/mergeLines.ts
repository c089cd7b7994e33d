import { longestIncreasingSubsequence } from '../json/text/longestIncreasingSubsequence.ts';

/** Texts with more pairs of equal lines than this are not compared line by line. */
const maxPairs = 1_000_000;

/**
 * Merges two sides' changes of one text line by line, as version control does. Returns `undefined` if both sides
 * changed the same or adjacent lines. The result has the line endings of `ours`.
 */
export function mergeLines(base: string, ours: string, theirs: string): string | undefined {
  const lines = splitLines(base);
  const [mine, other] = [splitLines(ours), splitLines(theirs)];
  const [inMine, inOther] = [matchLines(lines, mine), matchLines(lines, other)];
  if (inMine === undefined || inOther === undefined) {
    return undefined;
  }
  const merged: string[] = [];
  let from: MatchedLines = { line: 0, mine: 0, other: 0 };
  const take = (to: MatchedLines): boolean => {
    const chunk = resolveRegion(
      lines.slice(from.line, to.line),
      mine.slice(from.mine, to.mine),
      other.slice(from.other, to.other),
    );
    merged.push(...(chunk ?? []));
    return chunk !== undefined;
  };
  for (const [line, text] of lines.entries()) {
    const at = { line, mine: inMine[line], other: inOther[line] };
    if (at.mine !== undefined && at.other !== undefined) {
      if (!take({ line, mine: at.mine, other: at.other })) {
        return undefined;
      }
      merged.push(text);
      from = { line: line + 1, mine: at.mine + 1, other: at.other + 1 };
    }
  }
  const isClean = take({ line: lines.length, mine: mine.length, other: other.length });
  return isClean ? merged.join(ours.includes('\r\n') ? '\r\n' : '\n') : undefined;
}

interface MatchedLines {
  readonly line: number;
  readonly mine: number;
  readonly other: number;
}

const splitLines = (text: string): readonly string[] => text.split(/\r?\n/);

/** Merges the lines between two lines that all versions have; `undefined` if both sides changed them differently. */
function resolveRegion(
  base: readonly string[],
  mine: readonly string[],
  other: readonly string[],
): readonly string[] | undefined {
  if (areSameLines(base, other) || areSameLines(mine, other)) {
    return mine;
  }
  return areSameLines(base, mine) ? other : undefined;
}

const areSameLines = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);

/**
 * Returns the position of each line of `base` in `side`, for a longest common subsequence (Hunt and Szymanski: a
 * longest increasing subsequence among the positions of equal lines); `undefined` if there are too many pairs to
 * compare.
 */
function matchLines(
  base: readonly string[],
  side: readonly string[],
): readonly (number | undefined)[] | undefined {
  /** Positions by line, last position first: an increasing subsequence then contains at most one of them. */
  const places = new Map<string, number[]>();
  for (let place = side.length - 1; place >= 0; place -= 1) {
    const line = side[place] ?? '';
    const known = places.get(line);
    if (known === undefined) {
      places.set(line, [place]);
    } else {
      known.push(place);
    }
  }
  const count = base.reduce((sum, line) => sum + (places.get(line)?.length ?? 0), 0);
  if (count > maxPairs) {
    return undefined;
  }
  const row = longestIncreasingSubsequence(base.flatMap((line) => places.get(line) ?? []));
  const found: (number | undefined)[] = base.map(() => undefined);
  let line = 0;
  for (const place of row) {
    // Skip to the next equal line. There is one, since both sides have these lines in this order.
    while (base[line] !== side[place]) {
      line += 1;
    }
    found[line] = place;
    line += 1;
  }
  return found;
}
