import { expect, test } from 'vitest';
import { getUserChoices } from '../../../../src/features/bulkRules/userChoices.ts';

test('users of rules are offered once each, and icon syntax in their names is escaped', () => {
  const share = { type: 'user', partyId: '$(bug)1', partyName: '$(trash) Anna' };
  const others = [{ type: 'group', partyId: 'g', partyName: 'Sales' }, { type: 'default' }];
  expect(getUserChoices([{ shares: [share, ...others] }, { shares: [share] }, { shares: null }])).toEqual([
    { label: '$ (trash) Anna', description: '$ (bug)1', id: '$(bug)1' },
  ]);
});
