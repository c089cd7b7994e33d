import { expect, test } from 'vitest';
import type { AuditCauseView, AuditView, FromAudit, ToAudit } from '../../src/webviews/protocol/audit.ts';
import { TestPage, pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

const groupCause: AuditCauseView = {
  key: 'group',
  severity: 'warning',
  title: "Group Sales can't see any rows of viewpoints shared with it",
  explanation: 'Rules hide all rows of at least one table used by the viewpoint.',
  subject: 'Warehouse',
  placeCount: 3333,
  places: Array.from({ length: 100 }, (_, index) => ({
    name: `Table ${index + 1} overview`,
    detail: `No rows of Table ${index + 1}`,
  })),
};
const tableCause: AuditCauseView = {
  key: 'tables',
  severity: 'warning',
  title: 'Tables not restricted by any rule',
  explanation:
    'Everyone with access to the datamodel can see all rows of these tables. Neither these tables nor their linked tables have a column with rules.',
  subject: 'Retail',
  placeCount: 2,
  places: [
    { name: 'Suppliers', detail: 'Related to another table in this list' },
    { name: 'A table with a very long name '.repeat(8) },
  ],
};
const view: AuditView = {
  title: 'Security of Sandbox',
  summary: '3337 findings with 4 causes in 4 datamodels and cube sets. 12 findings accepted.',
  problems: [],
  baselineFile: '.datamodel-studio/security-baseline.json',
  causes: [
    {
      key: 'column',
      severity: 'error',
      title: "Column Regions.Regionn doesn't exist",
      explanation: 'These rules have no effect. Correct the name or delete the rules.',
      subject: 'Retail',
      placeCount: 1,
      places: [{ name: 'Regions.Regionn' }],
    },
    groupCause,
    tableCause,
    {
      key: 'none',
      severity: 'information',
      title: 'Datamodels and cube sets without rules',
      placeCount: 1,
      places: [{ name: 'Marketing' }],
    },
  ],
  causeCount: 4,
  accepted: [
    {
      key: 'accepted',
      title: 'Columns without a rule for everyone else',
      subject: 'Retail',
      placeCount: 12,
      reason: 'Everyone has a group rule; agreed with the data owner',
      author: 'Anna Berg',
      date: '2026-03-01',
    },
  ],
  acceptedCount: 12,
  resolvedCount: 2,
};

async function openAudit(displayedView: AuditView): Promise<TestPage<ToAudit, FromAudit>> {
  const testPage = await TestPage.open<ToAudit, FromAudit>('audit');
  testPage.post({ type: 'view', view: displayedView });
  await testPage.page.getByRole('heading', { name: displayedView.title }).waitFor();
  return testPage;
}

test('a cause expands to the places where it was found, which can be opened', async () => {
  const testPage = await openAudit(view);
  const { page } = testPage;
  const title = page.getByRole('button', { name: /^Warning: Group Sales can't see any rows/ });
  expect(await page.getByText('3233 more in the report').count()).toBe(0);
  await title.click();
  await page.getByText('3233 more in the report').waitFor();
  await page.getByText('Rules hide all rows of at least one table').waitFor();
  await page.getByRole('button', { name: 'Table 3 overview', exact: true }).click();
  await expect(testPage.waitForMessage('open')).resolves.toEqual({ type: 'open', cause: 'group', place: 2 });
  // The cause stays expanded after another cause has disappeared.
  testPage.post({ type: 'view', view: { ...view, causes: [groupCause, tableCause], causeCount: 2 } });
  await page.getByRole('button', { name: /doesn't exist/ }).waitFor({ state: 'detached' });
  await page.getByText('3233 more in the report').waitFor();
  await title.click();
  await page.getByText('3233 more in the report').waitFor({ state: 'detached' });
});

test('causes are expanded and ignored with the keyboard', async () => {
  const testPage = await openAudit(view);
  const { page } = testPage;
  await page.getByRole('button', { name: 'Save Report…' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Regions.Regionn', exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(testPage.waitForMessage('ignore')).resolves.toEqual({ type: 'ignore', cause: 'column' });
});

test('when a cause disappears, the focus moves to the next cause, or to the first button if none is left', async () => {
  const testPage = await openAudit(view);
  const { page } = testPage;
  const acceptButtons = page.getByRole('button', { name: 'Accept…' });
  await acceptButtons.nth(1).focus();
  await page.keyboard.press('Enter');
  await testPage.waitForMessage('ignore');
  const causes = view.causes.filter(({ key }) => key !== 'group');
  testPage.post({ type: 'view', view: { ...view, causes, causeCount: 3 } });
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: /Tables not restricted by any rule/ }))
    .waitFor();
  await page.getByRole('button', { name: 'Accept All as Baseline…' }).focus();
  await page.keyboard.press('Enter');
  testPage.post({ type: 'view', view: { ...view, causes: [], causeCount: 0 } });
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: 'Check Again' }))
    .waitFor();
});

test('a cause that disappears while the page is in the background does not take the focus', async () => {
  const testPage = await openAudit(view);
  const { page } = testPage;
  await page.getByRole('button', { name: 'Accept…' }).nth(1).click();
  await testPage.waitForMessage('ignore');
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  testPage.post({ type: 'view', view: { ...view, causes: view.causes.toSpliced(1, 1) } });
  await page.getByText(view.causes[1]?.title ?? '').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test('the buttons of the page send their messages to the host', async () => {
  const testPage = await openAudit(view);
  for (const [name, type] of [
    ['Check Again', 'check'],
    ['Accept All as Baseline…', 'acceptAll'],
    ['Save Report…', 'report'],
  ] as const) {
    await testPage.page.getByRole('button', { name }).click();
    await testPage.waitForMessage(type);
  }
});

test('accepted findings are listed with their reason, and can stop being ignored', async () => {
  const testPage = await openAudit(view);
  const { page } = testPage;
  await page.locator('summary').click();
  await page.getByRole('cell', { name: 'Anna Berg' }).waitFor();
  await page.getByRole('cell', { name: /agreed with the data owner/ }).waitFor();
  await page.getByRole('button', { name: 'Reopen: Columns without a rule for everyone else' }).click();
  await expect(testPage.waitForMessage('stopIgnoring')).resolves.toEqual({
    type: 'stopIgnoring',
    accepted: 'accepted',
  });
  await page.getByText('2 accepted findings no longer occur.').waitFor();
  await page.getByRole('button', { name: 'Remove from Baseline' }).click();
  await testPage.waitForMessage('removeResolved');
  await page.getByRole('button', { name: '.datamodel-studio/security-baseline.json' }).click();
  await testPage.waitForMessage('openBaseline');
});

test('a broken baseline is reported, and no finding can be accepted', async () => {
  const problem = "Can't read the baseline: line 3 of security-baseline.json isn't valid JSON.";
  const testPage = await openAudit({ ...view, baselineProblem: problem, accepted: [], acceptedCount: 0 });
  const { page } = testPage;
  await page.getByText(`${problem} All findings are shown.`).waitFor();
  for (const name of [/^Accept All/, /^Accept…/]) {
    expect(await page.getByRole('button', { name }).first().isDisabled()).toBe(true);
  }
  await page.getByRole('button', { name: 'Open File' }).click();
  await testPage.waitForMessage('openBaseline');
});

test('the page shows that nothing was found, and lists what could not be read', async () => {
  const emptyView = { ...view, causes: [], causeCount: 0, accepted: [], acceptedCount: 0, resolvedCount: 0 };
  const testPage = await openAudit(emptyView);
  const { page } = testPage;
  await page.getByText('No findings.').waitFor();
  testPage.post({ type: 'view', view: { ...emptyView, acceptedCount: 3 } });
  await page.getByText('No new findings.').waitFor();
  testPage.post({ type: 'view', view: { ...emptyView, problems: ['Retail', 'Online', 'A', 'B', 'C'] } });
  await page.getByText("2 more couldn't be read. See the report for the full list.").waitFor();
  expect(await page.getByText('was found.').count()).toBe(0);
});

test.each(pageThemes)('the page is accessible in %s', async (theme) => {
  const testPage = await openAudit(view);
  await testPage.setTheme(theme);
  await testPage.page.getByRole('button', { name: /Tables not restricted by any rule/ }).click();
  await testPage.page.getByRole('button', { name: /Column Regions.Regionn/ }).click();
  await testPage.page.locator('summary').click();
  await testPage.page.getByRole('cell', { name: 'Anna Berg' }).waitFor();
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.screenshot(`page-audit-${theme}`);
  expect(await testPage.findLayoutProblems('page-audit')).toEqual([]);
});
