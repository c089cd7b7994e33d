import { expect, test } from 'vitest';
import { inferGroupsFromRules } from '../../../../src/security/membership/inferGroups.ts';
import { everything, nothing, only, rule } from '../rules.ts';

const sales = rule({ id: '1', ...only('A') }, 'group:sales');
const salesAndSupport = rule({ id: '2', ...everything }, 'group:sales', 'group:support');
const support = rule({ id: '3', ...only('B') }, 'group:support');
const anna = rule({ id: '4', ...only('C') }, 'user:anna');
const shared = rule({ id: '5', ...only('C') }, 'user:anna', 'group:board');
const others = rule({ id: '6', ...nothing }, 'default');
const allRules = [sales, salesAndSupport, support, anna, others];

test.each<[string, readonly unknown[], readonly unknown[], readonly string[] | undefined]>([
  ['one group', allRules, [sales, salesAndSupport, anna], ['sales']],
  ['two groups', allRules, [sales, salesAndSupport, support, anna], ['sales', 'support']],
  ['no group: only the rule of the user', allRules, [anna], []],
  ['with the default rule', allRules, [anna, others], []],
  ['no rules, although some are for groups', [sales, salesAndSupport, others], [], undefined],
  ['no rules, and none is for a group', [rule(only('C'), 'user:ben'), others], [], []],
  ['a rule of the user is missing', allRules, [sales, salesAndSupport], undefined],
  ['a rule of two groups without their other rules', allRules, [salesAndSupport, anna], undefined],
  [
    'a rule that the datamodel does not have',
    allRules,
    [anna, rule({ id: '9', ...nothing }, 'group:sales')],
    undefined,
  ],
  ['a rule of the user that names a group, too', [sales, shared], [shared], undefined],
  [
    'rules without an identifier',
    [rule(only('A'), 'group:x'), anna],
    [rule(only('A'), 'group:x'), anna],
    ['x'],
  ],
  ['values that are not rules', allRules, [null, 1, 'x'], undefined],
])('groups are inferred from the rules of a user: %s', (_name, rules, userRules, expected) =>
  expect(inferGroupsFromRules(rules, userRules, 'anna')).toEqual(expected),
);
