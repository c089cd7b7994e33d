import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNaturally, sortByName } from '../../../src/catalog/naturalOrder.ts';

test('numbers compare by value, and letter case is ignored', () => {
  const names = ['Table 10', 'table 2', 'Ähre', 'Zebra', 'Table 1', 'apple'];
  expect(sortByName(names, (name) => name)).toEqual([
    'Ähre',
    'apple',
    'Table 1',
    'table 2',
    'Table 10',
    'Zebra',
  ]);
});

test('property: the order is total, so it never depends on the order of the response', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('a', 'A', 'a1', 'a01', 'é', 'e\u0301', ''));
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const sorted = names.toSorted(compareNaturally);
      const sortedFromReverse = names.toReversed().toSorted(compareNaturally);
      expect(sorted).toEqual(sortedFromReverse);
    }),
  );
});
