/** An entry that both sequences have, or only one of them. */
export interface SequenceStep {
  readonly kind: 'same' | 'removed' | 'added';
  /** The index in the first sequence; for an added entry, where it is inserted. */
  readonly beforeIndex: number;
  /** The index in the second sequence; for a removed entry, where it was. */
  readonly afterIndex: number;
}

type StepKind = SequenceStep['kind'];

/** The maximum number of pairs of entries to compare. If there are more, the differing part is replaced as a whole. */
const maxPairs = 4_000_000;

/**
 * Compares two sequences of texts. Returns a step for each entry of either sequence, with as few removals and additions
 * as possible, unless there are more than {@link maxPairs} pairs to compare. Where both happen in the same place, the
 * removed entries come first.
 */
export function compareSequences(
  before: readonly string[],
  after: readonly string[],
): readonly SequenceStep[] {
  const shorterLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorterLength && before[start] === after[start]) {
    start += 1;
  }
  let endLength = 0;
  while (endLength < shorterLength - start && before.at(-1 - endLength) === after.at(-1 - endLength)) {
    endLength += 1;
  }
  const kinds = [
    ...repeat('same', start),
    ...compareMiddle(
      before.slice(start, before.length - endLength),
      after.slice(start, after.length - endLength),
    ),
    ...repeat('same', endLength),
  ];
  let beforeIndex = 0;
  let afterIndex = 0;
  return kinds.map((kind) => {
    const step = { kind, beforeIndex, afterIndex };
    beforeIndex += kind === 'added' ? 0 : 1;
    afterIndex += kind === 'removed' ? 0 : 1;
    return step;
  });
}

const repeat = (kind: StepKind, count: number): readonly StepKind[] =>
  Array.from({ length: count }, () => kind);

/** Compares sequences with a longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly StepKind[] {
  const kinds: StepKind[] = [];
  let row = 0;
  let column = 0;
  if (before.length * after.length <= maxPairs) {
    const getCommonLength = measureCommonRest(before, after);
    while (row < before.length && column < after.length) {
      if (before[row] === after[column]) {
        kinds.push('same');
        row += 1;
        column += 1;
      } else if (getCommonLength(row + 1, column) >= getCommonLength(row, column + 1)) {
        kinds.push('removed');
        row += 1;
      } else {
        kinds.push('added');
        column += 1;
      }
    }
  }
  return [...kinds, ...repeat('removed', before.length - row), ...repeat('added', after.length - column)];
}

/**
 * Returns a function that takes an index in each sequence, and returns the length of the longest common subsequence of
 * the entries from there to the end.
 */
function measureCommonRest(
  before: readonly string[],
  after: readonly string[],
): (row: number, column: number) => number {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const index = row * width + column;
      lengths[index] =
        before[row] === after[column]
          ? (lengths[index + width + 1] ?? 0) + 1
          : Math.max(lengths[index + width] ?? 0, lengths[index + 1] ?? 0);
    }
  }
  return (row, column) => lengths[row * width + column] ?? 0;
}
