import assert from 'node:assert/strict';
import { fetchDatamodel, getDatamodelTables } from '../support/demo.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

journey('a datamodel is created with a dataset, tables and a relation', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels'], 'New Datamodel…');
  await studio.inputBox('Stock');
  await studio.quickPick('Extract');
  await studio.treeItem('Stock');

  // A click on the placeholder of an empty datamodel offers to create a dataset.
  await studio.tree.click(['Stock', 'No datasets yet']);
  await studio.quickInput.shows('Tables from a source');
  await studio.screenshot('explorer-empty-datamodel');
  await studio.quickPick('Tables from a source');
  await studio.inputBox('Files');
  await studio.quickPick('CSV files');
  await studio.inputBox('data/items.csv, data/shelves.csv');
  // The new resource is revealed, so no one has to search for it.
  await studio.contextMenu('Files', 'New Table…');
  await studio.inputBox('items.csv');
  await studio.inputBox('Items');
  await studio.inputBox('Item Id integer, Name text, Shelf Id integer');
  // A menu that is open when the document appears would close.
  await studio.openedEditor('Items.table.json');
  await studio.contextMenu('Files', 'New Table…');
  await studio.inputBox('shelves.csv');
  await studio.inputBox('Shelves');
  await studio.inputBox('Shelf Id integer, Aisle text');
  await studio.openedEditor('Shelves.table.json');

  await studio.contextMenu('Stock', 'New', 'Relation…');
  await studio.quickInput.pick('Items');
  await studio.quickInput.pick('Shelf Id');
  await studio.quickInput.pick('Shelves');
  await studio.quickInput.pick('Shelf Id');
  await studio.screenshot('new-relation');
  await studio.quickInput.pick(/Create Relation/);
  await studio.treeItem('Items – Shelves');

  const created = await fetchDatamodel(sandbox, 'Stock');
  assert.deepEqual(
    getDatamodelTables(created).map(({ name }) => name),
    ['Items', 'Shelves'],
  );
  assert.equal(created.relations?.[0]?.columns?.length, 2);
});
