import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getScopeKey, toParsedRules } from '../../../../src/changes/rules/parsedRule.ts';
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

const rule = (id: string, user: string, value: string): JsonObject => ({
  _id: id,
  table: 'T',
  column: 'C',
  datatype: 'text',
  members: [value],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'user', party: user, partyId: user }],
});
const change = (before: JsonObject, value: string): RuleEdit => ({
  before,
  after: { ...before, members: [value] },
  writeIndex: 0,
});

const edited = rule('e', 'u1', 'x');
const other = rule('o', 'u2', 'x');
const noProgress: RuleProgress = { denyScopes: new Set(), sentRules: new Set() };

/** What is left of a change of the rule of `u1` to `y`, if the server has these rules now. */
const getRemaining = (
  kind: RuleTarget['kind'],
  current: readonly JsonObject[],
  progress: Partial<RuleProgress> = {},
) => {
  const target = createRuleTarget(kind, [edited, other], [change(edited, 'y')]);
  const { items, hasOtherChanges } = getRemainingItems(toParsedRules(current), target, {
    ...noProgress,
    ...progress,
  });
  return {
    items: items.map(({ before, after }) => [before?.id, after?.parsed.rule['members']]),
    hasOtherChanges,
  };
};
const getScopes = (...rules: readonly JsonObject[]) => new Set(toParsedRules(rules).map(getScopeKey));

describe.each(['extract', 'live'] as const)('what is left of a change of %s rules', (kind) => {
  const toDo = ['e', ['y']];

  test('without changes of others, it is the changed rule', () => {
    expect(getRemaining(kind, [edited, other])).toEqual({ items: [toDo], hasOtherChanges: false });
  });

  test('a rule beside it that another user has deleted or changed is left as it is, and reported', () => {
    const expected = { items: [toDo], hasOtherChanges: true };
    expect(getRemaining(kind, [edited])).toEqual(expected);
    expect(getRemaining(kind, [edited, rule('o', 'u2', 'z')])).toEqual(expected);
    expect(getRemaining(kind, [edited, other, rule('n', 'u3', 'z')])).toEqual(expected);
  });

  test('the rule itself must not have been deleted or changed by another user', () => {
    expect(() => getRemaining(kind, [other])).toThrow(RulesChangedError);
    expect(() => getRemaining(kind, [rule('e', 'u1', 'z'), other])).toThrow(RulesChangedError);
  });

  test('a rule that is gone from where the operation has added one was overwritten by it', () => {
    expect(() => getRemaining(kind, [edited], { addedScopes: getScopes(other) })).toThrow(RulesDifferError);
    expect(getRemaining(kind, [edited], { addedScopes: getScopes(edited) }).hasOtherChanges).toBe(true);
  });

  test('nothing is left if the server has the wanted rules', () => {
    const done = [rule('e', 'u1', 'y'), other];
    expect(getRemaining(kind, done)).toEqual({ items: [], hasOtherChanges: false });
  });
});

test('a rule that another user has added for the same party stops a change of live rules, which would overwrite it', () => {
  expect(() => getRemaining('live', [edited, other, rule('n', 'u1', 'z')])).toThrow(RulesChangedError);
  const done = [rule('e', 'u1', 'y'), other, rule('n', 'u1', 'z')];
  expect(getRemaining('live', done)).toEqual({ items: [], hasOtherChanges: true });
});
