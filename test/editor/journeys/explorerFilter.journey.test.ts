import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { record } from '../support/recorder.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

async function openFilter(studio: Studio): Promise<void> {
  await studio.runCommand('Datamodel Studio: Filter…');
  await studio.page.getByPlaceholder('Words of the name').waitFor();
}

journey('the tree is filtered as one types, without asking the server', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using recorder = await record(sandbox);
  const studio = await openStudio({ env: recorder.env });
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Date']);
  recorder.take();
  const labels = studio.page.locator('.part.sidebar .monaco-list-row .label-name');

  await openFilter(studio);
  await studio.page.keyboard.type('ship dat');
  await labels.filter({ hasText: /^Order Date$/ }).waitFor({ state: 'hidden' });
  await studio.treeItem(['Retail', 'Sales', 'Orders', 'Ship Date']);
  await studio.screenshot('explorer-filter-typing');
  await studio.page.keyboard.press('Enter');
  await studio.page.locator('.part.sidebar .message', { hasText: 'Filtered by “ship dat”.' }).waitFor();
  assert.equal(await labels.filter({ hasText: /^Returns$/ }).count(), 0);
  await studio.screenshot('explorer-filtered');

  await studio.page.getByRole('button', { name: 'Clear Filter' }).click();
  await studio.treeItem(['Retail', 'Sales', 'Returns']);
  await studio.page.locator('.part.sidebar .message', { hasText: 'Filtered' }).waitFor({ state: 'hidden' });

  await openFilter(studio);
  await studio.page.keyboard.type('Marketing');
  await labels.filter({ hasText: /^Retail$/ }).waitFor({ state: 'hidden' });
  await studio.page.keyboard.press('Escape');
  await studio.treeItem(['Retail', 'Sales', 'Returns']);
  assert.deepEqual(recorder.take(), []);
});
