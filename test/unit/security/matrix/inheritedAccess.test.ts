import { expect, test } from 'vitest';
import { getInheritedAccess } from '../../../../src/security/matrix/inheritedAccess.ts';
import {
  getCellKey,
  getMatrixColumnKey,
  toMatrixParty,
  createRuleMatrix,
} from '../../../../src/security/matrix/ruleMatrix.ts';
import { nothing, only, rule } from '../rules.ts';

const column = getMatrixColumnKey('Stores', 'Region');
const { cells } = createRuleMatrix([
  rule({ id: 'd', ...nothing }, 'default'),
  rule({ id: 's', ...only('North') }, 'group:sales'),
  rule({ id: 'n', ...only('South') }, 'group:south'),
]);
const anna = toMatrixParty({ type: 'user', id: 'anna' });

const describeInherited = (
  party: typeof anna,
  groups: readonly string[] | undefined,
  hasGroupRules = true,
): string => {
  const found = getInheritedAccess(
    party,
    column,
    (key) => cells.get(key)?.value ?? [],
    groups,
    hasGroupRules,
  );
  return 'value' in found
    ? `${found.kind} ${found.value.map((each) => (typeof each === 'string' ? each : [...each.values].join())).join(' | ')}`
    : found.kind;
};

test.each([
  ['unknown groups', anna, undefined, 'groups-unknown'],
  ['no group', anna, [], 'default '],
  ['a group without a rule here', anna, ['support'], 'default '],
  ['a group', anna, ['support', 'sales'], 'groups North'],
  ['two groups', anna, ['sales', 'south'], 'groups North | South'],
  ['a group by itself', toMatrixParty({ type: 'group', id: 'support' }), undefined, 'default '],
] as const)('a cell without a rule inherits access: %s', (_name, party, groups, expected) =>
  expect(describeInherited(party, groups)).toBe(expected),
);

test('if no group has a rule, unknown groups change nothing', () => {
  expect(describeInherited(anna, undefined, false)).toBe('default ');
  expect(cells.get(getCellKey('default:', column))?.value).toHaveLength(1);
});
