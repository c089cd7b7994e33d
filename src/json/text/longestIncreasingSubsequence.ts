/** Returns a longest increasing subsequence of distinct numbers. In a reordering, these items need not be moved. */
export function longestIncreasingSubsequence(numbers: readonly number[]): readonly number[] {
  /** For each length minus one, the index of the smallest number that ends an increasing subsequence of that length. */
  const endIndexes: number[] = [];
  const previousIndexes: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    let low = 0;
    let high = endIndexes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[endIndexes[middle] ?? 0] ?? 0) < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    previousIndexes[index] = endIndexes[low - 1];
    endIndexes[low] = index;
  });
  const subsequence: number[] = [];
  for (let index = endIndexes.at(-1); index !== undefined; index = previousIndexes[index]) {
    subsequence.push(numbers[index] ?? 0);
  }
  return subsequence.reverse();
}
