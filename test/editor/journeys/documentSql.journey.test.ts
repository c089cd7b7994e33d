import assert from 'node:assert/strict';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, save } from '../support/savedState.ts';
import { settings } from '../support/viewpointDocument.ts';

journey('the SQL of a custom table is saved, and its table tells the same', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await studio.openView();
  const table = ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'] as const;
  await studio.contextMenu(table, 'Open SQL Expression');
  await studio.openedEditor('Customer Value.datamodel.sql');
  const lines = await studio.editorShows(/SELECT/i);
  await lines.click();
  await studio.page.keyboard.press('Control+End');
  await studio.page.keyboard.insertText('\n-- looked at');
  await isDirty(studio, true);
  await save(studio);
  await isDirty(studio, false);
  const models = (await sandbox.request('GET', '/api/v2/datamodels')) as Datamodel[];
  assert.match(JSON.stringify(models), /-- looked at/);
  await studio.contextMenu(table, 'Open as JSON');
  await studio.openedEditor('Customer Value.table.json');
  await studio.editorShows(/looked.at/);
});

journey('names stand beside the oids of a relation', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await studio.openView();
  await studio.tree.click([
    'Sandbox',
    'Datamodels',
    'Retail',
    'Relations',
    /^Orders – Customers|^Customers – Orders/,
  ]);
  await studio.openedEditor(/\.relation\.json/);
  await studio.editorShows(/Customer.Id/);
  await studio.screenshot('document-relation');
});
