import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getScopeKey, parseRuleDocuments } from '../../../../src/changes/rules/parsedRuleDocument.ts';
import {
  getRemainingItems,
  RulesChangedError,
  RulesDifferError,
  type RuleProgress,
} from '../../../../src/changes/rules/ruleItems.ts';
import {
  createRuleTarget,
  type RuleEdit,
  type RuleTarget,
} from '../../../../src/changes/rules/ruleTarget.ts';

const createRule = (id: string, user: string, value: string): JsonObject => ({
  _id: id,
  table: 'T',
  column: 'C',
  datatype: 'text',
  members: [value],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'user', party: user, partyId: user }],
});
const createEdit = (before: JsonObject, value: string): RuleEdit => ({
  before,
  after: { ...before, members: [value] },
  writeIndex: 0,
});

const edited = createRule('e', 'u1', 'x');
const other = createRule('o', 'u2', 'x');
const noProgress: RuleProgress = { denyScopes: new Set(), sentRules: new Set() };

/** Returns the remaining items of a change of the rule of `u1` to `y`, if the server currently has the given rules. */
const getRemaining = (
  kind: RuleTarget['kind'],
  current: readonly JsonObject[],
  progress: Partial<RuleProgress> = {},
) => {
  const target = createRuleTarget(kind, [edited, other], [createEdit(edited, 'y')]);
  const { items, hasOtherChanges } = getRemainingItems(parseRuleDocuments(current), target, {
    ...noProgress,
    ...progress,
  });
  return {
    items: items.map(({ before, after }) => [before?.id, after?.parsed.rule['members']]),
    hasOtherChanges,
  };
};
const getScopes = (...rules: readonly JsonObject[]) => new Set(parseRuleDocuments(rules).map(getScopeKey));

describe.each(['extract', 'live'] as const)('the remaining items of a change of %s rules', (kind) => {
  const changedItem = ['e', ['y']];

  test('without changes by other users, only the changed rule remains', () => {
    expect(getRemaining(kind, [edited, other])).toEqual({ items: [changedItem], hasOtherChanges: false });
  });

  test('an unrelated rule that another user has deleted or changed is kept as it is, and reported', () => {
    const expected = { items: [changedItem], hasOtherChanges: true };
    expect(getRemaining(kind, [edited])).toEqual(expected);
    expect(getRemaining(kind, [edited, createRule('o', 'u2', 'z')])).toEqual(expected);
    expect(getRemaining(kind, [edited, other, createRule('n', 'u3', 'z')])).toEqual(expected);
  });

  test('an error is thrown if another user has deleted or changed the rule itself', () => {
    expect(() => getRemaining(kind, [other])).toThrow(RulesChangedError);
    expect(() => getRemaining(kind, [createRule('e', 'u1', 'z'), other])).toThrow(RulesChangedError);
  });

  test('a missing rule whose scope the operation has added a rule to counts as overwritten by the operation', () => {
    expect(() => getRemaining(kind, [edited], { addedScopes: getScopes(other) })).toThrow(RulesDifferError);
    expect(getRemaining(kind, [edited], { addedScopes: getScopes(edited) }).hasOtherChanges).toBe(true);
  });

  test('nothing remains if the server has the intended rules', () => {
    const done = [createRule('e', 'u1', 'y'), other];
    expect(getRemaining(kind, done)).toEqual({ items: [], hasOtherChanges: false });
  });
});

test('a rule that another user has added for the same party stops a change of live rules, which would overwrite it', () => {
  expect(() => getRemaining('live', [edited, other, createRule('n', 'u1', 'z')])).toThrow(RulesChangedError);
  const done = [createRule('e', 'u1', 'y'), other, createRule('n', 'u1', 'z')];
  expect(getRemaining('live', done)).toEqual({ items: [], hasOtherChanges: true });
});
