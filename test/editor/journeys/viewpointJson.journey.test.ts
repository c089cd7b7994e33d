import assert from 'node:assert/strict';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { saveAndReadFile } from '../support/activeEditor.ts';
import { TextEditor } from '../support/textEditor.ts';

const viewpoint = `// What the shops ask every morning
{
  "name": "Revenue by day",
  "description": "What customers paid, day by day",
  "details": {
    "datasource": { "title": "Retail", "modelType": "external" },
    "columns": [
      {
        "dim": ,
        "title": "Paid" // after discount
      },
      {
        "table": "Customers",
        "column": "Segment",
        "dim": "[Customers.Segment]",
        "datatype": "text",
        "level": "days"
      }
    ]
  }
}
`;

const journey = createSharedStudio(async (disposables) => {
  const sandbox = disposables.use(await startJourneySandbox());
  const recorder = disposables.use(await startRecordingProxy(sandbox));
  const workspace = { 'paid.viewpoint.json': viewpoint };
  return { recorder, options: { env: recorder.env, workspace, settings: { 'files.autoSave': 'off' } } };
});

journey(
  'in a viewpoint file, a dim is completed from the datamodel of the server, and a problem is fixed',
  async ({ studio, recorder }) => {
    const editor = new TextEditor(studio);
    await studio.openView();
    await studio.expand(['Sandbox', 'Datamodels', 'Retail']);
    await editor.open('paid.viewpoint.json');

    await editor.goTo(9, 16);
    await editor.type('"');
    await editor.proposals.filter({ hasText: '[Orders.Order Id]' }).first().waitFor();
    recorder.takeRequests();
    await editor.type('itemsreven');
    await editor.proposals.filter({ hasText: '[Order Items.Revenue]' }).first().waitFor();
    await studio.screenshot('viewpoint-json-dim');
    await editor.acceptProposal('[Order Items.Revenue]');
    await studio.waitForEditorText(/"Order.Items"/);
    assert.deepEqual(recorder.takeRequests(), [], 'typing sends no requests');

    // Go from the Problems view to the line, and open the quick fixes with their shortcut.
    await studio.runCommand('Problems: Focus on Problems View');
    const problem = studio.page.locator('.markers-panel .monaco-list-row', {
      hasText: 'can have a "level"',
    });
    // Wait until the problem is reported for its line in the current text.
    await problem.filter({ hasText: '[Ln 20,' }).dblclick();
    // While the Problems view has the focus, the shortcut opens a different menu.
    await studio.page.locator('.part.editor .monaco-editor.focused').waitFor();
    await editor.applyQuickFix('Remove the level');
    await problem.waitFor({ state: 'detached' });
    const text = await saveAndReadFile(studio, 'paid.viewpoint.json');
    assert.match(text, /\n {8}"dim": "\[Order Items\.Revenue\]",\n {8}"datatype": "numeric",\n/);
    assert.match(text, /"datatype": "text"\n/);
    assert.match(text, /"title": "Paid" \/\/ after discount\n/);
  },
);
