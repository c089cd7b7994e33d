import type { Locator } from 'playwright-core';
import { journey } from '../support/journey.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];
const startMs = 60_000;

const getStep = (studio: Studio, id: string): Locator =>
  studio.page.locator(`.getting-started-step[data-step-id$="#start#${id}"]`);

const waitUntilDone = (studio: Studio, id: string): Promise<void> =>
  studio.page
    .locator(`[data-done-step-id$="#start#${id}"][aria-checked="true"]`)
    .waitFor({ timeout: startMs });

const getStepButton = (studio: Studio, id: string, label: string): Locator =>
  getStep(studio, id).locator('.monaco-button', { hasText: label });

/**
 * Opens the walkthrough. A new window lists the walkthroughs of extensions only some seconds after the first request
 * for one.
 */
async function showWalkthrough(studio: Studio, open: () => Promise<void>): Promise<void> {
  await open();
  await getStep(studio, 'sandbox').waitFor({ timeout: startMs });
}

journey('the walkthrough starts a sandbox, and opens SQL and Effective Access', async ({ openStudio }) => {
  const studio = await openStudio();
  await studio.openView();
  const runGetStarted = (): Promise<void> => studio.runCommand('Datamodel Studio: Get Started');
  await showWalkthrough(studio, () => studio.clickWelcomeAction('Get started'));
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await showWalkthrough(studio, runGetStarted);
    await studio.screenshot(`first-run-${theme}`);
  }
  await getStepButton(studio, 'sandbox', 'Start Sandbox').click();
  await waitUntilDone(studio, 'sandbox');
  await studio.tree.findItem(['Sandbox', 'Datamodels', 'Retail']);

  for (const id of ['connect', 'viewpoint', 'build', 'access', 'sql']) {
    await getStep(studio, id).click();
    await getStep(studio, id).locator('.monaco-button').first().waitFor();
    await studio.screenshot(`first-run-step-${id}`);
  }
  await getStepButton(studio, 'sql', 'New SQL Expression').click();
  await studio.waitForEditor(/^Untitled-1/);
  await showWalkthrough(studio, runGetStarted);
  await waitUntilDone(studio, 'sql');

  await getStep(studio, 'access').click();
  await getStepButton(studio, 'access', 'Show Effective Access…').click();
  await studio.selectQuickPick('Retail');
  await studio.getWebview().getByRole('heading', { name: 'Effective Access: Retail' }).waitFor();
  await showWalkthrough(studio, runGetStarted);
  await waitUntilDone(studio, 'access');
});
