import assert from 'node:assert/strict';
import { fetchDatamodel, getDatamodelTables } from '../support/demo.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

journey('a datamodel is created with a dataset, tables and a relation', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels'], 'New Datamodel…');
  await studio.submitInputBox('Stock');
  await studio.selectQuickPick('Extract');
  await studio.findTreeItem('Stock');

  // A click on the placeholder of an empty datamodel offers to create a dataset.
  await studio.tree.click(['Stock', 'No datasets yet']);
  await studio.quickInput.waitForRow('Tables from a source');
  await studio.screenshot('explorer-empty-datamodel');
  await studio.selectQuickPick('Tables from a source');
  await studio.submitInputBox('Files');
  await studio.selectQuickPick('CSV files');
  await studio.submitInputBox('data/items.csv, data/shelves.csv');
  // The new resource is revealed, so no one has to search for it.
  await studio.chooseFromContextMenu('Files', 'New Table…');
  await studio.submitInputBox('items.csv');
  await studio.submitInputBox('Items');
  await studio.submitInputBox('Item Id integer, Name text, Shelf Id integer');
  // Wait for the document, because its appearance would close an open menu.
  await studio.waitForEditor('Items.table.json');
  await studio.chooseFromContextMenu('Files', 'New Table…');
  await studio.submitInputBox('shelves.csv');
  await studio.submitInputBox('Shelves');
  await studio.submitInputBox('Shelf Id integer, Aisle text');
  await studio.waitForEditor('Shelves.table.json');

  await studio.chooseFromContextMenu('Stock', 'New', 'Relation…');
  await studio.quickInput.pick('Items');
  await studio.quickInput.pick('Shelf Id');
  await studio.quickInput.pick('Shelves');
  await studio.quickInput.pick('Shelf Id');
  await studio.screenshot('new-relation');
  await studio.quickInput.pick(/Create Relation/);
  await studio.findTreeItem('Items – Shelves');

  const created = await fetchDatamodel(sandbox, 'Stock');
  assert.deepEqual(
    getDatamodelTables(created).map(({ name }) => name),
    ['Items', 'Shelves'],
  );
  assert.equal(created.relations?.[0]?.columns?.length, 2);
});
