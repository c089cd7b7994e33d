import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { getText } from '../../../src/changes/model/jsonMembers.ts';
import { computePartyChange, type PartyReplacement } from '../../../src/security/change/partyReplacement.ts';

const createRule = (
  id: string,
  members: readonly string[] | 'all',
  ...parties: readonly string[]
): JsonObject => ({
  _id: id,
  table: 'Stores',
  column: 'City',
  datatype: 'text',
  members: members === 'all' ? [] : members,
  allMembers: members === 'all' ? true : members.length > 0 ? null : false,
  exclusionary: false,
  shares: parties.map((party) =>
    party === 'default' ? { type: 'default' } : { type: 'user', partyId: party },
  ),
});
const ann = { type: 'user', id: 'ann' } as const;
const bob = { type: 'user', id: 'bob' } as const;
const removal: PartyReplacement = { party: ann };
const replacementOfAnn: PartyReplacement = { party: ann, replacement: bob };

/** The change as text: `r1: bob, carl` for an update, `-r1` for a deletion, `!reason` for rules that stay. */
const formatChange = (
  rules: readonly JsonObject[],
  replacement: PartyReplacement,
  kind: 'extract' | 'live' = 'extract',
) => {
  const { updates, deletes, skippedColumns } = computePartyChange(rules, replacement, kind);
  const getParties = ({ shares }: Record<string, unknown>): string =>
    (shares as readonly JsonObject[])
      .map(({ type, party, partyId }) => getText(party ?? partyId ?? type))
      .join(', ');
  return [
    ...updates.map(({ before, after }) => `${getText(before['_id'])}: ${getParties(after)}`),
    ...deletes.map(({ rule: { _id } }) => `-${getText(_id)}`),
    ...skippedColumns.map(({ reason }) => `!${reason}`),
  ];
};

describe('a party is removed', () => {
  test('from a rule for several parties, and with a rule for this party only', () => {
    expect(formatChange([createRule('r1', ['Berlin'], 'ann', 'carl')], removal)).toEqual(['r1: carl']);
    const rules = [createRule('r1', ['Berlin'], 'ann'), createRule('r2', [], 'default')];
    expect(formatChange(rules, removal)).toEqual(['-r1']);
    expect(formatChange([createRule('r1', ['Berlin'], 'carl')], removal)).toEqual([]);
  });

  test('but not with the last rule of a column, since everyone would see all values', () => {
    expect(formatChange([createRule('r1', ['Berlin'], 'ann')], removal)).toEqual(['!last-rule']);
    const annRules = [createRule('r1', ['Berlin'], 'ann'), createRule('r2', ['Rome'], 'ann')];
    expect(formatChange(annRules, removal)).toEqual(['!last-rule']);
    const other = { ...createRule('r3', [], 'default'), column: 'Country' };
    expect(formatChange([createRule('r1', ['Berlin'], 'ann'), other], removal)).toEqual(['!last-rule']);
  });

  test('but not if two rules would then be for the same users', () => {
    const rules = [createRule('r1', ['Berlin'], 'ann', 'carl'), createRule('r2', ['Rome'], 'carl')];
    expect(formatChange(rules, removal)).toEqual(['!same-parties']);
  });

  test('but not from a rule that has no ID', () => {
    const { _id, ...withoutId } = createRule('', ['Berlin'], 'ann', 'carl');
    expect(formatChange([withoutId], removal)).toEqual(['!no-id']);
  });

  test('whichever field of a share names it', () => {
    const shares = [
      { type: 'user', party: 'ann' },
      { type: 'user', party: '', partyId: 'ann' },
      { type: 'user', party: 'carl', partyId: 'ann' },
    ];
    expect(formatChange([{ ...createRule('r1', ['Berlin']), shares }], removal)).toEqual(['r1: carl']);
  });

  test('and rules whose shares cannot be read stay as they are', () => {
    const unreadableRule = {
      ...createRule('r2', ['Rome']),
      shares: ['ann', null, { type: 'robot', party: 'ann' }],
    };
    expect(formatChange([createRule('r1', ['Berlin'], 'ann'), unreadableRule], removal)).toEqual(['-r1']);
  });

  test('but not from a rule for a group with the same ID', () => {
    const group = { ...createRule('r1', ['Berlin']), shares: [{ type: 'group', party: 'ann' }] };
    expect(formatChange([group, createRule('r2', [], 'default')], removal)).toEqual([]);
  });
});

describe('a party is replaced', () => {
  test('in its rules; a rule that names both is then only for the replacement', () => {
    expect(formatChange([createRule('r1', ['Berlin'], 'ann', 'carl')], replacementOfAnn)).toEqual([
      'r1: carl, bob',
    ]);
    expect(formatChange([createRule('r1', ['Berlin'], 'ann', 'bob')], replacementOfAnn)).toEqual(['r1: bob']);
    expect(formatChange([createRule('r1', ['Berlin'], 'ann')], replacementOfAnn)).toEqual(['r1: bob']);
  });

  test('but not where the replacement has a rule with other values', () => {
    const rules = [createRule('r1', ['Berlin'], 'ann'), createRule('r2', ['Rome'], 'bob')];
    expect(formatChange(rules, replacementOfAnn)).toEqual(['!has-rule']);
    const equalRules = [createRule('r1', ['Berlin'], 'ann'), createRule('r2', ['Berlin'], 'bob')];
    expect(formatChange(equalRules, replacementOfAnn)).toEqual(['-r1']);
  });

  test('in all rules of a column or in none', () => {
    const { _id, ...withoutId } = createRule('', ['Rome'], 'ann', 'carl');
    expect(formatChange([createRule('r1', ['Berlin'], 'ann', 'eva'), withoutId], replacementOfAnn)).toEqual([
      '!no-id',
    ]);
    const rules = [createRule('r1', ['Berlin'], 'ann'), createRule('r2', ['Rome'], 'ann', 'carl')];
    expect(formatChange(rules, replacementOfAnn)).toEqual(['r1: bob', 'r2: carl, bob']);
    const other = { ...createRule('r3', ['Berlin'], 'ann'), column: 'Country' };
    const rulesOnTwoColumns = [createRule('r1', ['Berlin'], 'ann'), createRule('r2', ['Rome'], 'bob'), other];
    expect(formatChange(rulesOnTwoColumns, replacementOfAnn)).toEqual(['r3: bob', '!has-rule']);
  });

  test('but not where the access of one of them is uncertain', () => {
    const createUncertainRule = (id: string, ...parties: readonly string[]) => ({
      ...createRule(id, [], ...parties),
      allMembers: null,
    });
    for (const rules of [
      [createUncertainRule('r1', 'ann'), createUncertainRule('r2', 'bob')],
      [createRule('r1', [], 'ann'), createUncertainRule('r2', 'bob')],
      [createUncertainRule('r1', 'ann'), createRule('r2', [], 'bob')],
    ]) {
      expect(formatChange(rules, replacementOfAnn)).toEqual(['!has-rule']);
    }
  });

  test('but not if two rules would then be for the same users, unless they already are', () => {
    const rulesOfCarl = [createRule('r1', ['Berlin'], 'carl'), createRule('r2', ['Rome'], 'carl')];
    expect(formatChange([...rulesOfCarl, createRule('r3', [], 'ann')], replacementOfAnn)).toEqual([
      'r3: bob',
    ]);
    expect(
      formatChange(
        [createRule('r1', ['Berlin'], 'ann'), createRule('r2', ['Rome'], 'ann')],
        replacementOfAnn,
      ),
    ).toEqual(['r1: bob', 'r2: bob']);
  });

  test('with the key of its kind of datamodel', () => {
    const getShares = (kind: 'extract' | 'live') =>
      computePartyChange([createRule('r1', ['Berlin'], 'ann')], replacementOfAnn, kind).updates[0]?.after[
        'shares'
      ];
    expect(getShares('extract')).toEqual([{ type: 'user', party: 'bob' }]);
    expect(getShares('live')).toEqual([{ type: 'user', partyId: 'bob' }]);
  });
});
