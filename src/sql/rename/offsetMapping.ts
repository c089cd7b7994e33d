import { lowerBound } from '../../base/lowerBound.ts';
import type { NameEdit } from './nameEdit.ts';

/** Maps offsets between the texts before and after a change; `undefined` for text that exists on only one side. */
export interface OffsetMapping {
  toAfter(offset: number): number | undefined;
  toBefore(offset: number): number | undefined;
}

/** An unchanged span of text, or the first character of a replaced name: only the start of a name is mapped. */
interface UnchangedSpan {
  /** Its start in the text before the change. */
  readonly before: number;
  /** Its start in the text after the change. */
  readonly after: number;
  readonly length: number;
}

/**
 * Creates the offset mapping for edits that replace names. The qualifiers that they add exist only after the change.
 */
export function createOffsetMapping(edits: readonly NameEdit[]): OffsetMapping {
  const spans: UnchangedSpan[] = [];
  let before = 0;
  let after = 0;
  for (const { start, end, qualifier, name } of edits.toSorted((a, b) => a.start - b.start)) {
    spans.push({ before, after, length: start - before });
    after += start - before + qualifier.length;
    spans.push({ before: start, after, length: 1 });
    after += name.length;
    before = end;
  }
  spans.push({ before, after, length: Number.POSITIVE_INFINITY });
  const mapOffset = (
    fromSide: 'before' | 'after',
    toSide: 'before' | 'after',
    offset: number,
  ): number | undefined => {
    const span = findLastAtOrBefore(spans, fromSide, offset);
    const offsetInSpan = span === undefined ? -1 : offset - span[fromSide];
    return span === undefined || offsetInSpan >= span.length ? undefined : span[toSide] + offsetInSpan;
  };
  return {
    toAfter: (offset) => mapOffset('before', 'after', offset),
    toBefore: (offset) => mapOffset('after', 'before', offset),
  };
}

/** Returns the last span that starts at or before an offset. */
function findLastAtOrBefore(
  spans: readonly UnchangedSpan[],
  side: 'before' | 'after',
  offset: number,
): UnchangedSpan | undefined {
  return spans[lowerBound(spans.length, (index) => (spans[index]?.[side] ?? 0) <= offset) - 1];
}
