import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { findAxeViolations } from '../support/axe.ts';
import { getColumnRow, waitUntilSelected, getTableBox } from '../support/diagramPage.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

async function dragTo(studio: Studio, from: Locator, to: Locator): Promise<void> {
  // The diagram shifts once more when it learns the size of its page; wait until both stay still under the pointer.
  await to.hover();
  await from.hover();
  const end = await to.boundingBox();
  assert.ok(end !== null);
  const { mouse } = studio.page;
  await mouse.down();
  await mouse.move(end.x + end.width / 2 - 20, end.y + end.height / 2, { steps: 8 });
  await mouse.move(end.x + end.width / 2, end.y + end.height / 2);
  await mouse.up();
}

async function saved(studio: Studio, button: string, name: string): Promise<Buffer> {
  await studio.webview().getByRole('button', { name: button }).click();
  await answerFileDialog(studio.page);
  await studio.notification(new RegExp(`saved as ${name}`));
  return readFile(join(studio.workspace, name));
}

journey('a datamodel is shown, searched and navigated as a diagram', async ({ studio }) => {
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Diagram');
  const page = studio.webview();
  await page.getByText('13 tables, 11 relations').waitFor();
  await getTableBox(studio, 'Orders').click({ position: { x: 12, y: 12 } });
  await waitUntilSelected(studio, 'Orders');
  await page.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).hover();
  await page.locator('.line-label', { hasText: 'Orders.Store Id = Stores.Store Id' }).waitFor();
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`diagram-${theme}`);
    assert.deepEqual(await findAxeViolations(page), [], theme);
  }

  // By keyboard: to a related table, its columns, and its document.
  await getTableBox(studio, 'Orders').press('ArrowRight');
  await waitUntilSelected(studio, 'Stores');
  await getTableBox(studio, 'Stores').press('Space');
  await getTableBox(studio, 'Stores').getByText('Key columns only').waitFor();
  await getTableBox(studio, 'Stores').press('Enter');
  await studio.openedEditor(/^Stores/);
  await studio.page.getByRole('tab', { name: 'Diagram: Retail' }).click();
  // The selection and the expanded table are unchanged.
  await waitUntilSelected(studio, 'Stores');
  await getTableBox(studio, 'Stores').getByText('Key columns only').waitFor();

  // Search finds a column that isn't shown, and reveals it.
  await page.getByLabel('Find a table or column').fill('orders.channel');
  await page.getByText('1 of 1').waitFor();
  await page.getByLabel('Find a table or column').press('Enter');
  await getColumnRow(studio, 'Orders', 'Channel').and(page.locator('.isFound')).waitFor();
  await studio.screenshot('diagram-search');
  // Link styles: those of the selected table are alike, and all others are alike.
  const colors = await page.locator('.lines').evaluate((lines) => {
    const strokes = (selector: string): string[] =>
      [...lines.querySelectorAll(selector)].map((line) => getComputedStyle(line).stroke);
    return [strokes('.isRelated .line'), strokes('g:not(.isRelated) .line')].map((all) => new Set(all).size);
  });
  assert.deepEqual(colors, [1, 1]);

  // The diagram as text.
  await page.getByLabel('Find a table or column').fill('');
  await page.getByRole('button', { name: 'Show as List' }).click();
  await page
    .getByText('Regions 4 columns')
    .or(page.locator('summary', { hasText: 'Regions' }))
    .first()
    .click();
  await page.getByRole('button', { name: 'Stores.Region Id = Regions.Region Id' }).waitFor();
  await studio.screenshot('diagram-list');
  assert.deepEqual(await findAxeViolations(page), []);
  await page.getByRole('button', { name: 'Show as Picture' }).click();

  // The menu of a table, with all tables in view.
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  await getTableBox(studio, 'Regions').click({ button: 'right', position: { x: 8, y: 8 } });
  await chooseFromMenu(studio.page, ['Show Who Sees What…']);
  await studio.webview().getByRole('heading', { name: 'Who sees what of Retail' }).waitFor();
});

journey(
  'relations are created, the diagram is exported, and what cannot be read is reported',
  async ({ studio, sandbox }) => {
    const made = (await sandbox.request('POST', '/api/v2/datamodels', { title: '<b>Rude</b> & "Co"' })) as {
      readonly oid: string;
    };
    await studio.openView();
    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.treeItem(['Sandbox', 'Datamodels', '<b>Rude</b> & "Co"']);
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Diagram');
    const page = studio.webview();
    await page.getByText('13 tables, 11 relations').waitFor();
    const svg = (await saved(studio, 'Save as SVG', 'diagram-Retail.svg')).toString();
    assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.match(svg, />Order Items<\/text>/);
    assert.doesNotMatch(svg, /var\(|href/);
    const png = await saved(studio, 'Save as PNG', 'diagram-Retail.png');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');

    await dragTo(
      studio,
      getColumnRow(studio, 'Employees', 'Employee Id'),
      getColumnRow(studio, 'Stores', 'Store Id'),
    );
    await studio.quickInput.shows('Employees.Employee Id = Stores.Store Id');
    await studio.screenshot('diagram-relation');
    await studio.quickPick('Create the relation');
    // The diagram follows the change.
    await page.getByText('13 tables, 12 relations').waitFor();

    await getTableBox(studio, 'Store Ranking').click({ position: { x: 12, y: 12 } });
    await studio.runCommand('Datamodel Studio: Create Relation from Here…');
    await studio.quickPick('Store');
    await studio.quickPick('Store Id');
    await studio.quickPick('Create the relation');
    await page.getByText('13 tables, 13 relations').waitFor();
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('13 tables, 12 relations').waitFor();

    await studio.runCommand('Datamodel Studio: Show Diagram');
    await studio.quickPick('<b>Rude</b> & "Co"');
    await page.getByText('This datamodel has no tables yet.').waitFor();
    await page.getByRole('heading', { name: 'Diagram of <b>Rude</b> & "Co"' }).waitFor();
    await sandbox.request('DELETE', `/api/v2/datamodels/${made.oid}`);
    await studio.openView();
    await studio.runCommand('Datamodel Studio: Refresh');
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('alert').waitFor();
    await studio.screenshot('diagram-failed');
  },
);
