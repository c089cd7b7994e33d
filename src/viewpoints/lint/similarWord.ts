/** Ignores the most common mistakes: letter case, hyphens, underscores and spaces. */
const normalizeWord = (key: string): string => key.toLowerCase().replaceAll(/[-_ ]/g, '');

/** Returns whether one letter was omitted, added, replaced, or swapped with its neighbor. */
function isOneEditAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) {
    return false;
  }
  let start = 0;
  while (start < short.length && short[start] === long[start]) {
    start += 1;
  }
  if (short.length < long.length) {
    return short.slice(start) === long.slice(start + 1);
  }
  return (
    short.slice(start + 1) === long.slice(start + 1) ||
    (short[start] === long[start + 1] &&
      short[start + 1] === long[start] &&
      short.slice(start + 2) === long.slice(start + 2))
  );
}

/**
 * Returns the word that was most likely intended. For words of less than four letters, only letter case, hyphens,
 * underscores and spaces may differ: they are too similar to each other.
 */
export function findSimilarWord(mistyped: string, words: Iterable<string>): string | undefined {
  if (mistyped.length > 40) {
    return undefined;
  }
  const typed = normalizeWord(mistyped);
  let near: string | undefined;
  for (const word of words) {
    const meant = normalizeWord(word);
    if (meant === typed) {
      return word;
    }
    if (near === undefined && meant.length >= 4 && typed.length >= 4 && isOneEditAway(typed, meant)) {
      near = word;
    }
  }
  return near;
}
