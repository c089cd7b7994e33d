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

test.each(pageThemes)('is accessible in %s', async (theme) => {
  const opened = await openPlan(view);
  await opened.setTheme(theme);
  await opened.screenshot(`page-plan-${theme}`);
  expect(await opened.axeViolations()).toEqual([]);
  opened.assertNoErrors();
});
