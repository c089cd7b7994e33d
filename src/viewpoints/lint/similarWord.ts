/**
 * Normalizes the most common differences between a misspelled word and the right one: letter case, hyphens, underscores
 * and spaces.
 */
const normalizeWord = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, '');

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
 * Returns the word that was most likely intended. From words of fewer than four letters, only letter case, hyphens,
 * underscores and spaces may differ: they are too similar to each other.
 */
export function findSimilarWord(misspelled: string, words: Iterable<string>): string | undefined {
  // No keyword or property is that long.
  if (misspelled.length > 40) {
    return undefined;
  }
  const normalizedInput = normalizeWord(misspelled);
  let similarWord: string | undefined;
  for (const word of words) {
    const normalizedWord = normalizeWord(word);
    if (normalizedWord === normalizedInput) {
      return word;
    }
    if (
      similarWord === undefined &&
      normalizedWord.length >= 4 &&
      normalizedInput.length >= 3 &&
      isOneEditAway(normalizedInput, normalizedWord)
    ) {
      similarWord = word;
    }
  }
  return similarWord;
}
