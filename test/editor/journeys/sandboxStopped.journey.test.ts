import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import type { Studio } from '../support/studio.ts';

const getRow = (studio: Studio, text: RegExp) =>
  studio.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();

journey('a stopped sandbox stays stopped until it is started', async ({ openStudio }) => {
  const studio = await openStudio();
  await studio.openView();
  await studio.welcomeAction('Start Sandbox');
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Building Retail|Retail built/);
  await studio.contextMenu('Sandbox', 'Stop Sandbox');
  await studio.notification(/The sandbox has stopped/);
  await getRow(studio, /Stopped.*Start Sandbox/).waitFor();
  await studio.screenshot('sandbox-stopped');

  // All of this refreshes the tree.
  await studio.runCommand('Datamodel Studio: Filter…');
  await studio.inputBox('Retail');
  await studio.runCommand('Datamodel Studio: Clear Filter');
  await studio.contextMenu('Sandbox', 'Refresh');
  await studio.runCommand('Datamodel Studio: Refresh');
  await studio.treeItem(['Sandbox', 'Stopped']);
  const building = studio.page.locator('.part.statusbar .statusbar-item:visible', { hasText: 'Building' });
  assert.equal(await building.count(), 0, 'no build runs in what does not run');

  await studio.runCommand('Datamodel Studio: Test Connection…');
  await studio.quickInput.shows(/AddressFailed: the sandbox does not run/);
  await studio.quickInput.cancel();

  await studio.tree.click(['Sandbox', 'Stopped']);
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales']);
  await studio.expand(['Sandbox', 'Viewpoints']);
  await studio.treeItem(['Sandbox', 'Viewpoints', /Revenue by/]);
});
