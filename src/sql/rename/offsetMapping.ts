import type { NameEdit } from './nameEdit.ts';

/** Maps offsets between the texts before and after a change; `undefined` for text that exists on only one side. */
export interface OffsetMapping {
  toAfter(offset: number): number | undefined;
  toBefore(offset: number): number | undefined;
}

/** An unchanged span of text, or the first character of a replaced name: only the start of a name is mapped. */
interface UnchangedSpan {
  readonly before: number;
  readonly after: number;
  readonly length: number;
}

/**
 * Creates the offset mapping for edits that replace names. The qualifiers that they add exist only after the change.
 */
export function createOffsetMapping(edits: readonly NameEdit[]): OffsetMapping {
  const stretches: UnchangedSpan[] = [];
  let before = 0;
  let after = 0;
  for (const { start, end, qualifier, name } of edits.toSorted((a, b) => a.start - b.start)) {
    stretches.push({ before, after, length: start - before });
    after += start - before + qualifier.length;
    stretches.push({ before: start, after, length: 1 });
    after += name.length;
    before = end;
  }
  stretches.push({ before, after, length: Number.POSITIVE_INFINITY });
  const through = (from: 'before' | 'after', to: 'before' | 'after', offset: number): number | undefined => {
    const found = findLastAtOrBefore(stretches, from, offset);
    const within = found === undefined ? -1 : offset - found[from];
    return found === undefined || within >= found.length ? undefined : found[to] + within;
  };
  return {
    toAfter: (offset) => through('before', 'after', offset),
    toBefore: (offset) => through('after', 'before', offset),
  };
}

/** Returns the last span that starts at or before an offset. */
function findLastAtOrBefore(
  stretches: readonly UnchangedSpan[],
  side: 'before' | 'after',
  offset: number,
): UnchangedSpan | undefined {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.[side] ?? 0) <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return stretches[low - 1];
}
