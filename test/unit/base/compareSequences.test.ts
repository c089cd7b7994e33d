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
])('the comparison of %j and %j', (before, after, comparison) => {
  expect(compare(before, after)).toBe(comparison);
});

test('the steps lead from one sequence to the other, with as few changes as possible', () => {
  const sequence = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 });
  fc.assert(
    fc.property(sequence, sequence, (before, after) => {
      const steps = compareSequences(before, after);
      const read = (
        leftOutKind: SequenceStep['kind'],
        list: readonly string[],
        index: 'beforeIndex' | 'afterIndex',
      ) => steps.filter(({ kind }) => kind !== leftOutKind).map((step) => list[step[index]]);
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
  const lengthWithoutFirst = findLongestCommonLength(rest, after);
  return index === -1
    ? lengthWithoutFirst
    : Math.max(lengthWithoutFirst, 1 + findLongestCommonLength(rest, after.slice(index + 1)));
}

test('in very long sequences, all that is between the equal beginning and end is replaced', () => {
  const create = (name: string): readonly string[] => [
    'first',
    ...Array.from({ length: 3000 }, (_, index) => (index === 1500 ? 'common' : `${name} ${index}`)),
    'last',
  ];
  const steps = compareSequences(create('a'), create('b'));
  expect(steps.filter(({ kind }) => kind === 'same')).toHaveLength(2);
  expect(steps).toHaveLength(6002);
});
