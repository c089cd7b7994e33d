import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rebaseList } from '../../../src/base/rebaseList.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const rebaseText = (edited: string, base: string, current: string): string =>
  rebaseList(edited.split(''), base.split(''), current.split(''), (item) => item).join('');

test('an added item stays behind the item it was inserted after', () => {
  expect(rebaseText('axb', 'ab', 'nabm')).toBe('naxbm');
  expect(rebaseText('xab', 'ab', 'ba')).toBe('xba');
  expect(rebaseText('abx', 'ab', '')).toBe('x');
});

test('a replacement keeps the position of the replaced item', () => {
  expect(rebaseText('ayc', 'axc', 'axcn')).toBe('aycn');
});

test('of two equal items, one can be added or removed', () => {
  expect(rebaseText('a', 'aa', 'aan')).toBe('an');
  expect(rebaseText('aa', 'a', 'an')).toBe('aan');
  expect(rebaseText('ax', 'a', 'axn'), 'added here and elsewhere').toBe('axn');
});

const lists = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 })
  .map((items) => items.join(''));

test('for any lists, the additions and removals of both sides apply, and nothing else', () => {
  fc.assert(
    fc.property(lists, lists, lists, (edited, base, current) => {
      const result = rebaseText(edited, base, current);
      const expected = 'abcdef'
        .split('')
        .filter((item) =>
          base.includes(item)
            ? edited.includes(item) && current.includes(item)
            : (edited + current).includes(item),
        );
      expect(result.split('').toSorted()).toEqual(expected);
      expect(rebaseText(edited, base, base)).toBe(edited);
      expect(rebaseText(base, base, current)).toBe(current);
    }),
    { numRuns: getPropertyRuns(500) },
  );
});
