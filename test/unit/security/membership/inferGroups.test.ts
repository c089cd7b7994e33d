import { expect, test } from 'vitest';
import { inferGroupsFromRules } from '../../../../src/security/membership/inferGroups.ts';
import { everything, nothing, only, rule } from '../rules.ts';

const sales = rule({ id: '1', ...only('A') }, 'group:sales');
const both = rule({ id: '2', ...everything }, 'group:sales', 'group:support');
const support = rule({ id: '3', ...only('B') }, 'group:support');
const anna = rule({ id: '4', ...only('C') }, 'user:anna');
const shared = rule({ id: '5', ...only('C') }, 'user:anna', 'group:board');
const others = rule({ id: '6', ...nothing }, 'default');
const all = [sales, both, support, anna, others];

test.each<[string, readonly unknown[], readonly unknown[], readonly string[] | undefined]>([
  ['one group', all, [sales, both, anna], ['sales']],
  ['two groups', all, [sales, both, support, anna], ['sales', 'support']],
  ['no group: the rule of the user shows that the server answers', all, [anna], []],
  ['with the default rule', all, [anna, others], []],
  ['nothing: the request does not work everywhere', [sales, both, others], [], undefined],
  ['nothing where no rule is for a group', [rule(only('C'), 'user:ben'), others], [], []],
  ['a rule of the user is missing', all, [sales, both], undefined],
  ['a rule that by the others cannot be theirs', all, [both, anna], undefined],
  ['a rule that is not among all', all, [anna, rule({ id: '9', ...nothing }, 'group:sales')], undefined],
  ['a rule of the user that names a group, too', [sales, shared], [shared], undefined],
  [
    'rules without an identifier',
    [rule(only('A'), 'group:x'), anna],
    [rule(only('A'), 'group:x'), anna],
    ['x'],
  ],
  ['what is no rule', all, [null, 1, 'x'], undefined],
])('%s', (_name, rules, ofUser, expected) =>
  expect(inferGroupsFromRules(rules, ofUser, 'anna')).toEqual(expected),
);
