import { lowerBound } from '../../base/lowerBound.ts';

/** Returns a longest increasing subsequence of distinct numbers. In a reordering, these items need not be moved. */
export function longestIncreasingSubsequence(numbers: readonly number[]): readonly number[] {
  /** For each length minus one, the index of the smallest number that ends an increasing subsequence of that length. */
  const endIndexes: number[] = [];
  const previousIndexes: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    const smallerCount = lowerBound(
      endIndexes.length,
      (length) => (numbers[endIndexes[length] ?? 0] ?? 0) < number,
    );
    previousIndexes[index] = endIndexes[smallerCount - 1];
    endIndexes[smallerCount] = index;
  });
  const subsequence: number[] = [];
  for (let index = endIndexes.at(-1); index !== undefined; index = previousIndexes[index]) {
    subsequence.push(numbers[index] ?? 0);
  }
  return subsequence.reverse();
}
