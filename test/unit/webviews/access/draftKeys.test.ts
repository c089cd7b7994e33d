import { expect, test } from 'vitest';
import { getDraftKeys } from '../../../../src/webviews/access/state.ts';

test('equal drafts have different keys, which stay when another draft is added or removed', () => {
  const draft = {
    table: 'Stores',
    column: 'Region',
    access: 'nothing',
    values: [],
    party: { type: 'default' },
  } as const;
  const otherDraft = { ...draft, column: 'City' };
  const keys = getDraftKeys([draft, otherDraft, draft]);
  expect(new Set(keys).size).toBe(3);
  expect(getDraftKeys([draft, draft])).toEqual([keys[0], keys[2]]);
});
