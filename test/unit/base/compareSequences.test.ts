import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SequenceStep, compareSequences } from '../../../src/base/compareSequences.ts';

const signs: Readonly<Record<SequenceStep['kind'], string>> = { same: ' ', removed: '-', added: '+' };

/** Returns the comparison of two texts, character by character. */
const compare = (before: string, after: string): string =>
  compareSequences(before.split(''), after.split(''))
    .map(
      ({ kind, beforeIndex, afterIndex }) =>
        signs[kind] + (kind === 'added' ? after[afterIndex] : before[beforeIndex]),
    )
    .join('');

test.each([
  ['', '', ''],
  ['abc', 'abc', ' a b c'],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
  ['abc', 'axc', ' a-b+x c'],
  ['abcd', 'acbd', ' a-b c+b d'],
  ['aa', 'aaa', ' a a+a'],
  ['xaby', 'xcdy', ' x-a-b+c+d y'],
])('%j and %j', (before, after, comparison) => {
  expect(compare(before, after)).toBe(comparison);
});

test('the steps lead from one sequence to the other, with as few changes as possible', () => {
  const sequence = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 });
  fc.assert(
    fc.property(sequence, sequence, (before, after) => {
      const steps = compareSequences(before, after);
      const read = (
        left: SequenceStep['kind'],
        list: readonly string[],
        index: 'beforeIndex' | 'afterIndex',
      ) => steps.filter(({ kind }) => kind !== left).map((step) => list[step[index]]);
      expect(read('added', before, 'beforeIndex')).toEqual(before);
      expect(read('removed', after, 'afterIndex')).toEqual(after);
      const unchangedSteps = steps.filter(({ kind }) => kind === 'same');
      expect(unchangedSteps.every((step) => before[step.beforeIndex] === after[step.afterIndex])).toBe(true);
      expect(unchangedSteps).toHaveLength(findLongestCommonLength(before, after));
    }),
  );
});

function findLongestCommonLength(before: readonly string[], after: readonly string[]): number {
  const [first, ...rest] = before;
  if (first === undefined) {
    return 0;
  }
  const index = after.indexOf(first);
  const without = findLongestCommonLength(rest, after);
  return index === -1
    ? without
    : Math.max(without, 1 + findLongestCommonLength(rest, after.slice(index + 1)));
}

test('of very long sequences, what differs is replaced as a whole', () => {
  const create = (name: string): readonly string[] => [
    'first',
    ...Array.from({ length: 3000 }, (_, index) => (index === 1500 ? 'common' : `${name} ${index}`)),
    'last',
  ];
  const steps = compareSequences(create('a'), create('b'));
  expect(steps.filter(({ kind }) => kind === 'same')).toHaveLength(2);
  expect(steps).toHaveLength(6002);
});
