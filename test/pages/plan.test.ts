import { expect, test } from 'vitest';
import type { FromPlanPage, PlanView, ToPlanPage } from '../../src/webviews/protocol/planPage.ts';
import { TestPage, pageThemes, useBrowser } from './support/openPage.ts';

useBrowser();

const view: PlanView = {
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
  const opened = await TestPage.open<ToPlanPage, FromPlanPage>('plan');
  opened.post({ type: 'plan', view: plan });
  await opened.page.getByRole('heading', { name: plan.title }).waitFor();
  return opened;
};

test('shows a plan, opens what it names, and applies it', async () => {
  const opened = await openPlan(view);
  await opened.page.getByRole('button', { name: 'Customer Value' }).click();
  await expect(opened.receives('open')).resolves.toEqual({ type: 'open', link: 0 });
  await opened.page.getByRole('button', { name: 'Delete' }).click();
  await opened.receives('apply');
  opened.post({ type: 'busy' });
  await opened.page.getByRole('button', { name: 'Applying…' }).waitFor();
  expect(await opened.page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
});

test('Enter applies only once the name is typed; Escape cancels', async () => {
  const opened = await openPlan({ ...view, confirmation: { prompt: 'Type Shop to confirm', name: 'Shop' } });
  await opened.page.locator(':focus').and(opened.page.getByLabel('Type Shop to confirm')).waitFor();
  await opened.page.keyboard.type('Sho');
  await opened.page.keyboard.press('Enter');
  expect(await opened.page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await opened.page.keyboard.type('p');
  await opened.page.keyboard.press('Escape');
  await opened.receives('cancel');
  expect(opened.messages.some(({ type }) => type === 'apply')).toBe(false);
  await opened.page.keyboard.press('Enter');
  await opened.receives('apply');
});

test('says that a plan changed or failed, and lets it be applied again', async () => {
  const opened = await openPlan(view);
  await opened.page.getByRole('button', { name: 'Delete' }).click();
  await opened.receives('apply');
  opened.post({ type: 'busy' });
  await opened.page.locator('main[aria-busy=true]').waitFor();
  await opened.page.keyboard.press('Escape');
  opened.post({ type: 'plan', view, note: 'It has changed on the server meanwhile.' });
  await opened.page.getByRole('alert').getByText('It has changed on the server meanwhile.').waitFor();
  await opened.page.locator('main[aria-busy=false]').waitFor();
  expect(await opened.page.getByRole('button', { name: 'Delete' }).isEnabled()).toBe(true);
  expect(
    opened.messages.some(({ type }) => type === 'cancel'),
    'A plan that is being applied cannot be canceled',
  ).toBe(false);
  await opened.screenshot('page-plan-note');
});

test('Cancel has the focus first, so that Enter changes nothing', async () => {
  const opened = await openPlan(view);
  await opened.page
    .locator(':focus')
    .and(opened.page.getByRole('button', { name: 'Cancel' }))
    .waitFor();
  await opened.page.keyboard.press('Enter');
  await opened.receives('cancel');
  expect(opened.messages.some(({ type }) => type === 'apply')).toBe(false);
});

test('what the keyboard reaches is in the order of the page', async () => {
  const opened = await openPlan(view);
  await opened.page.locator(':focus').waitFor();
  await opened.page.keyboard.press('Shift+Tab');
  await opened.page
    .locator(':focus')
    .and(opened.page.getByRole('button', { name: 'Delete' }))
    .waitFor();
  await opened.page.keyboard.press('Shift+Tab');
  await opened.page.keyboard.press('Enter');
  await expect(opened.receives('open')).resolves.toEqual({ type: 'open', link: 0 });
});

test('markup in names is text, and a long name stays within the page', async () => {
  const hostile = '<img src=x onerror="document.title=1">';
  const opened = await openPlan({
    ...view,
    title: `Delete ${hostile}`,
    summary: hostile,
    sections: [
      {
        title: 'Is deleted',
        tone: 'warning',
        count: 2,
        items: [
          { icon: 'eye', text: hostile, detail: hostile, link: 0 },
          { icon: 'eye', text: 'x'.repeat(400) },
        ],
      },
    ],
  });
  expect(await opened.page.getByText(hostile).count()).toBe(4);
  expect(await opened.page.locator('img').count()).toBe(0);
  await opened.page.setViewportSize({ width: 400, height: 500 });
  await opened.screenshot('page-plan-narrow');
  const isWider = await opened.page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(isWider).toBe(false);
  opened.assertNoErrors();
});

test('a plan of what could not be looked at, without other sections', async () => {
  const unchecked: PlanView = {
    title: 'Save Leads',
    tone: 'warning',
    summary: 'Not all that might stop working could be looked at.',
    sections: [
      {
        title: 'Could not be looked at',
        tone: 'warning',
        count: 2,
        items: [
          { icon: 'question', text: 'The data security rules', detail: 'something there may break' },
          { icon: 'question', text: 'The viewpoints', detail: 'something there may break' },
        ],
      },
    ],
    applyLabel: 'Apply',
  };
  const opened = await openPlan(unchecked);
  const region = opened.page.getByRole('region', { name: 'Could not be looked at' });
  await region.getByText('The data security rules').waitFor();
  await region.getByText('The viewpoints').waitFor();
  for (const theme of pageThemes) {
    await opened.setTheme(theme);
    await opened.screenshot(`page-plan-unchecked-${theme}`);
    expect(await opened.axeViolations(), theme).toEqual([]);
  }
});

test('a plan with nothing in it has a title and its buttons', async () => {
  const opened = await openPlan({ ...view, sections: [] });
  expect(await opened.page.getByRole('region').count()).toBe(0);
  expect(await opened.page.getByRole('button').count()).toBe(2);
  expect(await opened.axeViolations()).toEqual([]);
});

test.each(pageThemes)('is accessible in %s', async (theme) => {
  const opened = await openPlan(view);
  await opened.setTheme(theme);
  await opened.screenshot(`page-plan-${theme}`);
  expect(await opened.axeViolations()).toEqual([]);
  opened.assertNoErrors();
});
