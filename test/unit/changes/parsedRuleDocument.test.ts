import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  compareGrants,
  fulfills,
  type GrantComparison,
  parseRuleDocuments,
} from '../../../src/changes/rules/parsedRuleDocument.ts';
import type { Grant } from '../../../src/security/readRules.ts';
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
  const createList = (...values: readonly string[]): ValueSet => ({ kind: 'only', values: new Set(values) });
  const createExclusion = (...values: readonly string[]): ValueSet => ({
    kind: 'except',
    values: new Set(values),
  });

  test.each<readonly [Grant, Grant, GrantComparison]>([
    [createList('a'), createList('a', 'b'), 'narrower'],
    [createList('a', 'b'), createList('a'), 'wider'],
    [createList('a', 'b'), createList('b', 'a'), 'same'],
    [createList('a'), createList('b'), 'other'],
    [createExclusion('a', 'b'), createExclusion('a'), 'narrower'],
    [createExclusion('a'), createExclusion('a', 'b'), 'wider'],
    [createExclusion('a'), createExclusion('b'), 'other'],
    [createList('a'), createExclusion('b'), 'other'],
    [createExclusion('b'), createList('a'), 'other'],
    [createList(), createList('a'), 'narrower'],
    [createList(), createExclusion('a'), 'narrower'],
    [createList('a'), createList(), 'wider'],
    [createExclusion('a'), createList(), 'wider'],
    [createExclusion(), createExclusion('a'), 'wider'],
    [createExclusion(), createList('a'), 'wider'],
    [createList('a'), createExclusion(), 'narrower'],
    [createList(), createList(), 'same'],
    [createExclusion(), createExclusion(), 'same'],
    ['unclear', createList('a'), 'other'],
    [createList('a'), 'unclear', 'other'],
    ['unclear', 'unclear', 'other'],
  ])('%j and %j the first is %s', (a, b, expected) => {
    expect(compareGrants(a, b)).toBe(expected);
  });
});
