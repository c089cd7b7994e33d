import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { parseRuleDocuments } from '../../../src/changes/rules/parsedRuleDocument.ts';
import { createReverseTarget } from '../../../src/changes/rules/reverseTarget.ts';
import { createRuleTarget, type RuleEdit } from '../../../src/changes/rules/ruleTarget.ts';

const createRule = (id: string, share: JsonObject): JsonObject => ({
  _id: id,
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  shares: [share],
});
const forEveryoneElse = createRule('a', { type: 'default' });
const forGroup = createRule('a', { type: 'group', party: 'sales', partyId: 'sales' });

const becomesGroupRule: RuleEdit = { before: forEveryoneElse, after: forGroup, writeIndex: 0 };
const addition: RuleEdit = {
  after: createRule('', { type: 'user', party: 'anna', partyId: 'anna' }),
  writeIndex: 1,
};

/** The IDs of the rules that are deleted rather than updated. */
const getDeletedIds = (kind: 'extract' | 'live', edits: readonly RuleEdit[]): readonly string[] => [
  ...createRuleTarget(kind, [forEveryoneElse], edits).deletingWriteIndices.keys(),
];

describe('a rule for everyone else that becomes one for a group', () => {
  test('is deleted and added on a live datamodel, even as the only edit', () => {
    expect(getDeletedIds('live', [becomesGroupRule])).toEqual(['a']);
  });

  test('is updated on an extract datamodel if it is the only edit', () => {
    expect(getDeletedIds('extract', [becomesGroupRule])).toEqual([]);
  });

  test('is deleted and added on an extract datamodel beside other edits', () => {
    expect(getDeletedIds('extract', [becomesGroupRule, addition])).toEqual(['a']);
  });
});

describe('an edited rule with the same meaning', () => {
  const stored = createRule('a', { type: 'user', party: 'anna', partyId: 'anna' });
  const mustSend = (after: JsonObject): readonly boolean[] =>
    createRuleTarget('extract', [stored], [{ before: stored, after, writeIndex: 0 }]).wantedRules.map(
      (wanted) => wanted.mustSend,
    );

  test.each<[string, JsonObject]>([
    ['nothing', {}],
    ['a field with its default value', { exclusionary: false }],
    ['an empty field', { description: null }],
  ])('is not sent if it differs in %s', (_what, fields) => {
    expect(mustSend({ ...stored, ...fields })).toEqual([false]);
  });

  test.each<[string, JsonObject]>([
    ['a text', { description: 'Sales only' }],
    ['a field that is false', { note: false }],
  ])('is sent if it differs in %s', (_what, fields) => {
    expect(mustSend({ ...stored, ...fields })).toEqual([true]);
  });
});

test('a target that reverses an operation keeps the rules that others have added since', () => {
  const target = createRuleTarget('extract', [forEveryoneElse], [addition]);
  const share = { type: 'group', party: 'sales', partyId: 'sales' };
  const current = [
    forEveryoneElse,
    { ...addition.after, _id: 'added' },
    createRule('theirs', share),
    { ...createRule('elsewhere', share), column: 'City' },
    // The same as the added rule, but on another column.
    { ...addition.after, _id: 'same-elsewhere', column: 'City' },
  ];
  const reverse = createReverseTarget(parseRuleDocuments(current), target, new Set());
  expect([...reverse.previousById.keys()]).toEqual(['a', 'added']);
  expect(reverse.wantedRules.map(({ parsed }) => parsed.id)).toEqual(['a']);
});
