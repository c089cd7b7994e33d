import assert from 'node:assert/strict';
import { fetchTable } from '../support/demo.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { TextEditor } from '../support/textEditor.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env, settings: { 'files.autoSave': 'off' } } };
});

journey("a column is renamed from its table's JSON, by F2 and by a save", async ({ studio }) => {
  const editor = new TextEditor(studio);
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'], 'Open as JSON');
  await studio.openedEditor('Orders.table.json');
  await editor.find('"name": "Status"');
  await editor.press('ArrowRight', 'ArrowLeft');
  await editor.rename('State');
  await studio.quickInput.shows('Monthly Store Sales');
  await studio.screenshot('table-json-rename');
  await studio.quickInput.pickMany([]);
  await studio.statusBar('Status is now called State');
  await studio.editorShows(/"name":."State"/);
  // Only visible lines are in the DOM: the search reveals this one.
  await editor.find("WHEN [State] = 'Cancelled'");

  // The same by hand: the save offers to update the other references.
  await editor.find('"name": "State"');
  await editor.press('ArrowRight', 'ArrowLeft', 'Backspace', 'Backspace');
  await editor.type('ge');
  await studio.editorShows(/"name":."Stage"/);
  await editor.press('Control+s');
  await studio.quickInput.shows('Monthly Store Sales');
  await studio.screenshot('table-json-save-renames');
  await studio.quickInput.pickMany([]);
  await waitForDirtyState(studio, false);
  await editor.find("WHEN [Stage] = 'Cancelled'");
});

journey(
  "the SQL inside a table's JSON is completed, saved, built and checked",
  async ({ studio, sandbox }) => {
    const editor = new TextEditor(studio);
    await studio.openView();
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Order Items'], 'Open as JSON');
    await studio.openedEditor('Order Items.table.json');
    await editor.find('[Quantity] * [Unit Price]');
    await editor.press('ArrowRight');
    await editor.type(' * [Dis');
    await editor.accept('Discount');
    await studio.editorShows(/"expression":."\[Quantity\].\*.\[Unit.Price\].\*.\[Discount\]"/);
    await editor.errors.first().waitFor({ state: 'detached' });
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    const { table } = await fetchTable(sandbox, 'Retail', 'Order Items');
    assert.match(JSON.stringify(table), /"\[Quantity\] \* \[Unit Price\] \* \[Discount\]"/);
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await studio.quickPick('Full');
    await studio.statusBar(/Retail built in/, 60_000);

    await editor.find('[Unit Price] * [Discount]');
    await editor.press('ArrowRight');
    await editor.type(' + Lookup([Products], [Lst Price], [Product Id], [Product Id])');
    await editor.errors.first().waitFor();
    await editor.nextProblem(/"Products" has no column "Lst Price"/);
    await studio.screenshot('sql-in-json');
    await editor.fix('Change to [List Price]');
    await studio.editorShows(/Lookup\(\[Products\],.\[List.Price\]/);
    await editor.errors.first().waitFor({ state: 'detached' });
  },
);
