import { expect, test } from 'vitest';
import { english } from '../../../src/base/localize.ts';
import { describeAccess } from '../../../src/changes/messages/describeAccess.ts';
import { formatAccessRow, toAccessRows } from '../../../src/cli/accessRows.ts';
import { computeAccessDifference } from '../../../src/security/change/accessDifference.ts';
import { everything, nothing, only, rule } from '../security/rules.ts';

const groupRule = rule(only('North', 'a'), 'group:1');
const format = (before: readonly unknown[], after: readonly unknown[]) => {
  const difference = computeAccessDifference({ before: { rules: before }, after: { rules: after } });
  const access = describeAccess(
    { subjects: [{ title: 'Retail', difference }], partyNames: new Map([['group:1', 'Sales']]) },
    english,
  );
  return [access.summary, ...toAccessRows(access).map(formatAccessRow)];
};

test('an uncertain effect is marked as uncertain in its row, as in the summary', () => {
  const denyingRules = [groupRule, rule(nothing, 'default')];
  // What the platform shows to everyone else without a rule for them is not documented.
  const removed = format(denyingRules, [groupRule]);
  expect(removed[0]).toContain('Everyone else might gain ');
  expect(removed[1]).toMatch(/^! Everyone else might gain access: .*: no values → uncertain/);
  expect(format([groupRule], denyingRules)[1]).toMatch(/^! Everyone else might lose access: /);

  const widened = format(denyingRules, [groupRule, rule(everything, 'default')]);
  expect(widened[0]).toContain('Everyone else gains ');
  expect(widened[1]).toMatch(/^! Everyone else gains access: /);
});
