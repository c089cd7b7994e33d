import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty } from '../support/savedState.ts';
import { TextEditor } from '../support/textEditor.ts';

journey("a column is renamed from its table's JSON, by F2 and by a save", async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
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
  // Only the lines on the screen are there: the search brings the one up.
  await editor.find("WHEN [State] = 'Cancelled'");

  // The same by hand: the save asks what else goes by the name.
  await editor.find('"name": "State"');
  await editor.press('ArrowRight', 'ArrowLeft', 'Backspace', 'Backspace');
  await editor.type('ge');
  await studio.editorShows(/"name":."Stage"/);
  await editor.press('Control+s');
  await studio.quickInput.shows('Monthly Store Sales');
  await studio.screenshot('table-json-save-renames');
  await studio.quickInput.pickMany([]);
  await isDirty(studio, false);
  await editor.find("WHEN [Stage] = 'Cancelled'");
});
