import { expect, test } from 'vitest';
import { getCreatedRuleKey } from '../../../../src/changes/journal/createdRules.ts';

const rule = { members: ['x'], allMembers: null, exclusionary: false, shares: [{ type: 'default' }] };

test('rules without a column have the same key only if they have the same content, whatever their IDs', () => {
  const first = { ...rule, table: 'A' };
  expect(getCreatedRuleKey({ ...first, _id: '1' })).toBe(getCreatedRuleKey({ ...first, _id: '2' }));
  expect(getCreatedRuleKey(first)).not.toBe(getCreatedRuleKey({ ...rule, table: 'B' }));
  expect(getCreatedRuleKey(first)).not.toBe(getCreatedRuleKey({ ...first, members: ['y'] }));
});
