/** The text shown instead of a secret. */
export const mask = '••••••••';

/** The range of a secret in a text; `end` is exclusive. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

/** Sorts ranges, removes empty ones and merges those that touch or overlap, so that each gets one mask. */
export function mergeRanges(ranges: readonly SecretRange[]): readonly SecretRange[] {
  const merged: SecretRange[] = [];
  for (const range of ranges.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && range.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      merged.push(range);
    }
  }
  return merged;
}

/** Replaces each range with one mask. The ranges must be sorted and must not overlap. */
export function maskRanges(text: string, ranges: readonly SecretRange[]): string {
  let copiedUntil = 0;
  const parts = ranges.map(({ start, end }) => {
    const part = text.slice(copiedUntil, start);
    copiedUntil = end;
    return part + mask;
  });
  return parts.join('') + text.slice(copiedUntil);
}

/** Returns a list with one range, which covers the whole text. */
export const getWholeTextRanges = (text: string): readonly SecretRange[] => [{ start: 0, end: text.length }];
