import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { getColumnRow, waitUntilSelected, getTableBox } from '../support/diagramPage.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { journey } from '../support/journey.ts';
import type { Studio } from '../support/studio.ts';

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

journey(
  'a diagram is related by dragging, navigated, saved, and left by its menu',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Diagram');
    const page = studio.webview();
    await page.getByText('13 tables, 11 relations').waitFor();
    await dragTo(
      studio,
      getColumnRow(studio, 'Employees', 'Employee Id'),
      getColumnRow(studio, 'Stores', 'Store Id'),
    );
    await studio.quickInput.shows('Employees.Employee Id = Stores.Store Id');
    await studio.quickPick('Create the relation');
    // The diagram follows the change.
    await page.getByText('13 tables, 12 relations').waitFor();
    await getTableBox(studio, 'Stores').click({ position: { x: 12, y: 12 } });
    await waitUntilSelected(studio, 'Stores');
    await studio.screenshot('diagram');

    // The page is gone while a document is in front of it, and comes back as it was left.
    await getTableBox(studio, 'Stores').press('Space');
    await getTableBox(studio, 'Stores').getByText('Key columns only').waitFor();
    await getTableBox(studio, 'Stores').press('Enter');
    await studio.openedEditor(/^Stores/);
    await studio.page.getByRole('tab', { name: 'Diagram: Retail' }).click();
    await waitUntilSelected(studio, 'Stores');
    await getTableBox(studio, 'Stores').getByText('Key columns only').waitFor();

    assert.match(
      (await saved(studio, 'Save as SVG', 'diagram-Retail.svg')).toString(),
      /^<svg [^]*>Order Items<\/text>/,
    );
    const png = await saved(studio, 'Save as PNG', 'diagram-Retail.png');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');

    await page.getByRole('button', { name: 'Fit All (F)' }).click();
    await getTableBox(studio, 'Regions').click({ button: 'right', position: { x: 8, y: 8 } });
    await chooseFromMenu(studio.page, ['Show Who Sees What…']);
    await studio.webview().getByRole('heading', { name: 'Who sees what of Retail' }).waitFor();
  },
);
