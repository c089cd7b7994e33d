import { longestIncreasingSubsequence } from '../json/text/longestIncreasingSubsequence.ts';

/** Texts whose lines have more pairs than this are not compared line by line. */
const maxPairs = 1_000_000;

/**
 * What two sides made of one text of several lines, put together line by line as version control does; `undefined`
 * where both changed the same lines, or lines next to each other. Ends of lines are those of `ours`.
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

/** What stands between two lines that all have; `undefined` where both sides changed it differently. */
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
 * Where each line of `base` stands in `side`, for a longest row of lines that both have (Hunt and Szymanski: a
 * longest rise among the places of equal lines); `undefined` where there are too many pairs to look at.
 */
function matchLines(
  base: readonly string[],
  side: readonly string[],
): readonly (number | undefined)[] | undefined {
  /** The last place first, so that of one line's places a rise takes one. */
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
    // The first line that is left and equal: the row is one that both have in this order.
    while (base[line] !== side[place]) {
      line += 1;
    }
    found[line] = place;
    line += 1;
  }
  return found;
}
