import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rebaseList } from '../../../src/base/rebaseList.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const rebased = (edited: string, base: string, current: string): string =>
  rebaseList(edited.split(''), base.split(''), current.split(''), (item) => item).join('');

test('an added item stays behind the item it was inserted after', () => {
  expect(rebased('axb', 'ab', 'nabm')).toBe('naxbm');
  expect(rebased('xab', 'ab', 'ba')).toBe('xba');
  expect(rebased('abx', 'ab', '')).toBe('x');
});

test('a replaced item stays replaced, in its place', () => {
  expect(rebased('ayc', 'axc', 'axcn')).toBe('aycn');
});

test('of two equal items, one can be added or removed', () => {
  expect(rebased('a', 'aa', 'aan')).toBe('an');
  expect(rebased('aa', 'a', 'an')).toBe('aan');
  expect(rebased('ax', 'a', 'axn'), 'added here and elsewhere').toBe('axn');
});

const lists = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 })
  .map((items) => items.join(''));

test('for any lists, the additions and removals of both sides apply, and nothing else', () => {
  fc.assert(
    fc.property(lists, lists, lists, (edited, base, current) => {
      const result = rebased(edited, base, current);
      const expected = 'abcdef'
        .split('')
        .filter((item) =>
          base.includes(item)
            ? edited.includes(item) && current.includes(item)
            : (edited + current).includes(item),
        );
      expect(result.split('').toSorted()).toEqual(expected);
      expect(rebased(edited, base, base)).toBe(edited);
      expect(rebased(base, base, current)).toBe(current);
    }),
    { numRuns: getPropertyRuns(500) },
  );
});
