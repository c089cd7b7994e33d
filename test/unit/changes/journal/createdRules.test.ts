import { expect, test } from 'vitest';
import { getRuleMeaningKey } from '../../../../src/changes/journal/createdRules.ts';

const rule = { members: ['x'], allMembers: null, exclusionary: false, shares: [{ type: 'default' }] };

test('rules without a column have the same key only if they have the same content, whatever their IDs', () => {
  const first = { ...rule, table: 'A' };
  expect(getRuleMeaningKey({ ...first, _id: '1' })).toBe(getRuleMeaningKey({ ...first, _id: '2' }));
  expect(getRuleMeaningKey(first)).not.toBe(getRuleMeaningKey({ ...rule, table: 'B' }));
  expect(getRuleMeaningKey(first)).not.toBe(getRuleMeaningKey({ ...first, members: ['y'] }));
});
