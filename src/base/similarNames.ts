/**
 * Edit distance that counts swapped adjacent characters as one edit. A distance above `limit` is not exact: the result
 * is then any number above `limit`.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) {
    return limit + 1;
  }
  let rowBeforePrevious: number[] = [];
  let previousRow = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const currentRow = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previousRow[column] ?? 0) + 1,
        (currentRow[column - 1] ?? 0) + 1,
        (previousRow[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (rowBeforePrevious[column - 2] ?? 0) + 1);
      }
      currentRow.push(cost);
    }
    rowBeforePrevious = previousRow;
    previousRow = currentRow;
  }
  return previousRow[b.length] ?? 0;
}

/** Keeps only letters and digits, in lower case: spaces, underscores and case are the most common mistakes. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns up to three names that are similar to a mistyped one, the most similar first. */
export function findClosestNames(input: string, names: readonly string[]): string[] {
  const normalizedInput = normalizeName(input);
  const limit = Math.max(1, Math.floor(normalizedInput.length / 3));
  const candidates = [...new Set(names)]
    .map((name) => ({ name, distance: editDistance(normalizedInput, normalizeName(name), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  const bestDistance = candidates[0]?.distance ?? 0;
  return candidates
    .filter(({ distance }) => distance <= bestDistance + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}
