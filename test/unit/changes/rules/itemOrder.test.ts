import { describe, expect, test } from 'vitest';
import {
  findFirstInOrder,
  getIndependentGroups,
  getItemEffect,
  indexColumnRules,
  isDenied,
  type ItemEffect,
} from '../../../../src/changes/rules/itemOrder.ts';
import {
  type ParsedRuleDocument,
  parseRuleDocuments,
} from '../../../../src/changes/rules/parsedRuleDocument.ts';
import type { RuleItem } from '../../../../src/changes/rules/ruleItems.ts';
import type { RuleTarget } from '../../../../src/changes/rules/ruleTarget.ts';

/**
 * Parses a rule in short form, such as `u1 g1: x y` or `D u1: nothing`: the column `C` or `D`, users, groups, and
 * everyone else (`d`), and the values; `!x` hides a value.
 */
function parseRule(text: string): ParsedRuleDocument {
  const [head = '', values = ''] = text.split(': ');
  const names = head.split(' ');
  const isOtherColumn = names[0] === 'D';
  const members = values.split(' ').map((value) => value.replace('!', ''));
  const [rule] = parseRuleDocuments([
    {
      _id: text,
      table: 'T',
      column: isOtherColumn ? 'D' : 'C',
      datatype: 'text',
      members: values === 'nothing' || values === 'everything' ? [] : members,
      allMembers: values === 'everything' ? true : values === 'nothing' ? false : null,
      exclusionary: values.startsWith('!'),
      shares: names
        .slice(isOtherColumn ? 1 : 0)
        .map((name) =>
          name === 'd' ? { type: 'default' } : { type: name.startsWith('u') ? 'user' : 'group', party: name },
        ),
    },
  ]);
  if (rule === undefined) {
    throw new Error(`${text} is no rule`);
  }
  return rule;
}

/** Parses an item: `A -> B` changes rule A into B; `-> B` adds one, `A ->` deletes one. */
function parseItem(text: string, ...duplicates: readonly string[]): RuleItem {
  const [before = '', after = ''] = text.split('->').map((part) => part.trim());
  return {
    before: before === '' ? undefined : parseRule(before),
    after: after === '' ? undefined : { parsed: parseRule(after), isEdited: true, mustSend: false },
    sameScopeRules: duplicates.map(parseRule),
  };
}

/** The index of the current rules, and of the columns that will have rules. */
function createIndex(current: readonly ParsedRuleDocument[], wanted: readonly string[] = []) {
  const target: RuleTarget = {
    kind: 'extract',
    columnKeys: new Set(),
    wantedRules: wanted.map((text) => ({ parsed: parseRule(text), isEdited: false, mustSend: false })),
    previousById: new Map(),
    deletingWriteIndices: new Map(),
  };
  return indexColumnRules(current, target);
}

describe('the effect of an item', () => {
  test.each<readonly [item: string, effect: ItemEffect, ...duplicates: readonly string[]]>([
    ['u1: x y -> u1: x', 'narrows'],
    ['u1: x -> u1: x', 'narrows'],
    ['u1: x -> u1: x y', 'widens'],
    ['u1: x -> u1: y', 'shifts'],
    ['u1: x -> u1: !x', 'shifts'],
    ['u1: nothing -> u1: x', 'widens'],
    ['u1: x -> u1: nothing', 'narrows'],
    ['u1: everything -> u1: x', 'narrows'],
    ['u1: x -> u1: x y', 'shifts', 'u1: z'],
    ['u1: x -> u1: y', 'widens', 'u1: nothing'],
    ['u1: nothing -> u1: x', 'widens', 'u1: z'],
    ['u1: x -> u2: x', 'shifts'],
    ['u1 u2: nothing -> u1: x', 'widens'],
    ['u1: nothing -> u1 u2: x', 'shifts'],
    ['u1: x -> u1 u2: nothing', 'narrows'],
    ['u1 u2: x -> u1: nothing', 'shifts'],
    ['u1: x -> D u1 u2: nothing', 'shifts'],
    ['D u1: x -> u1: nothing', 'shifts'],
  ])('the item "%s" %s access', (item, effect, ...duplicates) => {
    expect(getItemEffect(parseItem(item, ...duplicates), createIndex([]))).toBe(effect);
  });

  test.each<readonly [string, ItemEffect, readonly string[]]>([
    ['-> u1: x', 'narrows', []],
    ['-> u1: x', 'narrows', ['D u1: y']],
    ['-> u1: x', 'shifts', ['u2: y']],
    ['-> u1: nothing', 'narrows', ['u2: y']],
  ])('the item "%s" %s access beside %j', (item, effect, current) => {
    expect(getItemEffect(parseItem(item), createIndex(current.map(parseRule)))).toBe(effect);
  });

  test.each<readonly [string, ItemEffect, readonly string[], readonly string[]]>([
    ['u1: nothing ->', 'widens', ['u2: x'], []],
    ['u1: x ->', 'widens', [], []],
    ['u1: x ->', 'shifts', ['u2: x'], []],
    ['u1: x ->', 'widens', ['D u2: x'], []],
    ['u1: x ->', 'narrows', [], ['u1: nothing']],
    ['u1: nothing ->', 'widens', [], ['u1: nothing']],
    ['u1: x ->', 'narrows', ['u1: x'], ['u1: x']],
    ['u1: x y ->', 'narrows', ['u1: x'], ['u1: x', 'u1: y']],
    ['u1: x ->', 'widens', ['u1: x'], ['u1: x y', 'u1: x z']],
    ['u1: x ->', 'shifts', ['u1: x'], ['u1: x', 'u1: x y']],
    ['u1: x ->', 'shifts', ['u1: x'], ['u1: y']],
  ])(
    'the item "%s" %s access if %j are wanted, and beside the duplicates %j',
    (item, effect, wanted, duplicates) => {
      expect(getItemEffect(parseItem(item, ...duplicates), createIndex([], wanted))).toBe(effect);
    },
  );
});

describe('the parties of an item see nothing', () => {
  test.each<readonly [string, readonly string[], boolean]>([
    ['-> u1: x', ['u1: nothing'], true],
    ['-> u1: x', ['u1: y'], false],
    ['-> u1: x', ['D u1: nothing'], false],
    ['-> u1 u2: x', ['u1: nothing'], false],
    ['-> u1 u2: x', ['u1: nothing', 'u2 g1: nothing'], true],
    ['u1: x -> u2: x', ['u2: nothing'], false],
    ['u1: x -> u2: x', ['u1: nothing', 'u2: nothing'], true],
    ['u1: x -> D u1: x', ['u1: nothing'], false],
    ['u1: x -> D u1: x', ['u1: nothing', 'D u1: nothing'], true],
    ['-> d: x', ['d: nothing'], false],
  ])('if the item is "%s" and the current rules are %j: %s', (item, current, expected) => {
    expect(isDenied(parseItem(item), createIndex(current.map(parseRule)))).toBe(expected);
  });

  test('because of another rule, not of the one that changes', () => {
    const item = parseItem('u1: nothing -> u1: x');
    const ownRules = item.before === undefined ? [] : [item.before];
    expect(isDenied(item, createIndex(ownRules))).toBe(false);
    expect(isDenied(item, createIndex([...ownRules, parseRule('u1: nothing')]))).toBe(true);
  });
});

describe('items', () => {
  const getGroups = (items: readonly string[]) => {
    const parsed = items.map((text) => parseItem(text));
    return getIndependentGroups(parsed).map((group) => group.map((item) => parsed.indexOf(item)));
  };

  test.each<readonly [string, readonly string[], readonly (readonly number[])[]]>([
    ['of different users are independent', ['u1: x -> u1: y', 'u2: x -> u2: y'], [[0], [1]]],
    ['of the same user are not', ['u1: x -> u1: y', 'D u1: x -> D u1: y', 'u2: x ->'], [[0, 1], [2]]],
    ['of users and a group are not', ['u1: x -> u1: y', 'u2: x -> u2: y', '-> g1: x'], [[0, 1, 2]]],
    ['of two groups are not', ['g1: x -> g1: y', 'g2: x -> g2: y'], [[0, 1]]],
    ['that share a user with a third one are not', ['u1: x ->', 'u2: x ->', '-> u1 u2: x'], [[0, 1, 2]]],
    [
      'of everyone else and of values of a user are independent',
      ['d: x -> d: y', 'u1: x -> u1: y'],
      [[0], [1]],
    ],
    [
      'of everyone else and of values of a group are independent',
      ['d: x -> d: y', 'g1: x -> g1: y'],
      [[0], [1]],
    ],
    [
      'of everyone else and of a new user are not',
      ['d: x -> d: y', '-> u1: x', 'u2: x -> u2: y'],
      [[0, 1], [2]],
    ],
    [
      'of everyone else and of a user who loses the only rule are not',
      ['d: x -> d: y', 'u1: x ->'],
      [[0, 1]],
    ],
    [
      'of everyone else and of a rule that gets another user are not',
      ['d: x -> d: y', 'u1: x -> u2: x'],
      [[0, 1]],
    ],
    ['of a new rule for everyone else and of a user are not', ['-> d: y', 'u1: x -> u1: y'], [[0, 1]]],
    [
      'of everyone else and of a user on another column are not',
      ['d: x -> d: y', 'D u1: x -> D u1: y'],
      [[0, 1]],
    ],
  ])('%s', (_text, items, groups) => {
    expect(getGroups(items)).toEqual(groups);
  });

  test('of everyone else and of a deleted duplicate of a rule are independent', () => {
    const items = [parseItem('d: x -> d: y'), parseItem('u1: x ->', 'u1: z')];
    expect(getIndependentGroups(items)).toHaveLength(2);
  });
});

describe('without temporary deny rules, the first to be sent is', () => {
  const getFirst = (items: readonly string[], current: readonly string[] = []) => {
    const parsed = items.map((text) => parseItem(text));
    return findFirstInOrder(parsed, createIndex(current.map(parseRule)))?.map((item) => parsed.indexOf(item));
  };

  test.each<readonly [string, readonly string[], readonly number[] | undefined]>([
    ['a new rule, before that of everyone else changes', ['d: x -> d: y', '-> u1: x'], [1]],
    ['the rule of everyone else, before one is deleted', ['u1: x ->', 'd: x -> d: y'], [1]],
    ['a rule that gets a further user', ['d: x -> d: y', 'u1: x -> u1 u2: x'], [1]],
    ['the rule of everyone else, before a rule loses a user', ['d: x -> d: y', 'u1 u2: x -> u1: x'], [0]],
    ['unknown if a rule gets another user', ['d: x -> d: y', 'u1: x -> u2: x'], undefined],
    ['a rule that keeps its users', ['d: x -> d: y', 'u1: x -> u1: y'], [1]],
    ['unknown beside two rules of groups', ['d: x -> d: y', '-> g1: x', '-> g2: x'], undefined],
    [
      'the new rules of users, before that of everyone else changes',
      ['d: x -> d: y', '-> u1: x', '-> u2: x'],
      [1, 2],
    ],
    ['unknown for two rules of everyone else', ['d: x -> d: y', 'd: z ->', '-> u1: x'], undefined],
    ['unknown for two columns', ['d: x -> d: y', '-> D u1: x'], undefined],
    ['the new rule of a user, before that of a group changes', ['g1: x -> g1: y', '-> u1: x'], [1]],
    ['the new rules of users', ['-> u1: x', 'g1: x -> g1: y', '-> u2: x', 'u3: x ->'], [0, 2]],
    ['the rule of a group, before that of a user is deleted', ['u1: x ->', 'g1: x -> g1: y'], [1]],
    ['unknown if a rule of a user changes', ['u1: x -> u1: y', 'g1: x -> g1: y'], undefined],
    ['unknown for two groups', ['g1: x -> g1: y', 'g2: x -> g2: y', '-> u1: x'], undefined],
    ['unknown for a new group', ['-> g1: y', '-> u1: x'], undefined],
    ['unknown for a rule that loses a group', ['g1 g2: x -> g1: x', '-> u1: x'], undefined],
    ['unknown if a user is named twice', ['g1 u1: x -> g1 u1: y', '-> u1: x'], undefined],
    ['unknown for users alone', ['-> u1: x', '-> u2: x'], undefined],
  ])('%s', (_text, items, expected) => {
    expect(getFirst(items)).toEqual(expected);
  });

  test('unknown if a user has another rule, with which the new one would combine', () => {
    const items = ['g1: x -> g1: y', '-> u1: x'];
    expect(getFirst(items, ['u1: z'])).toBeUndefined();
    expect(getFirst(items, ['g1 u1: z'])).toBeUndefined();
    expect(getFirst(items, ['u2: z', 'D u1: z'])).toEqual([1]);
  });

  test('the deletion of a rule that another one supersedes', () => {
    const [otherItem, supersededItem] = [parseItem('d: x -> d: y'), parseItem('u1: x ->', 'u1: z')];
    expect(findFirstInOrder([otherItem, supersededItem], createIndex([]))).toEqual([supersededItem]);
  });
});
