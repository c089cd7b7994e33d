import { expect, test } from 'vitest';
import { formatAddedParts, formatItems, formatStillDifferent } from '../../../src/cli/remainingItems.ts';
import type { DifferenceNote } from '../../../src/project/compare/itemChange.ts';

const createNote = (code: DifferenceNote['code']): DifferenceNote => ({
  code,
  key: { kind: 'table', datamodel: 'Retail', table: 'In/Out ~1' },
  pointer: '/columns/A~1B/description',
});

test('slashes and tildes in names are printed as they are', () => {
  const location = 'table/Retail/In/Out ~1/columns/A/B/description';
  expect(formatAddedParts({ notes: [createNote('added')] })).toEqual([`Not in the files: ${location}.`]);
  expect(formatStillDifferent({ notes: [createNote('not-writable')] })).toEqual([
    `Will still differ: ${location}: The platform's API can't set it.`,
  ]);
  expect(formatItems(['table/Retail/In~1Out ~01', 'rules/Retail/A~1B/C'], 1)).toBe(
    'table/Retail/In/Out ~1, and 1 more',
  );
});
