import { expect, test } from 'vitest';
import { inferGroupsFromRules } from '../../../../src/security/membership/inferGroups.ts';
import { everything, nothing, only, rule } from '../rules.ts';

const salesRule = rule({ id: '1', ...only('A') }, 'group:sales');
const salesAndSupportRule = rule({ id: '2', ...everything }, 'group:sales', 'group:support');
const supportRule = rule({ id: '3', ...only('B') }, 'group:support');
const annaRule = rule({ id: '4', ...only('C') }, 'user:anna');
const sharedRule = rule({ id: '5', ...only('C') }, 'user:anna', 'group:board');
const otherRule = rule({ id: '6', ...nothing }, 'default');
const allRules = [salesRule, salesAndSupportRule, supportRule, annaRule, otherRule];

test.each<[string, readonly unknown[], readonly unknown[], readonly string[] | undefined]>([
  ['one group', allRules, [salesRule, salesAndSupportRule, annaRule], ['sales']],
  ['two groups', allRules, [salesRule, salesAndSupportRule, supportRule, annaRule], ['sales', 'support']],
  ['no group: only the rule of the user', allRules, [annaRule], []],
  ['with the default rule', allRules, [annaRule, otherRule], []],
  ['no rules, although some are for groups', [salesRule, salesAndSupportRule, otherRule], [], undefined],
  ['no rules, and none is for a group', [rule(only('C'), 'user:ben'), otherRule], [], []],
  ['a rule of the user is missing', allRules, [salesRule, salesAndSupportRule], undefined],
  ['a rule of two groups without their other rules', allRules, [salesAndSupportRule, annaRule], undefined],
  [
    'a rule that the datamodel does not have',
    allRules,
    [annaRule, rule({ id: '9', ...nothing }, 'group:sales')],
    undefined,
  ],
  ['a rule of the user that names a group, too', [salesRule, sharedRule], [sharedRule], undefined],
  [
    'rules without an identifier',
    [rule(only('A'), 'group:x'), annaRule],
    [rule(only('A'), 'group:x'), annaRule],
    ['x'],
  ],
  ['values that are not rules', allRules, [null, 1, 'x'], undefined],
])('groups are inferred from the rules of a user: %s', (_name, rules, userRules, expected) =>
  expect(inferGroupsFromRules(rules, userRules, 'anna')).toEqual(expected),
);
