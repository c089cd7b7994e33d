import { expect, test } from 'vitest';
import { describeUnrestorable } from '../../../src/cli/restoredItems.ts';

test('only a relation that is not restored lets others see more', () => {
  const column = { name: 'Top.Id', isColumn: true };
  expect(describeUnrestorable([column])).toBe(
    'Not restored, because a build must create columns first: settings of Top.Id. Build the datamodel, and apply the project again.',
  );
  expect(describeUnrestorable([column, { name: 'Top – Stores', isColumn: false }])).toMatch(
    /first: Top – Stores, settings of Top\.Id\. Until a relation exists, .*apply the project again before you share it\.$/,
  );
});
