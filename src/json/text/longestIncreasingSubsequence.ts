/** Returns a longest increasing subsequence of distinct numbers. In a reordering, these items need not be moved. */
export function longestIncreasingSubsequence(numbers: readonly number[]): readonly number[] {
  /** For each length minus one, the index of the smallest number that ends an increasing subsequence of that length. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  });
  const rise: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) {
    rise.push(numbers[index] ?? 0);
  }
  return rise.reverse();
}
