import { expect, test } from 'vitest';
import type { FromAccess, ToAccess } from '../../src/webviews/protocol/access.ts';
import { TestPage, useBrowser } from './support/openPage.ts';

useBrowser();

test('looking up the same unknown group again hides the old problem until there is a new result', async () => {
  const opened = await TestPage.open<ToAccess, FromAccess>('access');
  const { page } = opened;
  const problem = 'No group is named Nobody.';
  const answer: ToAccess = { type: 'party', partyType: 'group', text: 'Nobody', problem };
  opened.post({ type: 'data', title: 'Shop', kind: 'extract', rules: [] });
  const input = page.getByPlaceholder('Name of a group').first();
  await input.fill('Nobody');
  await input.press('Enter');
  await opened.receives('findParty');
  opened.post(answer);
  await page.getByText(problem).waitFor();
  await input.press('Enter');
  await page.getByText(problem).waitFor({ state: 'detached' });
  expect(opened.messages.filter(({ type }) => type === 'findParty')).toHaveLength(2);
  opened.post(answer);
  await page.getByText(problem).waitFor();
  opened.assertNoErrors();
});
