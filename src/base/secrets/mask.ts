/** Replaces a secret, as a whole value or within a text. */
export const mask = '••••••••';

/** A secret part of a text; `end` is exclusive. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

/** Sorts the ranges, drops empty ones and joins those that touch or overlap: each becomes one mask. */
export function mergeRanges(ranges: readonly SecretRange[]): readonly SecretRange[] {
  const joined: SecretRange[] = [];
  for (const range of ranges.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && range.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      joined.push(range);
    }
  }
  return joined;
}

/** The text with one mask in place of each range. */
export function maskRanges(text: string, ranges: readonly SecretRange[]): string {
  let at = 0;
  const parts = ranges.map(({ start, end }) => {
    const part = text.slice(at, start);
    at = end;
    return part + mask;
  });
  return parts.join('') + text.slice(at);
}

/** The whole text as one secret. */
export const getWholeRange = (text: string): readonly SecretRange[] => [{ start: 0, end: text.length }];
