import type { Localize } from './localize.ts';

/** Joins names for a sentence, and counts those above a maximum: A and B; A, B, and C; A, B, and 3 more. */
export function joinNames(
  names: readonly string[],
  t: Localize,
  maxCount: number = Number.POSITIVE_INFINITY,
): string {
  if (names.length > maxCount) {
    return joinWithMore(names.slice(0, maxCount), names.length - maxCount, t);
  }
  const last = names.at(-1) ?? '';
  const others = names.slice(0, -1);
  switch (others.length) {
    case 0:
      return last;
    case 1:
      return t('{0} and {1}', others.join(), last);
    default:
      return t('{0}, and {1}', others.join(', '), last);
  }
}

/** Joins texts with commas, and adds the number of those that aren't shown, if any: A, B; A and 3 more. */
export function joinWithMore(texts: readonly string[], moreCount: number, t: Localize): string {
  const list = texts.join(', ');
  if (moreCount <= 0) {
    return list;
  }
  return texts.length === 1
    ? t('{0} and {1} more', list, moreCount)
    : t('{0}, and {1} more', list, moreCount);
}
