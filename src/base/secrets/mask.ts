/** The text shown instead of a secret. */
export const mask = '••••••••';

/** The range of a secret in a text; `end` is exclusive. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

/** Sorts ranges, removes empty ones and merges those that touch or overlap, so that each gets one mask. */
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

/** Replaces each range with one mask. The ranges must be sorted and must not overlap. */
export function maskRanges(text: string, ranges: readonly SecretRange[]): string {
  let at = 0;
  const parts = ranges.map(({ start, end }) => {
    const part = text.slice(at, start);
    at = end;
    return part + mask;
  });
  return parts.join('') + text.slice(at);
}

/** Returns one range that covers the whole text. */
export const getWholeRange = (text: string): readonly SecretRange[] => [{ start: 0, end: text.length }];
