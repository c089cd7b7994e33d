/**
 * Edit distance that counts swapped adjacent characters as one edit. A distance above `limit` is not exact: the result
 * is then any number above `limit`. The lower the limit, the faster it is.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) {
    return limit + 1;
  }
  const maxCommonLength = Math.min(a.length, b.length);
  let start = 0;
  while (start < maxCommonLength && a[start] === b[start]) {
    start += 1;
  }
  let commonSuffixLength = 0;
  while (
    commonSuffixLength < maxCommonLength - start &&
    a[a.length - 1 - commonSuffixLength] === b[b.length - 1 - commonSuffixLength]
  ) {
    commonSuffixLength += 1;
  }
  return editDistanceWithoutCommonEnds(
    a.slice(start, a.length - commonSuffixLength),
    b.slice(start, b.length - commonSuffixLength),
    limit,
  );
}

function editDistanceWithoutCommonEnds(a: string, b: string, limit: number): number {
  const tooFar = limit + 1;
  let [rowBeforePrevious, previousRow, currentRow] = [0, 1, 2].map(() => new Uint32Array(b.length + 1)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  for (let column = 0; column <= b.length; column++) {
    previousRow[column] = column;
  }
  let previousMinimum = 0;
  for (let row = 1; row <= a.length; row++) {
    currentRow.fill(tooFar);
    currentRow[0] = row;
    let minimum = row;
    // Farther from the diagonal, the distance is above the limit.
    const lastColumn = Math.min(b.length, row + limit);
    for (let column = Math.max(1, row - limit); column <= lastColumn; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previousRow[column] ?? 0) + 1,
        (currentRow[column - 1] ?? 0) + 1,
        (previousRow[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (rowBeforePrevious[column - 2] ?? 0) + 1);
      }
      currentRow[column] = cost;
      minimum = Math.min(minimum, cost);
    }
    // A swap leads from the previous row to the next one.
    if (minimum > limit && previousMinimum >= limit) {
      return tooFar;
    }
    [rowBeforePrevious, previousRow, currentRow] = [previousRow, currentRow, rowBeforePrevious];
    previousMinimum = minimum;
  }
  return previousRow[b.length] ?? 0;
}

/** Keeps only letters and digits, in lower case: spaces, underscores and case are the most common mistakes. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Names with at most this many letters and digits are often similar to each other by chance. */
const maxShortLength = 3;

/**
 * Returns whether two normalized names that have few differences may be spellings of the same name. Between short
 * names, only the order of the letters may differ: one more, missing, or wrong letter usually makes another name.
 */
const isLikelySameName = (a: string, b: string, distance: number): boolean =>
  distance === 0
    ? a !== ''
    : Math.max(a.length, b.length) > maxShortLength || sortLetters(a) === sortLetters(b);

const sortLetters = (name: string): string => name.split('').toSorted().join('');

/** Names among which similar ones are found. Prepared once for several searches. */
export class SimilarNames {
  readonly #names: readonly { readonly name: string; readonly normalizedName: string }[];

  constructor(names: Iterable<string>) {
    this.#names = [...new Set(names)].map((name) => ({ name, normalizedName: normalizeName(name) }));
  }

  /** Returns up to three names that are similar to a mistyped one, the most similar first. */
  findClosest(input: string): string[] {
    const normalizedInput = normalizeName(input);
    const limit = Math.max(1, Math.floor(normalizedInput.length / 3));
    let bestDistance = limit;
    const candidates = this.#names.map(({ name, normalizedName }) => {
      // Names that are much less similar than another one are left out.
      const distance = editDistance(normalizedInput, normalizedName, Math.min(limit, bestDistance + 1));
      if (distance > limit || !isLikelySameName(normalizedInput, normalizedName, distance)) {
        return { name, distance: limit + 1 };
      }
      bestDistance = Math.min(bestDistance, distance);
      return { name, distance };
    });
    return candidates
      .filter(({ distance }) => distance <= Math.min(limit, bestDistance + 1))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 3)
      .map(({ name }) => name);
  }
}

/** Returns up to three names that are similar to a mistyped one, the most similar first. */
export const findClosestNames = (input: string, names: readonly string[]): string[] =>
  new SimilarNames(names).findClosest(input);
