/**
 * Edit distance that counts swapped adjacent characters as one edit. May return any number above `limit` if exceeded.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) {
    return limit + 1;
  }
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (before[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** Keeps only lowercase letters and digits: spaces, underscores and case are the most common mistakes. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns up to three names that are similar to a mistyped one, the most similar first. */
export function findClosestNames(mistyped: string, names: readonly string[]): string[] {
  const typed = normalizeName(mistyped);
  const limit = Math.max(1, Math.floor(typed.length / 3));
  const near = [...new Set(names)]
    .map((name) => ({ name, far: editDistance(typed, normalizeName(name), limit) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far);
  const best = near[0]?.far ?? 0;
  return near
    .filter(({ far }) => far <= best + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}
