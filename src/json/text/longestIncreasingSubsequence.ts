import { lowerBound } from '../../base/lowerBound.ts';

/** Returns a longest increasing subsequence of distinct numbers. In a reordering, these items need not be moved. */
export function longestIncreasingSubsequence(numbers: readonly number[]): readonly number[] {
  /** At `k`, the index of the smallest number that ends an increasing subsequence of length `k + 1`. */
  const endIndexes: number[] = [];
  const previousIndexes: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    const smallerCount = lowerBound(endIndexes.length, (k) => (numbers[endIndexes[k] ?? 0] ?? 0) < number);
    previousIndexes[index] = endIndexes[smallerCount - 1];
    endIndexes[smallerCount] = index;
  });
  const subsequence: number[] = [];
  for (let index = endIndexes.at(-1); index !== undefined; index = previousIndexes[index]) {
    subsequence.push(numbers[index] ?? 0);
  }
  return subsequence.reverse();
}
