import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { accessibilityProblems } from '../support/accessibility.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

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

async function dragTo(studio: Studio, from: Locator, to: Locator): Promise<void> {
  // The picture moves once more when it knows the size of its page; both stand still once they are under the pointer.
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
  await studio.page.locator('.quick-input-widget:visible').getByText('OK').waitFor();
  await studio.page.keyboard.press('Enter');
  await studio.notification(new RegExp(`saved as ${name}`));
  return readFile(join(studio.workspace, name));
}

journey(
  'relations are drawn, the picture is saved, and what cannot be read says so',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const made = (await sandbox.request('POST', '/api/v2/datamodels', { title: '<b>Rude</b> & "Co"' })) as {
      readonly oid: string;
    };
    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Diagram');
    const page = studio.webview();
    await page.getByText('13 tables, 11 relations').waitFor();
    const svg = (await saved(studio, 'Save as SVG', 'diagram-Retail.svg')).toString();
    assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.match(svg, />Order Items<\/text>/);
    assert.doesNotMatch(svg, /var\(|href/);
    const png = await saved(studio, 'Save as PNG', 'diagram-Retail.png');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');

    await dragTo(studio, column(studio, 'Employees', 'Employee Id'), column(studio, 'Stores', 'Store Id'));
    await studio.quickInput.shows('Employees.Employee Id = Stores.Store Id');
    await studio.screenshot('diagram-relation');
    await studio.quickPick('Create the relation');
    // The diagram follows what was written.
    await page.getByText('13 tables, 12 relations').waitFor();

    await table(studio, 'Store Ranking').click({ position: { x: 12, y: 12 } });
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

journey('500 tables stay usable', async ({ openStudio }) => {
  await using sandbox = await openSandbox({ seed: 'large' });
  const studio = await openStudio({ env: sandbox.env });
  await studio.runCommand('Datamodel Studio: Show Diagram');
  await studio.quickPick('Enterprise');
  const page = studio.webview();
  await page.getByText('500 tables, 499 relations').waitFor({ timeout: 60_000 });
  await studio.screenshot('diagram-large');
  await page.getByLabel('Find a table or column').fill('table 321');
  await page.getByLabel('Find a table or column').press('Enter');
  await isChosen(studio, 'Table 321');
  await table(studio, 'Table 321').press('Space');
  await column(studio, 'Table 321', 'Column 17').waitFor();
  await studio.screenshot('diagram-large-table');
  assert.deepEqual(await accessibilityProblems(page), []);
});
