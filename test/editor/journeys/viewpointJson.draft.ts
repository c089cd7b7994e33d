import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { journey } from '../support/journey.ts';
import { record } from '../support/recorder.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, save } from '../support/savedState.ts';
import type { Studio } from '../support/studio.ts';
import type { Text } from '../support/text.ts';

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

/** Opens a file of the workspace by its name, and puts the caret at a line and character. */
async function openFile(studio: Studio, name: string): Promise<void> {
  await studio.runCommand('Go to File...');
  await studio.page.keyboard.type(name);
  await studio.quickInput.shows(name);
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor(name);
}

async function goTo(studio: Studio, line: number, character: number): Promise<void> {
  await studio.page.keyboard.press('Control+G');
  await studio.page.keyboard.type(`${line}:${character}`);
  await studio.quickInput.shows(/Press 'Enter' to go/);
  await studio.page.keyboard.press('Enter');
  await studio.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

const suggestion = (studio: Studio, text: Text) =>
  studio.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: text }).first();

/** The file once it is as it should be; saving takes a moment. */
async function saved(studio: Studio, name: string, pattern: RegExp): Promise<string> {
  await isDirty(studio, true);
  await save(studio);
  await isDirty(studio, false);
  const text = await readFile(join(studio.workspace, name), 'utf8');
  assert.match(text, pattern);
  return text;
}

journey(
  'a viewpoint in a file: a dim from the live model by keyboard, a problem and its fix',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    await using recorder = await record(sandbox);
    const studio = await openStudio({
      env: recorder.env,
      workspace: { 'paid.viewpoint.json': viewpoint },
      settings: { 'files.autoSave': 'off' },
    });
    await studio.openView();
    await studio.expand(['Sandbox', 'Datamodels', 'Retail']);
    await openFile(studio, 'paid.viewpoint.json');

    await goTo(studio, 9, 16);
    await studio.page.keyboard.type('"');
    await suggestion(studio, '[Orders.Order Id]').waitFor();
    recorder.take();
    await studio.page.keyboard.type('itemsreven');
    await suggestion(studio, '[Order Items.Revenue]').waitFor();
    await studio.screenshot('viewpoint-json-dim');
    await studio.page.keyboard.press('Enter');
    await studio.editorShows(/"Order.Items"/);
    const text = await saved(studio, 'paid.viewpoint.json', /"dim": "\[Order Items\.Revenue\]",/);
    assert.match(text, /\n {8}"table": "Order Items",\n {8}"column": "Revenue",\n {8}"dim"/);
    assert.match(text, /\n {8}"datatype": "numeric",\n {8}"title": "Paid" \/\/ after discount\n/);
    assert.match(text, /^\/\/ What the shops ask/);
    assert.deepEqual(recorder.take(), [], 'nothing is asked while typing');

    await studio.runCommand('Problems: Focus on Problems View');
    const problem = studio.page.locator('.markers-panel .monaco-list-row', { hasText: 'can have a "level"' });
    await problem.waitFor();
    await problem.dblclick();
    await studio.screenshot('viewpoint-json-problem');
    await studio.page.keyboard.press('Control+.');
    await studio.page.locator('.action-widget', { hasText: 'Remove the level' }).waitFor();
    await studio.screenshot('viewpoint-json-fix');
    await studio.page.keyboard.press('Enter');
    await problem.waitFor({ state: 'detached' });
    await saved(studio, 'paid.viewpoint.json', /"datatype": "text"\n/);
    await studio.setTheme('dark');
    await studio.screenshot('viewpoint-json-dark');
    await studio.setTheme('hc');
    await studio.screenshot('viewpoint-json-hc');
  },
);

const rule = `{
  "elasticube": "Retail",
  "table": "Customers",
  "column": "Segmnt", // mistyped
  "datatype": "text",
  "members": ["Business"],
  "allMembers": false,
  "shares": [{ "type": "default" }]
}
`;

journey('a rule in a file, and everything of a connection: problems with fixes', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await sandbox.request('POST', '/api/v1/infusion/viewpoints', {
    name: 'Broken',
    description: 'Names a table that is not there',
    details: {
      datasource: { title: 'Retail' },
      columns: [{ table: 'Nowhere', column: 'X', dim: '[Nowhere.X]', datatype: 'text' }],
    },
  });
  const studio = await openStudio({
    env: sandbox.env,
    workspace: { 'segments.rule.json': rule },
    settings: { 'files.autoSave': 'off' },
  });
  await studio.openView();
  await studio.contextMenu(['Sandbox'], 'Check All Viewpoints and Rules');
  await studio.notificationAction(/problems in/, 'Show Problems');
  const problem = (text: string) => studio.page.locator('.markers-panel .monaco-list-row', { hasText: text });
  await problem('has no table "Nowhere"').waitFor();
  await studio.screenshot('viewpoint-json-check-all');
  await problem('has no table "Nowhere"').dblclick();
  await studio.openedEditor('Broken.viewpoint.json');
  await studio.editorShows(/"Nowhere"/);

  await openFile(studio, 'segments.rule.json');
  await studio.runCommand('Problems: Focus on Problems View');
  await problem('no column "Segmnt"').dblclick();
  await studio.page.keyboard.press('Control+.');
  await studio.page.locator('.action-widget', { hasText: 'Use the column "Segment"' }).waitFor();
  await studio.screenshot('viewpoint-json-rule');
  await studio.page.keyboard.press('Enter');
  await studio.editorShows(/"Segment"/);
  await saved(studio, 'segments.rule.json', /"column": "Segment", \/\/ mistyped\n/);
});
