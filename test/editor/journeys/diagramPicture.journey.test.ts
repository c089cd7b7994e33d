import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { accessibilityProblems } from '../support/accessibility.ts';
import { journey } from '../support/journey.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

/** A table of the picture, by its name. */
const table = (studio: Studio, name: string): Locator =>
  studio.webview().getByRole('group', { name: new RegExp(`^Table ${name},`) });

/** A row of a table of the picture. */
const column = (studio: Studio, of: string, name: string): Locator =>
  table(studio, of)
    .locator('.column')
    .filter({ has: studio.webview().getByText(name, { exact: true }) });

const isChosen = (studio: Studio, name: string): Promise<void> =>
  table(studio, name).and(studio.webview().locator('.isChosen')).waitFor();

journey('a datamodel is seen, searched and walked through as a picture', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Diagram');
  const page = studio.webview();
  await page.getByText('13 tables, 11 relations').waitFor();
  await table(studio, 'Orders').click({ position: { x: 12, y: 12 } });
  await isChosen(studio, 'Orders');
  await page.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).hover();
  await page.locator('.line-label', { hasText: 'Orders.Store Id = Stores.Store Id' }).waitFor();
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`diagram-${theme}`);
    assert.deepEqual(await accessibilityProblems(page), [], theme);
  }

  // By keyboard: to a related table, its columns, and its document.
  await table(studio, 'Orders').press('ArrowRight');
  await isChosen(studio, 'Stores');
  await table(studio, 'Stores').press('Space');
  await table(studio, 'Stores').getByText('Key columns only').waitFor();
  await table(studio, 'Stores').press('Enter');
  await studio.openedEditor(/^Stores/);
  await studio.page.getByRole('tab', { name: 'Diagram: Retail' }).click();
  // What was open and chosen is so still.
  await isChosen(studio, 'Stores');
  await table(studio, 'Stores').getByText('Key columns only').waitFor();

  // Search finds a column that is not shown, and shows it.
  await page.getByLabel('Find a table or column').fill('orders.channel');
  await page.getByText('1 of 1').waitFor();
  await page.getByLabel('Find a table or column').press('Enter');
  await column(studio, 'Orders', 'Channel').and(page.locator('.isFound')).waitFor();
  await studio.screenshot('diagram-search');
  // Lines look as they are: those of the chosen table alike, and all others alike.
  const colours = await page.locator('.lines').evaluate((lines) => {
    const strokes = (selector: string): string[] =>
      [...lines.querySelectorAll(selector)].map((line) => getComputedStyle(line).stroke);
    return [strokes('.isRelated .line'), strokes('g:not(.isRelated) .line')].map((all) => new Set(all).size);
  });
  assert.deepEqual(colours, [1, 1]);

  // The picture as text.
  await page.getByLabel('Find a table or column').fill('');
  await page.getByRole('button', { name: 'Show as List' }).click();
  await page
    .getByText('Regions 4 columns')
    .or(page.locator('summary', { hasText: 'Regions' }))
    .first()
    .click();
  await page.getByRole('button', { name: 'Stores.Region Id = Regions.Region Id' }).waitFor();
  await studio.screenshot('diagram-list');
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('button', { name: 'Show as Picture' }).click();

  // The menu of a table, once all of them are in sight.
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  await table(studio, 'Regions').click({ button: 'right', position: { x: 8, y: 8 } });
  await chooseFromMenu(studio.page, ['Show Who Sees What…']);
  await studio.webview().getByRole('heading', { name: 'Who sees what of Retail' }).waitFor();
});
