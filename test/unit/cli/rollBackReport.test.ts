import { expect, test } from 'vitest';
import { describeUnrestorableItems } from '../../../src/cli/rollBackReport.ts';

test('the report warns of wider access only if a relation is not restored', () => {
  const column = { name: 'Top.Id', code: 'column-settings' } as const;
  expect(describeUnrestorableItems([column])).toBe(
    'Not restored, because a build must create columns first: settings of Top.Id. Build the datamodel, and apply the project again.',
  );
  expect(describeUnrestorableItems([column], { isPreview: true })).toBe(
    "Won't be restored, because a build must create columns first: settings of Top.Id. After the rollback, build the datamodel, and apply the project again.",
  );
  expect(describeUnrestorableItems([column, { name: 'Top – Stores', code: 'needs-build' }])).toMatch(
    /first: Top – Stores, settings of Top\.Id\. Until a relation exists, .*apply the project again before you share it\.$/,
  );
});

test('sharing that cannot be sent needs no build', () => {
  const items = [
    { name: 'V', code: 'sharing' },
    { name: 'T.Id', code: 'column-settings' },
  ] as const;
  expect(describeUnrestorableItems(items)).toBe(
    'Not restored, because sharing requires an app and a user or group: the sharing of V. Not restored, because a build must create columns first: settings of T.Id. Build the datamodel, and apply the project again.',
  );
});

test('a relation that had lost a column needs no build', () => {
  const relation = { name: 'Items – Orders', code: 'broken' } as const;
  expect(describeUnrestorableItems([relation])).toBe(
    "1 relation can't be restored because one of its columns had already been deleted.",
  );
  expect(
    describeUnrestorableItems([relation, relation, { name: 'Top – Stores', code: 'needs-build' }]),
  ).toMatch(
    /^2 relations can't be restored because .* Not restored, because a build must create columns first: Top/,
  );
});
