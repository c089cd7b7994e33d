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

async function dragTo(studio: Studio, source: Locator, target: Locator): Promise<void> {
  // The diagram shifts once more when the size of its page is known; hover() waits until the elements stay still.
  await target.hover();
  await source.hover();
  const targetBox = await target.boundingBox();
  assert.ok(targetBox !== null);
  const { mouse } = studio.page;
  await mouse.down();
  await mouse.move(targetBox.x + targetBox.width / 2 - 20, targetBox.y + targetBox.height / 2, { steps: 8 });
  await mouse.move(targetBox.x + targetBox.width / 2, targetBox.y + targetBox.height / 2);
  await mouse.up();
}

async function saveImage(studio: Studio, button: string, name: string): Promise<Buffer> {
  await studio.getWebview().getByRole('button', { name: button }).click();
  await answerFileDialog(studio.page);
  await studio.waitForNotification(new RegExp(`Saved the diagram as ${name}`));
  return readFile(join(studio.workspace, name));
}

journey(
  'in a diagram, a relation is created by dragging, a table is opened, images are saved, and a menu opens a page',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Diagram');
    const page = studio.getWebview();
    await page.getByText('13 tables, 11 relations').waitFor();
    await dragTo(
      studio,
      getColumnRow(studio, 'Employees', 'Employee Id'),
      getColumnRow(studio, 'Stores', 'Store Id'),
    );
    await studio.quickInput.waitForRow('Employees.Employee Id = Stores.Store Id');
    await studio.selectQuickPick('Create Relation');
    // The diagram is updated after the change.
    await page.getByText('13 tables, 12 relations').waitFor();
    await getTableBox(studio, 'Stores').click({ position: { x: 12, y: 12 } });
    await waitUntilSelected(studio, 'Stores');
    await studio.screenshot('diagram');

    // VS Code discards the page while a document covers it; its state is restored.
    await getTableBox(studio, 'Stores').press('Space');
    await getTableBox(studio, 'Stores').getByText('Key columns only').waitFor();
    await getTableBox(studio, 'Stores').press('Enter');
    await studio.waitForEditor(/^Stores/);
    await studio.page.getByRole('tab', { name: 'Diagram: Retail' }).click();
    await waitUntilSelected(studio, 'Stores');
    await getTableBox(studio, 'Stores').getByText('Key columns only').waitFor();

    assert.match(
      (await saveImage(studio, 'Save as SVG', 'diagram-Retail.svg')).toString(),
      /^<svg [^]*>Order Items<\/text>/,
    );
    const png = await saveImage(studio, 'Save as PNG', 'diagram-Retail.png');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');

    await page.getByRole('button', { name: 'Fit All (F)' }).click();
    await getTableBox(studio, 'Regions').click({ button: 'right', position: { x: 8, y: 8 } });
    await chooseFromMenu(studio.page, ['Show Effective Access…']);
    await studio.getWebview().getByRole('heading', { name: 'Effective Access: Retail' }).waitFor();
  },
);
