import { expect, it } from 'vitest';
import { Memberships } from '../../../../src/security/membership/memberships.ts';

it('the same combinations of groups are found in any order of users and groups, even beyond the maximum', () => {
  const groupIds = Array.from({ length: 25 }, (_, index) => `g${String(index)}`);
  const pairs = groupIds.flatMap((id, index) => groupIds.slice(index + 1).map((other) => [id, other]));
  const find = (isKnown: boolean, ids: readonly string[], sets: readonly (readonly string[])[]) =>
    new Memberships(undefined, isKnown ? sets : undefined).findCombinations(new Set(ids), new Set(ids));
  for (const isKnown of [true, false]) {
    const found = find(isKnown, groupIds, pairs);
    expect(found).toMatchObject({ combinations: { length: 200 }, hasMore: true });
    expect(find(isKnown, groupIds.toReversed(), pairs.toReversed())).toEqual(found);
  }
});
