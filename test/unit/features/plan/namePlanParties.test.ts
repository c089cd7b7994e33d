import { expect, test } from 'vitest';
import type { Plan, PlannedAccess } from '../../../../src/changes/model/plan.ts';
import { addDirectoryNames } from '../../../../src/features/plan/namePlanParties.ts';
import { computeAccessDifference } from '../../../../src/security/change/accessDifference.ts';
import { Memberships } from '../../../../src/security/membership/memberships.ts';
import { nothing, only, rule } from '../../security/rules.ts';

test('all groups of users in several groups get the names that no rule has', async () => {
  const others = rule(nothing, 'default');
  const sales = rule(only('North'), 'group:sales');
  const difference = computeAccessDifference({
    before: { rules: [sales, rule(nothing, 'group:alps'), others] },
    after: { rules: [sales, others] },
    memberships: new Memberships(undefined, [['sales', 'alps']]),
  });
  const plan = { created: [], changed: [], deleted: [] } as unknown as Plan;
  const access: PlannedAccess = { subjects: [{ title: 'Retail', difference }], partyNames: new Map() };
  const { partyNames } = await addDirectoryNames(plan, access, async () => ({
    getName: (_type, id) => id.toUpperCase(),
  }));
  expect(partyNames).toEqual(
    new Map([
      ['group:sales', 'SALES'],
      ['group:alps', 'ALPS'],
    ]),
  );
});
