import type { Locator } from 'playwright-core';
import { journey } from '../support/journey.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];
const startMs = 60_000;

const step = (studio: Studio, id: string): Locator =>
  studio.page.locator(`.getting-started-step[data-step-id$="#start#${id}"]`);

const isDone = (studio: Studio, id: string): Promise<void> =>
  studio.page
    .locator(`[data-done-step-id$="#start#${id}"][aria-checked="true"]`)
    .waitFor({ timeout: startMs });

const action = (studio: Studio, id: string, label: string): Locator =>
  step(studio, id).locator('.monaco-button', { hasText: label });

/**
 * Shows the walkthrough. A new window knows the walkthroughs of extensions only after some seconds and shows a built-in
 * one until then; it may also return to that one when it redraws. So open the walkthrough again until it is shown.
 */
async function showFirstSteps(studio: Studio, ask: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + startMs;
  for (;;) {
    await ask();
    try {
      await step(studio, 'sandbox').waitFor({ timeout: 3_000 });
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}

journey('the walkthrough leads from nothing to a sandbox and SQL', async ({ openStudio }) => {
  const studio = await openStudio();
  await studio.openView();
  const getStarted = (): Promise<void> => studio.runCommand('Datamodel Studio: Get Started');
  await showFirstSteps(studio, () => studio.welcomeAction('Get started'));
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await showFirstSteps(studio, getStarted);
    await studio.screenshot(`first-run-${theme}`);
  }
  await action(studio, 'sandbox', 'Start Sandbox').click();
  await isDone(studio, 'sandbox');
  await studio.tree.item(['Sandbox', 'Datamodels', 'Retail']);

  for (const id of ['connect', 'viewpoint', 'build', 'access', 'sql']) {
    await step(studio, id).click();
    await step(studio, id).locator('.monaco-button').first().waitFor();
    await studio.screenshot(`first-run-step-${id}`);
  }
  await action(studio, 'sql', 'New SQL Expression').click();
  await studio.openedEditor(/^Untitled-1/);
  await showFirstSteps(studio, getStarted);
  await isDone(studio, 'sql');

  await step(studio, 'access').click();
  await action(studio, 'access', 'Show Who Sees What…').click();
  await studio.quickPick('Retail');
  await studio.webview().getByRole('heading', { name: 'Who sees what of Retail' }).waitFor();
  await showFirstSteps(studio, getStarted);
  await isDone(studio, 'access');
});
