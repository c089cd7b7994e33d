import { expect, test } from 'vitest';
import type {
  ChangeSummary,
  ChangeView,
  FromRuleChange,
  ToRuleChange,
} from '../../src/webviews/protocol/ruleChange.ts';
import { TestPage, pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

const createChange = (
  kind: ChangeSummary['kind'],
  party: string,
  overrides: Partial<ChangeSummary> = {},
): ChangeSummary => ({
  kind,
  column: 'Regions.Region',
  party: { type: 'group', name: party },
  before: kind === 'add' ? [] : [{ kind: 'everything', values: [], moreCount: 0 }],
  after: kind === 'delete' ? [] : [{ kind: 'only', values: ['Alps'], moreCount: 3 }],
  ...overrides,
});

const view: ChangeView = {
  title: 'Import rules into Retail',
  source: 'rules.csv',
  mode: 'columns',
  changes: [
    createChange('add', 'Support'),
    createChange('change', 'Finance'),
    createChange('delete', 'Sales'),
  ],
  unchangedCount: 1,
  problems: [],
  foundGroups: [],
  writeCounts: { delete: 2, total: 3 },
};

const openChange = async (
  displayedView: ChangeView = view,
): Promise<TestPage<ToRuleChange, FromRuleChange>> => {
  const testPage = await TestPage.open<ToRuleChange, FromRuleChange>('ruleChange');
  testPage.post({ type: 'view', view: displayedView });
  await testPage.page.getByRole('heading', { name: displayedView.title }).waitFor();
  return testPage;
};

test('a change of rules is shown, and can be applied, canceled, rolled back and undone', async () => {
  const testPage = await openChange();
  const { page } = testPage;
  await page.getByText('From rules.csv').waitFor();
  await page.getByRole('row', { name: 'Add Regions.Region Group Support only "Alps" and 3 more' }).waitFor();
  await page
    .getByRole('row', { name: 'Change Regions.Region Group Finance all values only "Alps" and 3 more' })
    .waitFor();
  await page.getByRole('row', { name: 'Delete Regions.Region Group Sales all values' }).waitFor();
  const summary = page.getByRole('list', { name: 'Summary' });
  expect(await summary.getByRole('listitem').allTextContents()).toEqual([
    '1 added',
    '1 changed',
    '1 deleted',
    '1 unchanged',
    'access never widens during the change',
  ]);
  await page.getByRole('button', { name: 'Export Preview' }).click();
  await testPage.waitForMessage('report');
  await page.getByRole('button', { name: 'Compare Again' }).press('Enter');
  await testPage.waitForMessage('reload');
  await page.getByRole('button', { name: 'Apply' }).press('Enter');
  await testPage.waitForMessage('apply');
  testPage.post({ type: 'running', done: 12, total: 600, waitText: 'The server is busy.' });
  await page.getByText('12 of 600 rules').waitFor();
  await page.getByRole('status').getByText('The server is busy.').waitFor();
  expect(await page.getByRole('button', { name: 'Open Report' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  expect(await page.getByLabel('Replace all rules').isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await testPage.waitForMessage('cancel');
  const stopped = {
    state: 'stopped',
    text: 'Canceled. 1 request was completed.',
    canResume: true,
    canUndo: true,
  } as const;
  testPage.post({ type: 'ended', result: stopped });
  await page.getByText('Canceled. 1 request was completed.').waitFor();
  await testPage.screenshot('page-ruleChange-cancelled');
  expect(await testPage.findAxeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Roll Back' }).click();
  await testPage.waitForMessage('undo');
  testPage.messages.length = 0;
  await page.getByRole('button', { name: 'Finish' }).click();
  await testPage.waitForMessage('resume');
  testPage.post({ type: 'ended', result: { ...stopped, state: 'done', text: 'Done.', canResume: false } });
  await page.getByText('Done.').waitFor();
  expect(await page.getByRole('button', { name: 'Roll Back' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo…' }).click();
  await testPage.waitForMessage('undo');
  testPage.messages.length = 0;
  await page.getByRole('button', { name: 'Compare Again' }).click();
  await testPage.waitForMessage('reload');
  expect(await page.getByRole('button', { name: 'Finish' }).count()).toBe(0);
});

test('a selected mode is shown immediately, and is locked while the host compares', async () => {
  const testPage = await openChange();
  const { page } = testPage;
  await page
    .getByText(
      'Unlisted rules on these columns will be deleted. Rules on other columns are kept. 2 existing rules will be deleted or replaced.',
    )
    .waitFor();
  const addMode = page.getByLabel('Add to existing rules');
  await addMode.check();
  await expect(testPage.waitForMessage('mode')).resolves.toEqual({ type: 'mode', mode: 'add' });
  expect(await addMode.isChecked()).toBe(true);
  await page.getByText('Existing rules are kept.').waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  testPage.post({ type: 'loading', text: 'Comparing with the rules on the server…' });
  await page.getByText('Comparing with the rules on the server…').waitFor();
  expect(await addMode.isChecked()).toBe(true);
  expect(await addMode.isDisabled()).toBe(true);
  const note = 'The rules have changed on the server meanwhile.';
  testPage.post({ type: 'view', view: { ...view, mode: 'add', changes: [] }, note });
  await page.getByRole('status').getByText(note).waitFor();
  await page.getByRole('status').getByText('0 added').waitFor();
  await page.getByText('Nothing to change. The server already has these rules.').waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  expect(testPage.messages.some(({ type }) => type === 'apply')).toBe(false);
});

test('errors prevent the change, but warnings do not, and groups that were found by name are listed', async () => {
  const warning = { severity: 'warning', text: 'A rule goes nowhere.' } as const;
  const error = { severity: 'error', text: 'Row 7: Group not found: No Such Group.' } as const;
  const foundGroups = [{ name: 'Sales', id: 'g1' }];
  const testPage = await openChange({ ...view, problems: [warning], foundGroups });
  const { page } = testPage;
  await page.getByText('Groups found by name: 1').click();
  await page.getByText('Sales g1').waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isEnabled()).toBe(true);
  const manyProblems = Array.from({ length: 205 }, (_none, index) => ({
    ...error,
    text: `Row ${index}: wrong.`,
  }));
  testPage.post({ type: 'view', view: { ...view, changes: [], problems: manyProblems } });
  await page.getByText('5 more in the report').waitFor();
  await page.getByText('Fix these problems to see what would change.').waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test('the parties that gain access are listed first, then the parties that lose access, then the changes', async () => {
  const access: ChangeView['access'] = {
    summary: 'Group Support gains all values of Regions.Region (now: no values).',
    sections: [
      {
        title: 'Gains access',
        tone: 'warning',
        count: 60,
        items: [
          { icon: 'arrow-up', text: 'Group Support', detail: 'Regions.Region: no values → all values' },
          { icon: 'ellipsis', text: 'and 59 more' },
        ],
      },
      {
        title: 'Loses access',
        tone: 'plain',
        count: 1,
        items: [
          { icon: 'arrow-down', text: 'Group Finance', detail: 'Regions.Region: all values → only "Alps"' },
        ],
      },
    ],
  };
  const testPage = await openChange({ ...view, access });
  const { page } = testPage;
  await page.getByText(access.summary).waitFor();
  expect(await page.getByRole('heading').allTextContents()).toEqual([
    'Import rules into Retail',
    'Who gains or loses access',
    'Gains access 60',
    'Loses access 1',
    'Changes',
  ]);
  const gainItems = page.getByRole('region', { name: 'Gains access' }).getByRole('listitem');
  expect(await gainItems.allTextContents()).toEqual([
    'Group Support Regions.Region: no values → all values',
    'and 59 more ',
  ]);
  for (const theme of ['light', 'dark'] as const) {
    await testPage.setTheme(theme);
    expect(await testPage.findAxeViolations()).toEqual([]);
    await testPage.screenshot(`page-rule-change-access-${theme}`);
    expect(await testPage.findLayoutProblems('page-rule-change-access')).toEqual([]);
  }
});

test('a problem links to its place in the table, and a wrong name can be corrected with a button', async () => {
  const testPage = await openChange({
    ...view,
    changes: [],
    problems: [
      { severity: 'warning', text: 'A column has no rule.' },
      { severity: 'error', text: 'Row 7: Group not found: Salez.', hasLocation: true, fix: 'Sales' },
    ],
  });
  const { page } = testPage;
  expect(await page.getByRole('button', { name: 'A column has no rule.' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Row 7: Group not found: Salez.' }).press('Enter');
  await expect(testPage.waitForMessage('showProblem')).resolves.toEqual({ type: 'showProblem', problem: 1 });
  await page.getByRole('button', { name: 'Use "Sales"' }).click();
  await expect(testPage.waitForMessage('fixProblem')).resolves.toEqual({ type: 'fixProblem', problem: 1 });
  for (const theme of ['light', 'dark'] as const) {
    await testPage.setTheme(theme);
    expect(await testPage.findAxeViolations()).toEqual([]);
    await testPage.screenshot(`page-rule-change-problems-${theme}`);
    expect(await testPage.findLayoutProblems('page-rule-change-problems')).toEqual([]);
  }
  testPage.post({ type: 'loading', text: 'Comparing…' });
  await expect.poll(() => page.getByRole('button', { name: 'Use "Sales"' }).isDisabled()).toBe(true);
});

test('the host is asked to map columns, and to rewrite rules that exclude values', async () => {
  const mapping = [
    { key: 'a', sourceColumn: 'Tickets.Country', targetColumn: 'Tickets.Country', ruleCount: 2 },
    {
      key: 'b',
      sourceColumn: 'Agents.team',
      targetColumn: 'Agents.Team',
      ruleCount: 1,
      matchedBy: 'case' as const,
    },
    { key: 'c', sourceColumn: 'Regions.Region', targetColumn: '', ruleCount: 4 },
  ];
  const exclusionRules = { count: 2, isRewritten: false };
  const testPage = await openChange({ ...view, mode: 'add', mapping, exclusionRules });
  const { page } = testPage;
  const names = await page.locator('.mapping tbody th').allTextContents();
  expect(names).toEqual(['Regions.Region', 'Tickets.Country', 'Agents.team']);
  await page.getByText('different letter case').waitFor();
  await page.getByRole('button', { name: 'Column for Regions.Region: not copied' }).click();
  await expect(testPage.waitForMessage('map')).resolves.toEqual({ type: 'map', key: 'c' });
  const rewrite = page.getByLabel(/^Replace 2 rules that exclude values with lists of all other values/);
  await rewrite.check();
  await expect(testPage.waitForMessage('rewrite')).resolves.toEqual({
    type: 'rewrite',
    rewritesExclusions: true,
  });
  expect(await rewrite.isChecked()).toBe(true);
  testPage.post({
    type: 'view',
    view: { ...view, mapping, exclusionRules: { count: 1, isRewritten: true } },
  });
  await page.getByLabel(/^Replace the rule that excludes values with a list of all other values/).waitFor();
});

test('Retry repeats a comparison that failed', async () => {
  const testPage = await TestPage.open<ToRuleChange, FromRuleChange>('ruleChange');
  await testPage.page.getByText('Loading…').waitFor();
  testPage.post({ type: 'failed', message: 'The server is away.' });
  await testPage.page.getByRole('alert').getByText('The server is away.').waitFor();
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.page.getByRole('button', { name: 'Retry' }).click();
  await testPage.waitForMessage('reload');
  testPage.post({ type: 'view', view });
  testPage.post({ type: 'failed', message: 'It broke.' });
  await testPage.page.getByText('It broke.').waitFor();
  await testPage.page.getByRole('heading', { name: view.title }).waitFor();
});

test('thousands of changes are filtered by kind and by text', async () => {
  const changes = Array.from({ length: 3000 }, (_none, index) =>
    createChange(index % 3 === 0 ? 'delete' : 'add', `Group ${index}`),
  );
  const testPage = await openChange({ ...view, changes });
  const { page } = testPage;
  const table = page.getByRole('table', { name: 'Changes' });
  expect(await table.getByRole('row').count()).toBeLessThan(200);
  expect(await table.getAttribute('aria-rowcount')).toBe('3001');
  await page.getByLabel('Kind').selectOption({ label: 'Deleted (1000)' });
  await page.getByText('1000 of 3000').waitFor();
  await page.getByLabel('Filter').fill('ALL VALUES group 2997');
  await page.getByText('1 of 3000').waitFor();
  await table.getByText('Group Group 2997').waitFor();
  await page.getByLabel('Filter').fill('nobody');
  await page.getByText('0 of 3000').waitFor();
});

test.each(pageThemes)('the page is accessible in %s, with long names', async (theme) => {
  const longName = 'a very long name '.repeat(12);
  const testPage = await openChange({
    ...view,
    title: `Import rules into ${longName}`,
    changes: [
      ...view.changes,
      createChange('add', longName, {
        column: `${longName}.${longName}`,
        party: { type: 'user', name: longName },
      }),
    ],
    problems: [
      { severity: 'error', text: `Row 7: Group not found: ${longName}.` },
      { severity: 'warning', text: 'It would lose its rule for everyone else.', losesProtection: true },
      { severity: 'warning', text: 'A rule on it goes nowhere.' },
    ],
    mapping: [{ key: 'c', sourceColumn: `${longName}.${longName}`, targetColumn: '', ruleCount: 4 }],
    exclusionRules: { count: 1, isRewritten: false },
  });
  await testPage.setTheme(theme);
  const getBorder = (text: string): Promise<string> =>
    testPage.page.getByText(text).evaluate((element) => getComputedStyle(element).borderLeftStyle);
  expect(await getBorder('It would lose its rule for everyone else.')).toBe('solid');
  expect(await getBorder('A rule on it goes nowhere.')).toBe('none');
  await testPage.screenshot(`page-ruleChange-${theme}`);
  expect(await testPage.findAxeViolations()).toEqual([]);
  expect(await testPage.findLayoutProblems('page-ruleChange')).toEqual([]);
  testPage.assertNoErrors();
});
