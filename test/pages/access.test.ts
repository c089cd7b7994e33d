import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FromAccess, ToAccess } from '../../src/webviews/protocol/access.ts';
import type { ToAccessPage } from '../../src/webviews/protocol/accessPage.ts';
import type { PersistedDraft } from '../../src/webviews/protocol/ruleMatrix.ts';
import { TestPage, pageThemes, useBrowser } from './support/testPage.ts';
import {
  createRule,
  everything,
  nothing,
  only,
  parties,
  retailData,
  retailRules,
} from './support/retailRules.ts';

useBrowser();

type AccessTestPage = TestPage<ToAccessPage, FromAccess>;

const openAccess = async (
  data: Extract<ToAccess, { type: 'data' }> = retailData,
  state?: unknown,
): Promise<AccessTestPage> => {
  const testPage = await TestPage.open<ToAccessPage, FromAccess>('access', { state });
  testPage.post({ type: 'identity', rulesReference: { connectionId: 'c1', resource: 'retail' } });
  testPage.post(data);
  testPage.post({ type: 'parties', parties });
  await testPage.page.getByRole('heading', { name: `Effective Access: ${data.title}` }).waitFor();
  return testPage;
};

/** The cell of a column or table, on one side of a comparison. */
const getCell = ({ page }: AccessTestPage, row: string, side = 0): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
    .getByRole('cell')
    .nth(side);

const waitForCellText = (
  testPage: AccessTestPage,
  row: string,
  text: string | RegExp,
  side = 0,
): Promise<void> => getCell(testPage, row, side).filter({ hasText: text }).waitFor();

async function addGroup({ page }: AccessTestPage, name: string): Promise<void> {
  const input = page.getByLabel('In group').last();
  await input.fill(name);
  await input.press('Enter');
}

test('the rules that the server applies to a user are listed with their parties', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  await page.getByLabel('User', { exact: true }).fill('amara');
  await page.keyboard.press('Tab');
  await testPage.waitForMessage('membership');
  testPage.post({ type: 'membership', user: 'amara', groupIds: [], source: 'instance' });
  await page.getByText('Not in any group, according to the instance.').waitFor();
  expect(await page.getByText(/What the server applies/).count()).toBe(0);
  const appliedRules = retailRules.slice(0, 1);
  testPage.post({ type: 'membership', user: 'amara', groupIds: [], source: 'instance', appliedRules });
  await page.getByText('1 rule applied by the server').click();
  await page
    .getByText(/^Regions\.Region .*: /)
    .first()
    .waitFor();
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.screenshot('page-access-applied');
});

test('the access of everyone else, of a group, and of two groups with overlapping lists is shown with its reasons', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  await page
    .locator(':focus')
    .and(page.getByLabel('User', { exact: true }))
    .waitFor();
  await waitForCellText(testPage, 'Regions.Region', 'Sees no values');
  await waitForCellText(testPage, 'Regions.Region', 'Rule for everyone else: no values');
  await waitForCellText(testPage, 'Orders', 'No rows');
  await addGroup(testPage, 'Sales North');
  await page.getByText('Members of Sales North').first().waitFor();
  await waitForCellText(testPage, 'Regions.Region', 'Sees only North and Nordics');
  await waitForCellText(testPage, 'Orders', 'Only rows that match a condition');
  await waitForCellText(
    testPage,
    'Orders',
    'Regions.Region: only North and Nordics, via Orders.Store Id → Stores.Id, then Stores.Region Id',
  );
  await addGroup(testPage, 'Sales South');
  await waitForCellText(
    testPage,
    'Regions.Region',
    'Uncertain: several lists of values apply. To combine them, change "When groups overlap" in Effective Access.',
  );
  await page.getByLabel('When groups overlap').selectOption({ label: 'Union' });
  await waitForCellText(testPage, 'Regions.Region', 'Sees only North, Nordics, South, and Alps');
  await page.getByLabel('When groups overlap').selectOption({ label: 'Intersection' });
  await waitForCellText(testPage, 'Regions.Region', 'Sees no values');
  await page.getByRole('button', { name: 'Remove Sales North' }).click();
  await waitForCellText(testPage, 'Regions.Region', 'Sees only South and Alps');
  // The page persists the selection and which rules it shows, but no data of the server.
  await expect
    .poll(() => testPage.state)
    .toMatchObject({ party: { groupIds: ['south'] }, groups: 'intersection', place: { connectionId: 'c1' } });
  expect(JSON.stringify(testPage.state)).not.toContain('Nordics');
});

test('for rules of files, the page says what is unknown, and offers no import of group memberships', async () => {
  const notes = ['Which users are in which groups is unknown.', 'Rules are missing.'];
  const testPage = await openAccess({ ...retailData, source: 'files', notes });
  const { page } = testPage;
  for (const note of notes) {
    await page.getByRole('status').filter({ hasText: note }).waitFor();
  }
  await page.getByLabel('User', { exact: true }).fill('Ann');
  await page.keyboard.press('Tab');
  await testPage.waitForMessage('membership');
  testPage.post({ type: 'membership', user: 'Ann', note: 'The files have no groups.' });
  await page.getByText('The files have no groups.').waitFor();
  expect(await page.getByRole('button', { name: 'Import Group Membership…' }).count()).toBe(0);
  for (const theme of pageThemes) {
    await testPage.setTheme(theme);
    await testPage.screenshot(`page-access-files-${theme}`);
  }
  expect(await testPage.findAxeViolations()).toEqual([]);
  // New parties of the host replace those of an ended session, and the groups that were known for them.
  testPage.post({ type: 'parties', parties: [{ type: 'user', id: 'Ann', name: 'Ann' }], replaces: true });
  await expect
    .poll(() =>
      page
        .locator('datalist option')
        .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value)),
    )
    .toContain('Ann');
  expect(await page.locator('datalist option[value="Sales North"]').count()).toBe(0);
});

test('a restored page shows the previous selection, or the defaults if its stored state is invalid', async () => {
  const state = {
    party: { groupIds: ['north', 'south'] },
    groups: 'union',
    without: [],
    drafts: [{ wrong: 1 }],
  };
  const testPage = await openAccess(retailData, state);
  await waitForCellText(testPage, 'Regions.Region', 'Sees only North, Nordics, South, and Alps');
  const invalidStatePage = await openAccess(retailData, { party: 'Sales', groups: 7 });
  await waitForCellText(invalidStatePage, 'Regions.Region', 'Sees no values');
});

test('the page requests the groups of a user, shows uncertain access while they are unknown, and offers to import them', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  const userInput = page.getByLabel('User', { exact: true });
  await userInput.fill('Amara Okafor');
  await userInput.press('Enter');
  await testPage.waitForMessage('membership', (message) => message.user === 'amara');
  await page.getByText("Loading this user's groups…").waitFor();
  testPage.post({ type: 'membership', user: 'amara', note: 'Groups unknown: the list was refused.' });
  await page.getByText('Groups unknown: the list was refused.').waitFor();
  await waitForCellText(
    testPage,
    'Regions.Region',
    "Uncertain: this column has rules for groups, and this user's groups are unknown.",
  );
  await page.getByRole('button', { name: 'Import Group Membership…' }).click();
  await testPage.waitForMessage('importMembership');
  testPage.post({ type: 'membership', user: 'amara', groupIds: ['north'], source: 'imported' });
  await page.getByText('In Sales North, according to the imported list.').waitFor();
  await waitForCellText(testPage, 'Regions.Region', 'Sees only North and Nordics');
  await waitForCellText(testPage, 'Orders.Channel', 'Rule for user Amara Okafor: no values');
  testPage.post({ type: 'membership', user: 'amara', groupIds: [], source: 'rules' });
  await page
    .getByText('Not in any group with rules, according to the rules that the server lists for this user.')
    .waitFor();
  // The page replaces a typed e-mail address by the ID that the host returns for it.
  await userInput.fill('carla@sandbox.local');
  await userInput.press('Enter');
  await testPage.waitForMessage('membership', (message) => message.user === 'carla@sandbox.local');
  testPage.post({
    type: 'membership',
    user: 'carla@sandbox.local',
    id: 'bruno',
    groupIds: [],
    source: 'instance',
  });
  await page.getByText('Not in any group, according to the instance.').waitFor();
  await waitForCellText(testPage, 'Regions.Region', 'Sees all values but Iberia');
  await userInput.fill('');
  await userInput.press('Enter');
  await page.getByText('Everyone else', { exact: true }).first().waitFor();
});

test('for a user who is not found, the page shows no access, and offers a suggestion and another search', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  const userInput = page.getByLabel('User', { exact: true });
  await userInput.fill('Amara Okafr');
  await userInput.press('Enter');
  await testPage.waitForMessage('membership');
  const notFound = {
    type: 'membership',
    user: 'Amara Okafr',
    note: 'User not found: Amara Okafr. Did you mean Amara Okafor?',
    isUnidentified: true,
    suggestion: 'Amara Okafor',
  } as const;
  testPage.post(notFound);
  await page.getByText('User not found: Amara Okafr.').waitFor();
  await page.getByText('Select an existing user or group to show its access.').waitFor();
  expect(await page.locator('.verdict').count()).toBe(0);
  expect(await page.getByText('groups unknown').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Save as CSV…' }).isDisabled()).toBe(true);
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.screenshot('page-access-not-found');

  const searchAgain = page.getByRole('button', { name: 'Search Again' });
  await searchAgain.press('Enter');
  await page.getByText('Searching…').waitFor();
  await expect(testPage.waitForMessage('searchUserAgain')).resolves.toMatchObject({ user: 'Amara Okafr' });
  testPage.post(notFound);
  await page.getByText('User not found: Amara Okafr.').waitFor();
  await page.locator(':focus').and(searchAgain).waitFor();

  // In a comparison, the page still shows the access of the other side.
  await page.getByRole('button', { name: 'Compare…' }).click();
  await waitForCellText(testPage, 'Regions.Region', 'Sees no values');
  expect(await page.getByRole('columnheader', { name: 'Amara Okafr' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Stop Comparing' }).click();

  await page.getByRole('button', { name: 'Use Amara Okafor' }).click();
  await page.locator(':focus').and(userInput).waitFor();
  await testPage.waitForMessage('membership', ({ user }) => user === 'amara');
  testPage.post({ type: 'membership', user: 'amara', groupIds: ['north'], source: 'instance' });
  await waitForCellText(testPage, 'Regions.Region', 'Sees only North and Nordics');
});

test('a group that the page does not know is looked up by the host', async () => {
  const testPage = await openAccess();
  await addGroup(testPage, 'No Such Group');
  await expect(testPage.waitForMessage('findParty')).resolves.toEqual({
    type: 'findParty',
    partyType: 'group',
    text: 'No Such Group',
  });
  const problem = 'Group not found: No Such Group.';
  testPage.post({ type: 'party', partyType: 'group', text: 'No Such Group', problem });
  await testPage.page.getByText(problem).waitFor();
  await addGroup(testPage, 'Auditors');
  await testPage.waitForMessage('findParty', ({ text }) => text === 'Auditors');
  testPage.post({ type: 'party', partyType: 'group', text: 'Auditors', id: 'aud', name: 'Auditors' });
  await testPage.page.getByText('Members of Auditors').first().waitFor();
  expect(await testPage.page.getByText(problem).count()).toBe(0);
});

test('text that is being typed is kept when names arrive or a group is found', async () => {
  const testPage = await TestPage.open<ToAccessPage, FromAccess>('access');
  const { page } = testPage;
  testPage.post(retailData);
  const user = page.getByLabel('User', { exact: true });
  await user.pressSequentially('Amara ');
  testPage.post({ type: 'parties', parties });
  await page.locator('option[value="Bruno Keller"]').first().waitFor({ state: 'attached' });
  await user.pressSequentially('Okafor');
  await user.press('Tab');
  await expect(testPage.waitForMessage('membership')).resolves.toMatchObject({ user: 'amara' });
  await addGroup(testPage, 'Auditors');
  await testPage.waitForMessage('findParty');
  const group = page.getByLabel('In group');
  await group.fill('Sales N');
  testPage.post({ type: 'party', partyType: 'group', text: 'Auditors', id: 'aud', name: 'Auditors' });
  await page.locator('option[value="Auditors"]').first().waitFor({ state: 'attached' });
  expect(await group.inputValue()).toBe('Sales N');
  await user.fill('');
  await user.press('Tab');
  await page.locator('.chosen', { hasText: 'Everyone else' }).waitFor();
  testPage.assertNoErrors();
});

test('a user who is typed and left unchanged is shown by name as soon as it is known', async () => {
  const testPage = await TestPage.open<ToAccessPage, FromAccess>('access');
  const { page } = testPage;
  testPage.post(retailData);
  const user = page.getByLabel('User', { exact: true });
  await user.fill('amara');
  await user.press('Tab');
  await testPage.waitForMessage('membership');
  await user.press('End');
  await user.pressSequentially('x');
  await user.press('Backspace');
  await user.press('Tab');
  testPage.post({ type: 'parties', parties });
  await page.locator('.chosen', { hasText: 'Amara Okafor' }).waitFor();
  expect(await user.inputValue()).toBe('Amara Okafor');
  testPage.assertNoErrors();
});

test('two parties are compared, and the page can show only differences', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  await addGroup(testPage, 'Sales North');
  await page.getByRole('button', { name: 'Compare…' }).click();
  await addGroup(testPage, 'Executives');
  await waitForCellText(testPage, 'Regions.Region (different)', 'Sees only North and Nordics', 0);
  await waitForCellText(testPage, 'Regions.Region (different)', 'Sees all values', 1);
  await page.getByLabel('Show differences only').check();
  await getCell(testPage, 'Orders.Channel').waitFor({ state: 'detached' });
  await page.getByLabel('Filter').fill('regions');
  await getCell(testPage, 'Customers.Segment (different)').waitFor({ state: 'detached' });
  const columnStatus = page.getByRole('region', { name: 'Columns with rules' }).getByRole('status');
  const tableStatus = page.getByRole('region', { name: 'Tables', exact: true }).getByRole('status');
  await columnStatus.getByText(/^1 of \d+ columns$/).waitFor();
  await tableStatus.getByText(/^1 of \d+ tables$/).waitFor();
  await page.getByLabel('Filter').fill('nowhere');
  await columnStatus.getByText('No matching columns.').waitFor();
  await tableStatus.getByText('No matching tables.').waitFor();
  await page.getByLabel('Filter').fill('');
  await testPage.screenshot('page-access-compared');
  expect(await testPage.findAxeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Stop Comparing' }).click();
  await waitForCellText(testPage, 'Orders.Channel', 'Sees all values');
});

test('the page shows what a hypothetical rule and the removal of a rule would change, and for whom', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  await addGroup(testPage, 'Sales North');
  await page.getByText('Preview rule changes').click();
  const previewButton = page.getByRole('button', { name: 'Preview', exact: true });
  expect(await previewButton.isDisabled()).toBe(true);
  await page.getByLabel('Column', { exact: true }).fill('Regions.Region');
  await page.getByLabel('Access').selectOption('nothing');
  await previewButton.click();
  await waitForCellText(testPage, 'Regions.Region (different)', 'Sees only North and Nordics', 0);
  await waitForCellText(
    testPage,
    'Regions.Region (different)',
    'Rule for group Sales North: no values (not saved)',
    1,
  );
  await page.getByText(/^Access changes for: .*group Sales North/).waitFor();
  await page.getByRole('button', { name: 'Remove Sales North' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).and(page.locator(':focus')).waitFor();
  await addGroup(testPage, 'Sales North');
  await testPage.screenshot('page-access-what-if');
  expect(await testPage.findAxeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Remove group Sales North on Regions.Region: no values' }).click();
  await getCell(testPage, 'Regions.Region').waitFor();
  await previewButton.and(page.locator(':focus')).waitFor();
  // Without values, a rule with a list cannot be added.
  await page.getByLabel('Access').selectOption('except');
  expect(await previewButton.isDisabled()).toBe(true);
  const values = page.getByLabel('Values, one per line or separated by semicolons');
  // Values that occur in rules of this or another datamodel are offered. A different spelling causes a warning.
  testPage.post({
    type: 'values',
    lists: [[{ table: 'Regions', column: 'Region', values: [['Overseas', 1]] }]],
  });
  const offeredValues = page.getByRole('group', { name: 'Known values' });
  await offeredValues.getByRole('button', { name: 'Overseas' }).click();
  expect(await values.inputValue()).toBe('Overseas');
  expect(await offeredValues.getByRole('button').allTextContents()).toContain('North');
  await values.fill('north');
  await page.getByText('"north" is spelled "North" in other rules on this column.').waitFor();
  await testPage.setTheme('dark');
  await testPage.screenshot('page-access-what-if-values');
  await testPage.setTheme('light');
  await values.fill('Alps, Iberia');
  await page.getByText('To enter 2 values, separate them with semicolons.').waitFor();
  await testPage.screenshot('page-access-what-if-commas');
  await values.fill('Alps; "Iberia"');
  await page.getByRole('combobox', { name: /^User or group/ }).selectOption({ label: 'group Finance' });
  await previewButton.click();
  await page.getByText('group Finance on Regions.Region: all but Alps and Iberia').waitFor();
  await page.getByText('Access changes for: group Finance').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: /^Preview Without This Rule: Rule for group Sales North/ }).click();
  await page.getByText('1 rule ignored').waitFor();
  await waitForCellText(testPage, 'Regions.Region (different)', 'Sees no values', 1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await getCell(testPage, 'Regions.Region').waitFor();
});

const regionColumn = { table: 'Regions', column: 'Region', datatype: 'text' } as const;

/** Changes in the rules grid that aren't applied yet. */
const unapplied: PersistedDraft = {
  cells: [
    {
      party: { type: 'group', id: 'north' },
      column: regionColumn,
      value: [{ kind: 'only', values: ['South'] }],
      was: '',
    },
    { party: { type: 'group', id: 'new' }, column: regionColumn, value: [], was: '' },
  ],
  parties: [{ type: 'group', id: 'new', name: 'Sales West' }],
  columns: [],
};

test('changes in the rules grid that are not applied yet are previewed next to the access without them', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  await addGroup(testPage, 'Sales North');
  await waitForCellText(testPage, 'Regions.Region', 'Sees only North and Nordics');
  testPage.post({ type: 'unapplied', draft: unapplied });
  await waitForCellText(testPage, 'Regions.Region (different)', 'Sees only North and Nordics', 0);
  await waitForCellText(testPage, 'Regions.Region (different)', 'Sees only South', 1);
  await page
    .getByRole('columnheader', { name: 'Members of Sales North, with unapplied changes' })
    .first()
    .waitFor();
  await page.getByText(/^Access changes for: .*group Sales North/).waitFor();
  const checkbox = page.getByRole('checkbox', { name: 'Preview 2 unapplied changes in the rules grid' });
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.screenshot('page-access-unapplied');
  await page.getByRole('button', { name: 'Save as CSV…' }).click();
  const report = await testPage.waitForMessage('export');
  expect(report.text).toContain(
    '"Members of Sales North, with unapplied changes",Regions,Region,only,South,',
  );
  // Users and groups that were added to the grid can be selected.
  await addGroup(testPage, 'Sales West');
  await page.getByText('Members of Sales North and Sales West').first().waitFor();

  await checkbox.uncheck();
  await getCell(testPage, 'Regions.Region').waitFor();
  await expect.poll(() => testPage.state).toMatchObject({ includesUnapplied: false });
  await checkbox.check();
  await getCell(testPage, 'Regions.Region (different)').first().waitFor();
  // Once the changes are applied, nothing is left to preview.
  testPage.post({ type: 'unapplied', draft: { cells: [], parties: [], columns: [] } });
  await getCell(testPage, 'Regions.Region').waitFor();
  await checkbox.waitFor({ state: 'detached' });
});

test('the host opens rules, opens them for editing, and saves reports', async () => {
  const testPage = await openAccess();
  const { page } = testPage;
  await page.getByRole('button', { name: 'Rule for everyone else: no values', exact: true }).click();
  await expect(testPage.waitForMessage('openRule')).resolves.toEqual({ type: 'openRule', index: 0 });
  await page.getByRole('button', { name: 'Edit Rules' }).click();
  await testPage.waitForMessage('editRules');
  await page.getByRole('button', { name: 'Save as Markdown…' }).click();
  const markdown = await testPage.waitForMessage('export');
  expect(markdown.format).toBe('markdown');
  expect(markdown.text).toMatch(/^# Effective Access: Retail\n/);
  expect(markdown.text).toContain('Sees no values');
  await page.getByRole('button', { name: 'Save as CSV…' }).click();
  const csv = await testPage.waitForMessage('export', ({ format }) => format === 'csv');
  expect(csv.text).toContain(
    '\r\nEveryone else,Regions,Region,none,,Rule for everyone else: no values,,\r\n',
  );
});

test('Retry reads rules that could not be read, and without rules, everyone sees everything', async () => {
  const testPage = await TestPage.open<ToAccessPage, FromAccess>('access');
  await testPage.page.getByText('Loading rules…').waitFor();
  testPage.post({ type: 'failed', message: 'The server is away.' });
  await testPage.page.getByRole('alert').getByText('The server is away.').waitFor();
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.page.getByRole('button', { name: 'Retry' }).click();
  await testPage.waitForMessage('reload');
  const { catalog: _catalog, ...dataWithoutCatalog } = retailData;
  testPage.post({ ...dataWithoutCatalog, rules: [], reason: 'The tables could not be read.' });
  await testPage.page
    .getByText('No rules. Everyone with access to the datamodel sees all of its data.')
    .waitFor();
  await testPage.page.getByText('The tables could not be read.').waitFor();
  await testPage.screenshot('page-access-empty');
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test('a cube set without rules is shown as not confirmed, and a rule on a column that no datamodel has is marked', async () => {
  const testPage = await TestPage.open<ToAccessPage, FromAccess>('access');
  const cubeSet = { ...retailData, title: 'Regional Sales', isCubeSet: true } as const;
  testPage.post({ ...cubeSet, rules: [] });
  await testPage.page
    .getByText('Not confirmed: the server returned no rules for a cube set with this name.')
    .waitFor();
  expect(await testPage.page.getByText('Everyone with access to the datamodel').count()).toBe(0);
  expect(await testPage.findAxeViolations()).toEqual([]);
  const rules = [...retailRules, createRule('Region.Regions', nothing, ['default'])];
  testPage.post({ ...cubeSet, rules });
  await testPage.page.getByText('No extract datamodel has this column. Its rules have no effect.').waitFor();
  // The tables of a cube set are unknown, so the page does not show which rows of them are visible.
  expect(await testPage.page.getByRole('heading', { name: 'Tables' }).count()).toBe(0);
  testPage.post({ ...retailData, rules });
  await testPage.page.getByRole('heading', { name: 'Tables' }).waitFor();
});

test('long lists are shortened, and missing columns are marked', async () => {
  const values = Array.from({ length: 45 }, (_none, index) => `Value ${index}`);
  const missingColumnRules = Array.from({ length: 230 }, (_none, index) =>
    createRule(`Missing.Column ${index}`, everything, ['default']),
  );
  const rules = [
    createRule('Customers.City', only(...values), ['default']),
    ...retailRules,
    ...missingColumnRules,
  ];
  const testPage = await openAccess({ ...retailData, rules });
  const { page } = testPage;
  await waitForCellText(testPage, 'Customers.City', 'Value 19, and 25 more');
  await page.getByRole('button', { name: 'Show All 45' }).click();
  await waitForCellText(testPage, 'Customers.City', 'Value 43, and Value 44');
  await page.getByRole('button', { name: 'Show Less' }).click();
  await page.getByText('Column not found. Its rules have no effect.').first().waitFor();
  await page.getByRole('button', { name: 'Show More (200 of 234 shown)' }).click();
  await page.getByText('Missing.Column 229').waitFor();
});

test.each(pageThemes)('the page is accessible in %s, with long names', async (theme) => {
  const longName = 'A name that goes on and on '.repeat(6).trim();
  const rules = [...retailRules, createRule(`${longName}.${longName}`, nothing, ['group:long'])];
  const testPage = await openAccess({ ...retailData, title: longName, rules });
  testPage.post({ type: 'parties', parties: [{ type: 'group', id: 'long', name: longName }] });
  await testPage.setTheme(theme);
  await addGroup(testPage, longName);
  await testPage.page.getByText(`Members of ${longName}`).first().waitFor();
  await testPage.screenshot(`page-access-${theme}`);
  expect(await testPage.findAxeViolations()).toEqual([]);
  expect(await testPage.findLayoutProblems('page-access')).toEqual([]);
  testPage.assertNoErrors();
});

test('looking up the same unknown group again hides the previous problem until there is a new result', async () => {
  const testPage = await TestPage.open<ToAccessPage, FromAccess>('access');
  const { page } = testPage;
  const problem = 'No group is named Nobody.';
  const lookupResult: ToAccess = { type: 'party', partyType: 'group', text: 'Nobody', problem };
  testPage.post({ type: 'data', title: 'Shop', kind: 'extract', rules: [] });
  const input = page.getByPlaceholder('Group name').first();
  await input.fill('Nobody');
  await input.press('Enter');
  await testPage.waitForMessage('findParty');
  testPage.post(lookupResult);
  await page.getByText(problem).waitFor();
  await input.press('Enter');
  await page.getByText(problem).waitFor({ state: 'detached' });
  expect(testPage.messages.filter(({ type }) => type === 'findParty')).toHaveLength(2);
  testPage.post(lookupResult);
  await page.getByText(problem).waitFor();
  testPage.assertNoErrors();
});
