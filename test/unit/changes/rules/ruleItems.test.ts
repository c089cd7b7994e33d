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

const editedRule = createRule('e', 'u1', 'x');
const otherRule = createRule('o', 'u2', 'x');
const noProgress: RuleProgress = { denyScopes: new Set(), sentRules: new Set() };

/** Returns the remaining items of a change of the rule of `u1` to `y`, if the server currently has the given rules. */
const getRemaining = (
  kind: RuleTarget['kind'],
  current: readonly JsonObject[],
  progress: Partial<RuleProgress> = {},
) => {
  const target = createRuleTarget(kind, [editedRule, otherRule], [createEdit(editedRule, 'y')]);
  const { items, hasConcurrentChanges } = getRemainingItems(parseRuleDocuments(current), target, {
    ...noProgress,
    ...progress,
  });
  return {
    items: items.map(({ before, after }) => [before?.id, after?.parsed.document['members']]),
    hasConcurrentChanges,
  };
};
const getScopes = (...rules: readonly JsonObject[]) => new Set(parseRuleDocuments(rules).map(getScopeKey));

describe.each(['extract', 'live'] as const)('the remaining items of a change of %s rules', (kind) => {
  const changedItem = ['e', ['y']];

  test('without changes by other users, only the changed rule remains', () => {
    expect(getRemaining(kind, [editedRule, otherRule])).toEqual({
      items: [changedItem],
      hasConcurrentChanges: false,
    });
  });

  test('an unrelated rule that another user has deleted or changed is kept as it is, and reported', () => {
    const expected = { items: [changedItem], hasConcurrentChanges: true };
    expect(getRemaining(kind, [editedRule])).toEqual(expected);
    expect(getRemaining(kind, [editedRule, createRule('o', 'u2', 'z')])).toEqual(expected);
    expect(getRemaining(kind, [editedRule, otherRule, createRule('n', 'u3', 'z')])).toEqual(expected);
  });

  test('an error is thrown if another user has deleted or changed the rule itself', () => {
    expect(() => getRemaining(kind, [otherRule])).toThrow(RulesChangedError);
    expect(() => getRemaining(kind, [createRule('e', 'u1', 'z'), otherRule])).toThrow(RulesChangedError);
  });

  test('a missing rule counts as overwritten by the operation if the operation has added a rule in its scope', () => {
    expect(() => getRemaining(kind, [editedRule], { addedScopes: getScopes(otherRule) })).toThrow(
      RulesDifferError,
    );
    expect(
      getRemaining(kind, [editedRule], { addedScopes: getScopes(editedRule) }).hasConcurrentChanges,
    ).toBe(true);
  });

  test('nothing remains if the server has the intended rules', () => {
    const finalRules = [createRule('e', 'u1', 'y'), otherRule];
    expect(getRemaining(kind, finalRules)).toEqual({ items: [], hasConcurrentChanges: false });
  });
});

test('a rule that another user has added for the same party stops a change of live rules, which would overwrite it', () => {
  expect(() => getRemaining('live', [editedRule, otherRule, createRule('n', 'u1', 'z')])).toThrow(
    RulesChangedError,
  );
  const finalRules = [createRule('e', 'u1', 'y'), otherRule, createRule('n', 'u1', 'z')];
  expect(getRemaining('live', finalRules)).toEqual({ items: [], hasConcurrentChanges: true });
});
