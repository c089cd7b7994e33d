import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, save } from '../support/savedState.ts';
import { TextEditor } from '../support/textEditor.ts';

journey("the SQL inside a table's JSON is completed, saved, built and judged", async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings: { 'files.autoSave': 'off' } });
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
  await save(studio);
  await isDirty(studio, false);
  assert.match(
    JSON.stringify(await sandbox.request('GET', '/api/v2/datamodels')),
    /"\[Quantity\] \* \[Unit Price\] \* \[Discount\]"/,
  );
  await studio.contextMenu('Retail', 'Build…');
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
});
