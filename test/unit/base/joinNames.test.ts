import { expect, test } from 'vitest';
import { joinNames, joinWithMore } from '../../../src/base/joinNames.ts';
import { english } from '../../../src/base/localize.ts';

test('names are joined for a sentence, and those above the maximum are counted', () => {
  const names = ['A', 'B', 'C', 'D'];
  expect([0, 1, 2, 3].map((count) => joinNames(names.slice(0, count), english))).toEqual([
    '',
    'A',
    'A and B',
    'A, B, and C',
  ]);
  expect([4, 3, 1].map((maxCount) => joinNames(names, english, maxCount))).toEqual([
    'A, B, C, and D',
    'A, B, C, and 1 more',
    'A and 3 more',
  ]);
});

test('a list says how many texts are left out', () => {
  expect([0, 1, 2].map((moreCount) => joinWithMore(['A', 'B'], moreCount, english))).toEqual([
    'A, B',
    'A, B, and 1 more',
    'A, B, and 2 more',
  ]);
  expect(joinWithMore(['A'], 2, english)).toBe('A and 2 more');
});
