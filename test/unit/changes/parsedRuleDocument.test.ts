import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  compareGrants,
  fulfills,
  type GrantComparison,
  parseRuleDocuments,
} from '../../../src/changes/rules/parsedRuleDocument.ts';
import type { Grant } from '../../../src/security/readRule.ts';
import type { ValueSet } from '../../../src/security/valueSet.ts';

function haveSameContent(a: JsonObject, b: JsonObject): boolean {
  const rule = { table: 'T', column: 'C', members: ['a'], allMembers: null, shares: [{ type: 'default' }] };
  const [first, second] = parseRuleDocuments([a, b].map((fields) => ({ ...rule, ...fields })));
  return first !== undefined && second !== undefined && fulfills(first, second);
}

test('flags that are not booleans are compared literally', () => {
  expect(haveSameContent({ exclusionary: 'true' }, { exclusionary: 'true' })).toBe(true);
  expect(haveSameContent({ exclusionary: 'true' }, { exclusionary: 'false' })).toBe(false);
  expect(haveSameContent({ exclusionary: 'true' }, { exclusionary: true })).toBe(false);
  expect(haveSameContent({ members: [], exclusionary: false }, { members: [] })).toBe(true);
});

test.each<readonly [string, JsonObject, JsonObject, boolean]>([
  ['equal rules', {}, {}, true],
  ['rules with other values', { members: ['b'] }, {}, false],
  ['rules with the same values in another order', { members: ['b', 'a'] }, { members: ['a', 'b'] }, true],
  ['a rule that hides the values', { exclusionary: true }, {}, false],
  ['rules of other columns', { column: 'D' }, {}, false],
  ['rules of other tables', { table: 'U' }, {}, false],
  ['rules of other parties', { shares: [{ type: 'user', party: 'u' }] }, {}, false],
  [
    'rules of a user and a group',
    { shares: [{ type: 'user', party: 'u' }] },
    { shares: [{ type: 'group', party: 'u' }] },
    false,
  ],
  [
    'rules of unknown parties',
    { shares: [{ type: 'robot', party: 'r' }] },
    { shares: [{ type: 'robot', party: 's' }] },
    false,
  ],
  [
    'rules of the same unknown party',
    { shares: [{ type: 'robot', party: 'r' }] },
    { shares: [{ party: 'r', type: 'robot' }] },
    true,
  ],
  ['rules with other datatypes', { datatype: 'text' }, { datatype: 'numeric' }, false],
  ['a rule whose datatype is not shown', {}, { datatype: 'text' }, true],
  ['a rule whose datatype is shown as empty', { datatype: null }, { datatype: 'text' }, true],
  ['a rule to which the server has added a field', { note: 'n' }, {}, true],
  ['a rule that lacks a field', {}, { note: 'n' }, true],
  ['a rule with another value of a field', { note: 'm' }, { note: 'n' }, false],
  ['rules with other IDs and times', { _id: 'a', lastModified: '1' }, { _id: 'b', lastModified: '2' }, true],
])('whether a rule fulfills the wanted one: %s', (_text, actual, wanted, expected) => {
  expect(haveSameContent(actual, wanted)).toBe(expected);
});

describe('of two grants', () => {
  const list = (...values: readonly string[]): ValueSet => ({ kind: 'only', values: new Set(values) });
  const exclusion = (...values: readonly string[]): ValueSet => ({ kind: 'except', values: new Set(values) });

  test.each<readonly [Grant, Grant, GrantComparison]>([
    [list('a'), list('a', 'b'), 'narrower'],
    [list('a', 'b'), list('a'), 'wider'],
    [list('a', 'b'), list('b', 'a'), 'same'],
    [list('a'), list('b'), 'other'],
    [exclusion('a', 'b'), exclusion('a'), 'narrower'],
    [exclusion('a'), exclusion('a', 'b'), 'wider'],
    [exclusion('a'), exclusion('b'), 'other'],
    [list('a'), exclusion('b'), 'other'],
    [exclusion('b'), list('a'), 'other'],
    [list(), list('a'), 'narrower'],
    [list(), exclusion('a'), 'narrower'],
    [list('a'), list(), 'wider'],
    [exclusion('a'), list(), 'wider'],
    [exclusion(), exclusion('a'), 'wider'],
    [exclusion(), list('a'), 'wider'],
    [list('a'), exclusion(), 'narrower'],
    [list(), list(), 'same'],
    [exclusion(), exclusion(), 'same'],
    ['unclear', list('a'), 'other'],
    [list('a'), 'unclear', 'other'],
    ['unclear', 'unclear', 'other'],
  ])('%j and %j the first is %s', (a, b, expected) => {
    expect(compareGrants(a, b)).toBe(expected);
  });
});
