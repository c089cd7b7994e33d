import { expect, test } from 'vitest';
import type { FromPlanPage, PlanView, ToPlanPage } from '../../src/webviews/protocol/planPage.ts';
import { TestPage, pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

const view: PlanView = {
  target: { text: 'Shop (development) › Retail', isProduction: false },
  title: 'Delete Orders',
  tone: 'warning',
  summary: 'Two references will break.',
  sections: [
    {
      title: 'Will break',
      tone: 'error',
      count: 2,
      items: [
        { icon: 'symbol-field', text: 'Customer Value', detail: 'SQL', link: 0 },
        { icon: 'shield', text: `Rule on ${'a very long name '.repeat(10)}` },
      ],
    },
  ],
  applyLabel: 'Delete',
};

const openPlan = async (plan: PlanView): Promise<TestPage<ToPlanPage, FromPlanPage>> => {
  const testPage = await TestPage.open<ToPlanPage, FromPlanPage>('plan');
  testPage.post({ type: 'plan', view: plan });
  await testPage.page.getByRole('heading', { name: plan.title }).waitFor();
  return testPage;
};

test('the page shows a plan, opens its items, and applies it', async () => {
  const testPage = await openPlan(view);
  const unsentNote = testPage.page.getByText('Nothing has been sent yet.');
  await unsentNote.waitFor();
  await testPage.page.getByRole('button', { name: 'Customer Value' }).click();
  await expect(testPage.waitForMessage('open')).resolves.toEqual({ type: 'open', link: 0 });
  await testPage.page.getByRole('button', { name: 'Delete' }).click();
  await testPage.waitForMessage('apply');
  testPage.post({ type: 'busy' });
  await testPage.page.getByRole('button', { name: 'Applying…' }).waitFor();
  expect(await unsentNote.count()).toBe(0);
  expect(await testPage.page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await testPage.page.getByRole('status').getByText('Applying…').waitFor();
  testPage.post({ type: 'busy', progress: '3 of 15 rules' });
  await testPage.page.getByText('3 of 15 rules').waitFor();
  const result = {
    ...view,
    title: 'Orders is deleted',
    summary: 'Two references are broken.',
    isResult: true,
  };
  testPage.post({ type: 'plan', view: result });
  const status = testPage.page.getByRole('status').filter({ has: testPage.page.getByRole('heading') });
  await status.getByText(result.summary).waitFor();
  await status.getByText(result.title).waitFor();
  expect(await testPage.page.getByText('3 of 15 rules').count()).toBe(0);
  expect(await unsentNote.count()).toBe(0);
});

test('the page shows that it is loading until it has a plan, and while another plan is loaded in its place', async () => {
  const testPage = await TestPage.open<ToPlanPage, FromPlanPage>('plan');
  const loading = testPage.page.getByRole('status').getByText('Loading…');
  await loading.waitFor();
  expect(await testPage.page.getByText('Loading…').count()).toBe(1);
  const preview = { ...view, isResult: true, applyLabel: '', followUp: 'Apply…', alternative: 'Other…' };
  testPage.post({ type: 'plan', view: preview });
  const followUp = testPage.page.getByRole('button', { name: 'Apply…' });
  await followUp.waitFor();
  expect(await testPage.page.getByText('Loading…').count()).toBe(0);
  testPage.post({ type: 'loading' });
  await loading.waitFor();
  expect(await followUp.isDisabled()).toBe(true);
  expect(await testPage.page.getByRole('button', { name: 'Other…' }).isDisabled()).toBe(true);
  await testPage.screenshot('page-plan-loading');
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.page.getByRole('button', { name: 'Close' }).click();
  await testPage.waitForMessage('cancel');
  testPage.post({ type: 'plan', view: preview });
  await loading.waitFor({ state: 'hidden' });
  expect(await followUp.isEnabled()).toBe(true);
});

test('a plan that is being applied can be canceled only once', async () => {
  const testPage = await openPlan(view);
  await testPage.page.getByRole('button', { name: 'Delete' }).click();
  testPage.post({ type: 'busy', cancellation: 'possible' });
  await testPage.page.locator('main[aria-busy=true]').waitFor();
  await testPage.page.getByRole('button', { name: 'Cancel' }).click();
  await testPage.waitForMessage('cancel');
  testPage.post({ type: 'busy', cancellation: 'requested' });
  const button = testPage.page.getByRole('button', { name: 'Canceling…' });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  await testPage.screenshot('page-plan-canceling');
  testPage.post({ type: 'plan', view, note: 'Canceled. Nothing was sent.' });
  await testPage.page.getByRole('alert').getByText('Canceled. Nothing was sent.').waitFor();
  expect(await testPage.page.getByRole('button', { name: 'Cancel' }).isEnabled()).toBe(true);
});

test('the connection and its role are the first line', async () => {
  const testPage = await openPlan(view);
  const lines = (await testPage.page.locator('main').innerText()).split('\n');
  expect(lines[0]).toBe('Shop (development) › Retail');
  const production = { text: 'Shop (production) › Retail', isProduction: true };
  testPage.post({ type: 'plan', view: { ...view, target: production } });
  await testPage.page.getByText(production.text).waitFor();
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test('Enter applies only after the name is typed, and Escape cancels', async () => {
  const testPage = await openPlan({
    ...view,
    confirmation: { prompt: 'Type Shop to confirm', name: 'Shop' },
  });
  await testPage.page.locator(':focus').and(testPage.page.getByLabel('Type Shop to confirm')).waitFor();
  await testPage.page.keyboard.type('Sho');
  await testPage.page.keyboard.press('Enter');
  expect(await testPage.page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await testPage.page.keyboard.type('p');
  await testPage.page.keyboard.press('Escape');
  await testPage.waitForMessage('cancel');
  expect(testPage.messages.some(({ type }) => type === 'apply')).toBe(false);
  await testPage.page.keyboard.press('Enter');
  await testPage.waitForMessage('apply');
});

test('the page shows that a plan has changed, and the plan can be applied again', async () => {
  const testPage = await openPlan(view);
  await testPage.page.getByRole('button', { name: 'Delete' }).click();
  await testPage.waitForMessage('apply');
  testPage.post({ type: 'busy' });
  await testPage.page.locator('main[aria-busy=true]').waitFor();
  await testPage.page.keyboard.press('Escape');
  testPage.post({ type: 'plan', view, note: 'It has changed on the server meanwhile.' });
  await testPage.page.getByRole('alert').getByText('It has changed on the server meanwhile.').waitFor();
  await testPage.page.locator('main[aria-busy=false]').waitFor();
  expect(await testPage.page.getByRole('button', { name: 'Delete' }).isEnabled()).toBe(true);
  expect(
    testPage.messages.some(({ type }) => type === 'cancel'),
    'Without `cancellation`, a plan that is being applied cannot be canceled',
  ).toBe(false);
  await testPage.screenshot('page-plan-note');
});

test('Ctrl+Enter applies the plan from any control once the name is typed, but not while it is being applied', async () => {
  const testPage = await openPlan({
    ...view,
    confirmation: { prompt: 'Type Shop to confirm', name: 'Shop' },
  });
  expect(await testPage.page.getByRole('button', { name: 'Delete' }).getAttribute('title')).toBe(
    'Delete (Ctrl+Enter)',
  );
  await testPage.page.keyboard.type('Sho');
  await testPage.page.keyboard.press('Control+Enter');
  await testPage.page.keyboard.type('p');
  await testPage.page.getByRole('button', { name: 'Cancel' }).focus();
  expect(testPage.messages.some(({ type }) => type === 'apply' || type === 'cancel')).toBe(false);
  await testPage.page.keyboard.press('Control+Enter');
  await testPage.waitForMessage('apply');
  testPage.post({ type: 'busy' });
  await testPage.page.locator('main[aria-busy=true]').waitFor();
  await testPage.page.keyboard.press('Control+Enter');
  await testPage.page.keyboard.press('Escape');
  expect(testPage.messages.filter(({ type }) => type === 'apply' || type === 'cancel')).toHaveLength(1);
});

test('while a plan is applied, the page keeps the focus, but does not take it from the input that unlocks the connection', async () => {
  const testPage = await openPlan(view);
  await testPage.page.getByRole('button', { name: 'Delete' }).click();
  await testPage.page.locator('main:focus').waitFor();
  // The input that unlocks the connection is outside of the page.
  const link = testPage.page.getByRole('button', { name: 'Customer Value' });
  await link.focus();
  testPage.post({ type: 'busy' });
  await testPage.page.locator('main[aria-busy=true]').waitFor();
  testPage.post({ type: 'busy', cancellation: 'possible' });
  await testPage.page.locator('button:enabled').filter({ hasText: 'Cancel' }).waitFor();
  await link.and(testPage.page.locator(':focus')).waitFor();
});

test('a plan whose connection was not unlocked keeps the typed name', async () => {
  const testPage = await openPlan({
    ...view,
    confirmation: { prompt: 'Type Shop to confirm', name: 'Shop' },
  });
  const input = testPage.page.getByLabel('Type Shop to confirm');
  const focusedInput = input.and(testPage.page.locator(':focus'));
  await focusedInput.waitFor();
  await testPage.page.keyboard.type('Shop');
  await testPage.page.keyboard.press('Enter');
  await testPage.waitForMessage('apply');
  testPage.post({ type: 'busy' });
  await testPage.page.locator('main[aria-busy=true]').waitFor();
  await testPage.page.keyboard.type('ping');
  testPage.post({ type: 'idle' });
  await testPage.page.locator('main[aria-busy=false]').waitFor();
  await focusedInput.waitFor();
  expect(await input.inputValue()).toBe('Shop');
  await testPage.page.keyboard.press('Enter');
  await expect.poll(() => testPage.messages.filter(({ type }) => type === 'apply').length).toBe(2);
});

test('Cancel has the focus first, so that Enter changes nothing', async () => {
  const testPage = await openPlan(view);
  await testPage.page
    .locator(':focus')
    .and(testPage.page.getByRole('button', { name: 'Cancel' }))
    .waitFor();
  await testPage.page.keyboard.press('Enter');
  await testPage.waitForMessage('cancel');
  expect(testPage.messages.some(({ type }) => type === 'apply')).toBe(false);
});

test('Shift+Tab moves back through the page in reading order', async () => {
  const testPage = await openPlan(view);
  await testPage.page.locator(':focus').waitFor();
  await testPage.page.keyboard.press('Shift+Tab');
  await testPage.page
    .locator(':focus')
    .and(testPage.page.getByRole('button', { name: 'Delete' }))
    .waitFor();
  await testPage.page.keyboard.press('Shift+Tab');
  await testPage.page.keyboard.press('Enter');
  await expect(testPage.waitForMessage('open')).resolves.toEqual({ type: 'open', link: 0 });
});

test('markup in names is text, and a long name stays within the page', async () => {
  const hostile = '<img src=x onerror="document.title=1">';
  const testPage = await openPlan({
    ...view,
    title: `Delete ${hostile}`,
    summary: hostile,
    sections: [
      {
        title: 'Will be deleted',
        tone: 'warning',
        count: 2,
        items: [
          { icon: 'eye', text: hostile, detail: hostile, link: 0 },
          { icon: 'eye', text: 'x'.repeat(400) },
        ],
      },
    ],
  });
  expect(await testPage.page.getByText(hostile).count()).toBe(4);
  expect(await testPage.page.locator('img').count()).toBe(0);
  await testPage.page.setViewportSize({ width: 400, height: 500 });
  await testPage.screenshot('page-plan-narrow');
  const isWider = await testPage.page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(isWider).toBe(false);
  testPage.assertNoErrors();
});

test('a plan can consist only of items that could not be checked', async () => {
  const unchecked: PlanView = {
    title: 'Save Leads',
    tone: 'warning',
    summary: "Some items that might break couldn't be checked.",
    sections: [
      {
        title: 'Not checked',
        tone: 'warning',
        count: 2,
        items: [
          { icon: 'question', text: 'The data security rules', detail: 'some items might break' },
          { icon: 'question', text: 'The viewpoints', detail: 'some items might break' },
        ],
      },
    ],
    applyLabel: 'Apply',
  };
  const testPage = await openPlan(unchecked);
  const region = testPage.page.getByRole('region', { name: 'Not checked' });
  await region.getByText('The data security rules').waitFor();
  await region.getByText('The viewpoints').waitFor();
  for (const theme of pageThemes) {
    await testPage.setTheme(theme);
    await testPage.screenshot(`page-plan-unchecked-${theme}`);
    expect(await testPage.findAxeViolations(), theme).toEqual([]);
    expect(await testPage.findLayoutProblems('page-plan-unchecked')).toEqual([]);
  }
});

const longText = Array.from({ length: 30 }, (_, index) => ({
  kind: 'added' as const,
  text: `  SUM(Revenue) AS [Revenue ${index}],`,
}));

const diffView: PlanView = {
  ...view,
  title: 'Apply analytics to Shop',
  summary: '',
  sections: [
    {
      title: 'Will be changed',
      tone: 'plain',
      count: 2,
      items: [
        {
          icon: 'code',
          text: 'Top Orders',
          link: 0,
          diffs: [
            {
              label: 'expression',
              lines: [
                { kind: 'gap', text: '' },
                { kind: 'same', text: 'SELECT o.[Order Id],' },
                { kind: 'removed', text: '  o.Revenue' },
                { kind: 'added', text: `  o.Revenue * 1.19 AS ${'Gross'.repeat(40)}` },
                { kind: 'added', text: '' },
                { kind: 'same', text: 'FROM Orders o' },
              ],
            },
          ],
        },
        { icon: 'code', text: 'Totals', diffs: [{ label: 'expression', lines: longText }] },
      ],
    },
  ],
};

test('changed SQL is shown line by line, and only the first part of a long SQL text at first', async () => {
  const testPage = await openPlan(diffView);
  const [short, long] = await testPage.page.getByRole('group', { name: 'expression' }).all();
  expect((await short?.innerText())?.split('\n').filter((line) => line !== '')).toEqual([
    'expression',
    '⋯',
    'Unchanged lines',
    'SELECT o.[Order Id],',
    '−',
    'Removed:',
    '  o.Revenue',
    '+',
    'Added:',
    expect.stringMatching(/^ {2}o\.Revenue \* 1\.19 AS Gross/),
    '+',
    'Added:',
    'FROM Orders o',
  ]);
  expect(await short?.getByRole('button').count()).toBe(0);
  expect(await long?.getByText('Revenue 20').count()).toBe(0);
  for (const theme of pageThemes) {
    await testPage.setTheme(theme);
    await testPage.screenshot(`page-plan-sql-${theme}`);
    expect(await testPage.findAxeViolations(), theme).toEqual([]);
    expect(await testPage.findLayoutProblems('page-plan-sql')).toEqual([]);
  }
  await testPage.page.getByRole('button', { name: 'Show All 30 Lines' }).click();
  await testPage.page.getByText('Revenue 29').waitFor();
  await testPage.page.getByRole('button', { name: 'Show Less' }).click();
  await testPage.page.getByRole('button', { name: 'Show All 30 Lines', expanded: false }).waitFor();
  expect(await testPage.page.getByText('Revenue 29').count()).toBe(0);
  testPage.assertNoErrors();
});

test('a plan without sections has a title and its buttons', async () => {
  const testPage = await openPlan({ ...view, sections: [] });
  expect(await testPage.page.getByRole('region').count()).toBe(0);
  expect(await testPage.page.getByRole('button').count()).toBe(2);
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test.each(pageThemes)('the page is accessible in %s', async (theme) => {
  const testPage = await openPlan(view);
  await testPage.setTheme(theme);
  await testPage.screenshot(`page-plan-${theme}`);
  expect(await testPage.findAxeViolations()).toEqual([]);
  expect(await testPage.findLayoutProblems('page-plan')).toEqual([]);
  testPage.assertNoErrors();
});

const undoView: PlanView = {
  ...view,
  title: 'Undo: Changed the rules of Retail',
  summary: 'Group Sales gains values of Customers.Segment.',
  laterChanges: [
    {
      icon: 'shield',
      text: 'Customers.Segment',
      location: 'Retail',
      lines: ['group Marketing: only "Club" → only "Club", "Basic"'],
      canOverwrite: true,
      isOverwritten: false,
    },
    {
      icon: 'table',
      text: 'Orders',
      lines: ['hidden: none → true'],
      canOverwrite: false,
      isOverwritten: false,
    },
    {
      icon: 'table',
      text: 'New Stores',
      lines: [
        'description: none → Theirs',
        "It didn't exist before the change to undo: unless you keep it, it will be deleted.",
      ],
      canOverwrite: true,
      isDeletion: true,
      isOverwritten: false,
    },
  ],
  newNames: [{ label: 'Stores already exists. Restore under a different name:', name: 'Stores 2' }],
  footnotes: ['New IDs are assigned to: Stores, Store Id'],
  applyLabel: 'Undo',
};

test('in the plan of an undo, later changes are kept or overwritten, and each decision disables Undo until the new plan arrives', async () => {
  const testPage = await openPlan(undoView);
  const apply = testPage.page.getByRole('button', { name: 'Undo', exact: true });
  const segment = testPage.page.getByRole('group', { name: 'Customers.Segment' });
  expect(await segment.getByLabel('Keep').isChecked()).toBe(true);
  expect(await testPage.page.getByRole('radio').count()).toBe(4);
  const getItem = (name: string) => testPage.page.getByRole('listitem').filter({ hasText: name });
  await getItem('Orders').getByText("Kept: this change doesn't affect it.").waitFor();
  expect(await getItem('New Stores').getByLabel('Keep').isChecked()).toBe(true);
  expect(await getItem('New Stores').getByLabel('Delete').isChecked()).toBe(false);
  for (const theme of pageThemes) {
    await testPage.setTheme(theme);
    expect(await testPage.findAxeViolations()).toEqual([]);
    await testPage.screenshot(`page-undo-${theme}`);
    expect(await testPage.findLayoutProblems('page-undo')).toEqual([]);
  }
  await segment.getByLabel('Overwrite').check();
  await expect(testPage.waitForMessage('overwrite')).resolves.toEqual({
    type: 'overwrite',
    change: 0,
    isOverwritten: true,
  });
  expect(await apply.isDisabled()).toBe(true);
  const [firstChange, ...others] = undoView.laterChanges ?? [];
  const laterChanges =
    firstChange === undefined ? others : [{ ...firstChange, isOverwritten: true }, ...others];
  testPage.post({ type: 'plan', view: { ...undoView, laterChanges } });
  await testPage.page.locator('button:enabled', { hasText: 'Undo' }).waitFor();
  // The focus stays on the option, so that the next decision can be made with the keyboard.
  await testPage.page.locator(':focus').and(segment.getByLabel('Overwrite')).waitFor();
  await apply.click();
  await testPage.waitForMessage('apply');
});

test('in the plan of an undo, a restored item can get another name', async () => {
  const testPage = await openPlan(undoView);
  const input = testPage.page.getByLabel('Stores already exists.');
  await input.fill('Orders');
  await input.press('Tab');
  await expect(testPage.waitForMessage('rename')).resolves.toEqual({
    type: 'rename',
    item: 0,
    name: 'Orders',
  });
  const problem = 'Orders is already in use.';
  testPage.post({
    type: 'plan',
    view: { ...undoView, newNames: [{ label: 'Stores already exists.', name: 'Orders', problem }] },
  });
  await testPage.page.getByText(problem).waitFor();
  expect(await testPage.page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test('decisions are sent one after the other, and a typed name stays in its field until it is sent', async () => {
  const newNames = [
    { label: 'Stores already exists.', name: 'Stores 2' },
    { label: 'Regions already exists.', name: 'Regions 2' },
  ];
  const testPage = await openPlan({ ...undoView, newNames });
  const { page } = testPage;
  const apply = page.getByRole('button', { name: 'Undo', exact: true });
  await page.getByLabel('Stores already exists.').fill('Shops');
  await page.keyboard.press('Tab');
  await testPage.waitForMessage('rename');
  const regions = page.getByLabel('Regions already exists.');
  await regions.fill('Ar');
  const overwrite = page.getByRole('group', { name: 'Customers.Segment' }).getByLabel('Overwrite');
  await overwrite.check();
  await regions.fill('Areas');
  const namesAfterFirst = newNames.with(0, { label: 'Stores already exists.', name: 'Shops' });
  testPage.post({ type: 'plan', view: { ...undoView, newNames: namesAfterFirst, summary: 'One decision.' } });
  await page.getByText('One decision.').waitFor();
  expect(await testPage.waitForMessage('rename', ({ item }) => item === 1)).toMatchObject({ name: 'Ar' });
  expect([await regions.inputValue(), await overwrite.isChecked()]).toEqual(['Areas', true]);
  expect(testPage.messages.some(({ type }) => type === 'overwrite')).toBe(false);
  testPage.post({
    type: 'plan',
    view: { ...undoView, newNames: namesAfterFirst, summary: 'Two decisions.' },
  });
  await testPage.waitForMessage('overwrite');
  testPage.post({
    type: 'plan',
    view: { ...undoView, newNames: namesAfterFirst, summary: 'All decisions.' },
  });
  await page.getByText('All decisions.').waitFor();
  // The plan does not include the name that is being typed.
  expect(await apply.isDisabled()).toBe(true);
  await regions.press('Control+Enter');
  await testPage.waitForMessage('rename', ({ name }) => name === 'Areas');
  expect(testPage.messages.some(({ type }) => type === 'apply')).toBe(false);
  testPage.post({ type: 'plan', view: { ...undoView, newNames: namesAfterFirst } });
  await apply.and(page.locator(':enabled')).click();
  await testPage.waitForMessage('apply');
});

test('an undo with nothing left to do shows the reason, and cannot be applied', async () => {
  const blocked = 'Nothing to undo if you keep all later changes.';
  const testPage = await openPlan({ ...undoView, sections: [], blockedReason: blocked });
  await testPage.page.getByText(blocked).waitFor();
  expect(await testPage.page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
});

test('a page with nothing to apply offers the next step', async () => {
  const testPage = await openPlan({ ...view, isResult: true, applyLabel: '', followUp: 'Show History' });
  await testPage.page.getByRole('button', { name: 'Show History' }).click();
  await testPage.waitForMessage('followUp');
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test('the page offers an alternative plan, but not while this plan is being applied', async () => {
  const alternative = 'Include Deletions…';
  const testPage = await openPlan({ ...view, alternative });
  const button = testPage.page.getByRole('button', { name: alternative });
  await button.click();
  await testPage.waitForMessage('alternative');
  expect(await testPage.page.locator('footer').getByRole('button').allTextContents()).toEqual([
    'Delete',
    alternative,
    'Cancel',
  ]);
  testPage.post({ type: 'busy' });
  await testPage.page.getByRole('button', { name: 'Applying…' }).waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test('while the connection is unlocked, the page is disabled, but does not say that it applies', async () => {
  const testPage = await openPlan(view);
  const applyButton = testPage.page.getByRole('button', { name: 'Delete' });
  await applyButton.click();
  await testPage.waitForMessage('apply');
  testPage.post({ type: 'busy', isUnlocking: true });
  await testPage.page.locator('main[aria-busy="true"]').waitFor();
  expect(await applyButton.isDisabled()).toBe(true);
  expect(await testPage.page.getByText('Applying…').count()).toBe(0);
  await testPage.page.getByText('Nothing has been sent yet.').waitFor();
  testPage.post({ type: 'busy' });
  await testPage.page.getByRole('button', { name: 'Applying…' }).waitFor();
});

test('a result shows the outcome of each part, and can only be closed', async () => {
  const item = { icon: 'database', text: 'Support Desk', detail: 'The server refused it.' };
  const testPage = await openPlan({
    ...view,
    title: 'Replace Marketing with Data Team in Rules',
    isResult: true,
    applyLabel: '',
    sections: [{ title: 'Failed', tone: 'error', count: 1, items: [item] }],
  });
  await testPage.page.getByRole('region', { name: 'Failed' }).getByText('The server refused it.').waitFor();
  expect(await testPage.page.locator('footer').getByRole('button').allTextContents()).toEqual(['Close']);
  expect(await testPage.findAxeViolations()).toEqual([]);
  await testPage.page.getByRole('button', { name: 'Close' }).click();
  await testPage.waitForMessage('cancel');
});

test('new tables come first, and the page says who will see them', async () => {
  const table = { icon: 'warning', text: 'Open Regions' };
  const testPage = await openPlan({
    ...view,
    tone: 'warning',
    sections: [
      {
        title: "New tables that rules don't restrict",
        tone: 'warning',
        count: 1,
        items: [{ ...table, detail: 'Table in Retail · everyone with access to the datamodel will see it' }],
      },
      ...view.sections,
    ],
  });
  const headings = await testPage.page.getByRole('heading', { level: 2 }).allTextContents();
  expect(headings.map((text) => text.replace(/\s*\d+$/, ''))).toEqual([
    "New tables that rules don't restrict",
    'Will break',
  ]);
  await testPage.page.getByText('everyone with access to the datamodel will see it').waitFor();
  await testPage.screenshot('page-plan-new-tables');
});
