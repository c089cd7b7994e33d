import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FromAccess, ToAccess } from '../../src/webviews/protocol/access.ts';
import { TestPage, pageThemes, useBrowser } from './support/openPage.ts';
import {
  createRule,
  everything,
  nothing,
  only,
  parties,
  retail,
  retailRules,
} from './support/retailRules.ts';

useBrowser();

type Opened = TestPage<ToAccess, FromAccess>;

const openAccess = async (
  data: Extract<ToAccess, { type: 'data' }> = retail,
  state?: unknown,
): Promise<Opened> => {
  const opened = await TestPage.open<ToAccess, FromAccess>('access', { state });
  opened.post({ type: 'place', subject: { connectionId: 'c1', resource: 'retail' } });
  opened.post(data);
  opened.post({ type: 'parties', parties });
  await opened.page.getByRole('heading', { name: `Who sees what of ${data.title}` }).waitFor();
  return opened;
};

/** The cell of a column or table, on one side of a comparison. */
const cell = ({ page }: Opened, row: string, side = 0): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
    .getByRole('cell')
    .nth(side);

const shows = (opened: Opened, row: string, text: string | RegExp, side = 0): Promise<void> =>
  cell(opened, row, side).filter({ hasText: text }).waitFor();

async function addGroup({ page }: Opened, name: string): Promise<void> {
  const input = page.getByLabel('In group').last();
  await input.fill(name);
  await input.press('Enter');
}

test('access is shown with its reasons: of everyone else, of a group, and of two groups whose lists overlap', async () => {
  const opened = await openAccess();
  const { page } = opened;
  await page
    .locator(':focus')
    .and(page.getByLabel('User', { exact: true }))
    .waitFor();
  await shows(opened, 'Regions.Region', 'Sees no value');
  await shows(opened, 'Regions.Region', 'Rule for everyone else: nothing');
  await shows(opened, 'Orders', 'No rows');
  await addGroup(opened, 'Sales North');
  await page.getByText('Members of Sales North').first().waitFor();
  await shows(opened, 'Regions.Region', 'Sees only North and Nordics');
  await shows(opened, 'Orders', 'Only rows that meet a condition');
  await shows(
    opened,
    'Orders',
    'Regions.Region: only North and Nordics, by way of Orders.Store Id → Stores.Id, then Stores.Region Id',
  );
  await addGroup(opened, 'Sales South');
  await shows(opened, 'Regions.Region', 'Uncertain: several lists apply. Choose above how they combine.');
  await page.getByLabel('When lists overlap').selectOption({ label: 'union' });
  await shows(opened, 'Regions.Region', 'Sees only North, Nordics, South and Alps');
  await page.getByLabel('When lists overlap').selectOption({ label: 'intersection' });
  await shows(opened, 'Regions.Region', 'Sees no value');
  await page.getByRole('button', { name: 'Remove Sales North' }).click();
  await shows(opened, 'Regions.Region', 'Sees only South and Alps');
  // The page keeps what was chosen, and which rules it shows, but no data.
  await expect
    .poll(() => opened.state)
    .toMatchObject({ party: { groupIds: ['south'] }, groups: 'intersection', place: { connectionId: 'c1' } });
  expect(JSON.stringify(opened.state)).not.toContain('Nordics');
});

test('a restored page shows what was chosen; an old state is replaced by defaults', async () => {
  const state = {
    party: { groupIds: ['north', 'south'] },
    groups: 'union',
    without: [],
    drafts: [{ wrong: 1 }],
  };
  const opened = await openAccess(retail, state);
  await shows(opened, 'Regions.Region', 'Sees only North, Nordics, South and Alps');
  const old = await openAccess(retail, { party: 'Sales', groups: 7 });
  await shows(old, 'Regions.Region', 'Sees no value');
});

test('the groups of a user are asked for; unknown ones make access uncertain, and a list is imported', async () => {
  const opened = await openAccess();
  const { page } = opened;
  const user = page.getByLabel('User', { exact: true });
  await user.fill('Amara Okafor');
  await user.press('Enter');
  await opened.receives('membership', (message) => message.user === 'amara');
  await page.getByText('Looking up the groups of this user…').waitFor();
  opened.post({ type: 'membership', user: 'amara', note: 'Groups unknown: the list was refused.' });
  await page.getByText('Groups unknown: the list was refused.').waitFor();
  await shows(
    opened,
    'Regions.Region',
    'Uncertain: groups have rules here, and the groups of this user are unknown.',
  );
  await page.getByRole('button', { name: 'Import Group Membership…' }).click();
  await opened.receives('importMembership');
  opened.post({ type: 'membership', user: 'amara', groupIds: ['north'], source: 'imported' });
  await page.getByText('In Sales North, by the imported list.').waitFor();
  await shows(opened, 'Regions.Region', 'Sees only North and Nordics');
  await shows(opened, 'Orders.Channel', 'Rule for user Amara Okafor: nothing');
  opened.post({ type: 'membership', user: 'amara', groupIds: [], source: 'rules' });
  await page
    .getByText('In no group with a rule, by the rules that the server lists for this user.')
    .waitFor();
  // A user typed by e-mail address is known by ID from then on.
  await user.fill('carla@sandbox.local');
  await user.press('Enter');
  await opened.receives('membership', (message) => message.user === 'carla@sandbox.local');
  opened.post({
    type: 'membership',
    user: 'carla@sandbox.local',
    id: 'bruno',
    groupIds: [],
    source: 'instance',
  });
  await page.getByText('In no group, as the instance reports.').waitFor();
  await shows(opened, 'Regions.Region', 'Sees all values but Iberia');
  await user.fill('');
  await user.press('Enter');
  await page.getByText('Everyone else', { exact: true }).first().waitFor();
});

test('a group that the page does not know is looked up', async () => {
  const opened = await openAccess();
  await addGroup(opened, 'No Such Group');
  await expect(opened.receives('findParty')).resolves.toEqual({
    type: 'findParty',
    partyType: 'group',
    text: 'No Such Group',
  });
  const problem = 'Group not found: No Such Group.';
  opened.post({ type: 'party', partyType: 'group', text: 'No Such Group', problem });
  await opened.page.getByText(problem).waitFor();
  await addGroup(opened, 'Auditors');
  await opened.receives('findParty', ({ text }) => text === 'Auditors');
  opened.post({ type: 'party', partyType: 'group', text: 'Auditors', id: 'aud', name: 'Auditors' });
  await opened.page.getByText('Members of Auditors').first().waitFor();
  expect(await opened.page.getByText(problem).count()).toBe(0);
});

test('two parties are compared, and only what differs is shown', async () => {
  const opened = await openAccess();
  const { page } = opened;
  await addGroup(opened, 'Sales North');
  await page.getByRole('button', { name: 'Compare…' }).click();
  await addGroup(opened, 'Executives');
  await shows(opened, 'Regions.Region (differs)', 'Sees only North and Nordics', 0);
  await shows(opened, 'Regions.Region (differs)', 'Sees all values', 1);
  await page.getByLabel('Only differences').check();
  await cell(opened, 'Orders.Channel').waitFor({ state: 'detached' });
  await page.getByLabel('Filter').fill('regions');
  await cell(opened, 'Customers.Segment (differs)').waitFor({ state: 'detached' });
  await page.getByLabel('Filter').fill('nowhere');
  await page.getByText('No column matches.').waitFor();
  await page.getByText('No table matches.').waitFor();
  await page.getByLabel('Filter').fill('');
  await opened.screenshot('page-access-compared');
  expect(await opened.axeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await shows(opened, 'Orders.Channel', 'Sees all values');
});

test('an imagined rule, and one that is left out, show what they would change, and for whom', async () => {
  const opened = await openAccess();
  const { page } = opened;
  await addGroup(opened, 'Sales North');
  await page.getByText('What would change if…').click();
  const imagine = page.getByRole('button', { name: 'Imagine' });
  expect(await imagine.isDisabled()).toBe(true);
  await page.getByLabel('there were a rule on').fill('Regions.Region');
  await page.getByLabel('that lets see').selectOption('nothing');
  await imagine.click();
  await shows(opened, 'Regions.Region (differs)', 'Sees only North and Nordics', 0);
  await shows(opened, 'Regions.Region (differs)', 'Rule for group Sales North: nothing (not saved)', 1);
  await page.getByText(/^Changes for: .*group Sales North/).waitFor();
  await opened.screenshot('page-access-what-if');
  expect(await opened.axeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Remove group Sales North on Regions.Region: nothing' }).click();
  await cell(opened, 'Regions.Region').waitFor();
  // Lists need values.
  await page.getByText('What would change if…').click();
  await page.getByLabel('that lets see').selectOption('except');
  expect(await imagine.isDisabled()).toBe(true);
  await page.getByLabel('values, one on a line').fill('Alps\n\nIberia');
  await page.getByRole('combobox', { name: /^for/ }).selectOption({ label: 'group Finance' });
  await imagine.click();
  await page.getByText('group Finance on Regions.Region: all but Alps and Iberia').waitFor();
  await page.getByText('Changes for: group Finance').waitFor();
  await page.getByRole('button', { name: 'Forget All' }).click();
  await page.getByRole('button', { name: /^What if it were not there\? Rule for group Sales North/ }).click();
  await page.getByText('One rule left out').waitFor();
  await shows(opened, 'Regions.Region (differs)', 'Sees no value', 1);
  await page.getByRole('button', { name: 'Forget All' }).click();
  await cell(opened, 'Regions.Region').waitFor();
});

test('rules are opened, edited and saved as reports by the host', async () => {
  const opened = await openAccess();
  const { page } = opened;
  await page.getByRole('button', { name: 'Rule for everyone else: nothing', exact: true }).click();
  await expect(opened.receives('openRule')).resolves.toEqual({ type: 'openRule', index: 0 });
  await page.getByRole('button', { name: 'Edit Rules' }).click();
  await opened.receives('editRules');
  await page.getByRole('button', { name: 'Save as Markdown' }).click();
  const markdown = await opened.receives('export');
  expect(markdown.format).toBe('markdown');
  expect(markdown.text).toMatch(/^# Who sees what of Retail\n/);
  expect(markdown.text).toContain('Sees no value');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const csv = await opened.receives('export', ({ format }) => format === 'csv');
  expect(csv.text).toContain('\r\nEveryone else,Regions,Region,none,,Rule for everyone else: nothing,,\r\n');
});

test('without rules everyone sees everything; a page that cannot read them tries again', async () => {
  const opened = await TestPage.open<ToAccess, FromAccess>('access');
  await opened.page.getByText('Reading rules…').waitFor();
  opened.post({ type: 'failed', message: 'The server is away.' });
  await opened.page.getByRole('alert').getByText('The server is away.').waitFor();
  expect(await opened.axeViolations()).toEqual([]);
  await opened.page.getByRole('button', { name: 'Try Again' }).click();
  await opened.receives('reload');
  const { catalog: _none, ...unknown } = retail;
  opened.post({ ...unknown, rules: [], reason: 'The tables could not be read.' });
  await opened.page.getByText('There are no rules: everyone sees everything.').waitFor();
  await opened.page.getByText('The tables could not be read.').waitFor();
  await opened.screenshot('page-access-empty');
  expect(await opened.axeViolations()).toEqual([]);
});

test('long lists are shortened, and columns that are not there are marked', async () => {
  const values = Array.from({ length: 45 }, (_none, index) => `Value ${index}`);
  const many = Array.from({ length: 230 }, (_none, index) =>
    createRule(`Missing.Column ${index}`, everything, ['default']),
  );
  const rules = [createRule('Customers.City', only(...values), ['default']), ...retailRules, ...many];
  const opened = await openAccess({ ...retail, rules });
  const { page } = opened;
  await shows(opened, 'Customers.City', 'Value 19 and 25 more');
  await page.getByRole('button', { name: 'Show all 45' }).click();
  await shows(opened, 'Customers.City', 'Value 43 and Value 44');
  await page.getByRole('button', { name: 'Show less' }).click();
  await page.getByText('No such column: its rules protect nothing.').first().waitFor();
  await page.getByRole('button', { name: 'Show more (200 of 234 shown)' }).click();
  await page.getByText('Missing.Column 229').waitFor();
});

test.each(pageThemes)('is accessible in %s, with long names', async (theme) => {
  const long = 'A name that goes on and on '.repeat(6).trim();
  const rules = [...retailRules, createRule(`${long}.${long}`, nothing, ['group:long'])];
  const opened = await openAccess({ ...retail, title: long, rules });
  opened.post({ type: 'parties', parties: [{ type: 'group', id: 'long', name: long }] });
  await opened.setTheme(theme);
  await addGroup(opened, long);
  await opened.page.getByText(`Members of ${long}`).first().waitFor();
  await opened.screenshot(`page-access-${theme}`);
  expect(await opened.axeViolations()).toEqual([]);
  opened.assertNoErrors();
});
