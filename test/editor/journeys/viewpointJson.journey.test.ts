import assert from 'node:assert/strict';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { saveAndReadFile } from '../support/editorState.ts';
import type { Studio } from '../support/studio.ts';
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

const rule = `{
  "elasticube": "Retail",
  "table": ,
  "column": "Segmnt", // mistyped
  "datatype": "text",
  "members": ["Business"],
  "allMembers": null,
  "shares": [{ "type": "group", "party": "g1" }]
}
`;
const rules = `[
  // Anyone not named below.
  { "elasticube": "Retail", "table": "Customers", "column": "Segment", "datatype": "text", "members": [], "allMembers": false, "shares": [{ "type": "default" }] },
  { "elasticube": "Retail", "table": "Customers", "column": , "datatype": "text", "members": ["Business"], "allMembers": false, "shares": [{ "type": "group", "party": "g1" }] } // the shops
]
`;

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  await sandbox.request('POST', '/api/v1/infusion/viewpoints', {
    name: 'Broken',
    description: 'Names a table that is not there',
    details: {
      datasource: { title: 'Retail' },
      columns: [{ table: 'Nowhere', column: 'X', dim: '[Nowhere.X]', datatype: 'text' }],
    },
  });
  const recorder = owned.use(await startRecordingProxy(sandbox));
  const workspace = {
    'paid.viewpoint.json': viewpoint,
    'segments.rule.json': rule,
    'shops.rules.json': rules,
  };
  return { recorder, options: { env: recorder.env, workspace, settings: { 'files.autoSave': 'off' } } };
});

/** Opens the form of the file that is open as text. */
async function openForm(studio: Studio) {
  await studio.page.getByRole('button', { name: 'Open Form' }).first().click();
  return studio.webview();
}

/** Goes to a problem in the Problems view once it is reported for its current line, and applies the fix. */
async function fixProblem(studio: Studio, words: string, line: number, fix: string): Promise<void> {
  await studio.runCommand('Problems: Focus on Problems View');
  const problem = studio.page.locator('.markers-panel .monaco-list-row', { hasText: words });
  await problem.filter({ hasText: `[Ln ${line},` }).dblclick();
  // In the view itself the same keys open a different menu.
  await studio.page.locator('.part.editor .monaco-editor.focused').waitFor();
  await new TextEditor(studio).fix(fix);
  await problem.waitFor({ state: 'detached' });
}

/** Returns the file once it matches; saving takes a moment. */
async function saved(studio: Studio, name: string, pattern: RegExp): Promise<string> {
  const text = await saveAndReadFile(studio, name);
  assert.match(text, pattern);
  return text;
}

journey(
  'a viewpoint in a file: a dim from the live model by keyboard, a problem and its fix',
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
    await editor.accept('[Order Items.Revenue]');
    await studio.editorShows(/"Order.Items"/);
    const text = await saved(studio, 'paid.viewpoint.json', /"dim": "\[Order Items\.Revenue\]",/);
    assert.match(text, /\n {8}"table": "Order Items",\n {8}"column": "Revenue",\n {8}"dim"/);
    assert.match(text, /\n {8}"datatype": "numeric",\n {8}"title": "Paid" \/\/ after discount\n/);
    assert.match(text, /^\/\/ What the shops ask/);
    assert.deepEqual(recorder.takeRequests(), [], 'nothing is asked while typing');

    await fixProblem(studio, 'can have a "level"', 20, 'Remove the level');
    await saved(studio, 'paid.viewpoint.json', /"datatype": "text"\n/);
    for (const theme of ['hc', 'dark'] as const) {
      await studio.setTheme(theme);
      await studio.screenshot(`viewpoint-json-${theme}`);
    }

    // The rest in the form: three columns of the live model, the last one moved up by one, then published.
    const form = await openForm(studio);
    await form.getByText('Loading its tables').waitFor({ state: 'hidden' });
    await form.getByRole('row', { name: /Segment/ }).click();
    await form.getByRole('button', { name: 'Add Columns…' }).click();
    await studio.quickInput.pickMany(['Order Date', 'Status', 'Quantity']);
    await form.getByRole('tab', { name: /Columns 5/ }).waitFor();
    await form.getByRole('row', { name: /Quantity/ }).click();
    await studio.page.keyboard.press('Alt+ArrowUp');
    await form.locator('[aria-rowindex="5"]', { hasText: 'Quantity' }).waitFor();
    await form.getByRole('switch', { name: 'Published' }).check();
    await studio.screenshot('viewpoint-json-form-dark');
    const published = await saved(studio, 'paid.viewpoint.json', /"enabled": true\n\}\n$/);
    assert.match(published, /"title": "Paid" \/\/ after discount\n/);
    assert.deepEqual(
      [...published.matchAll(/"column": "([^"]*)"/g)].map(([, column]) => column),
      ['Revenue', 'Segment', 'Order Date', 'Quantity', 'Status'],
    );
    const asked = recorder.takeRequests();
    const others = asked.filter((request) => !/^GET \/api\/v1\/(users|groups)\?/.test(request));
    assert.deepEqual(others, [], 'the form asks only who is on the instance');
    assert.equal(new Set(asked).size, asked.length, 'and asks once');
  },
);

journey('a rule and a rule set in files, and the check of a connection', async ({ studio }) => {
  const editor = new TextEditor(studio);
  await studio.openView();
  await studio.contextMenu(['Sandbox'], 'Check All Viewpoints and Rules');
  await studio.notificationAction(/problems in/, 'Show Problems');
  const problem = (text: string) => studio.page.locator('.markers-panel .monaco-list-row', { hasText: text });
  await problem('has no table "Nowhere"').waitFor();
  await studio.screenshot('viewpoint-json-check-all');
  await problem('has no table "Nowhere"').dblclick();
  await studio.openedEditor('Broken.viewpoint.json');
  await studio.editorShows(/"Nowhere"/);

  await editor.open('segments.rule.json');
  await editor.goTo(3, 12);
  await editor.type('"Cust');
  await editor.accept('Customers');
  await studio.editorShows(/"table":."Customers",/);
  await fixProblem(studio, 'no column "Segmnt"', 4, 'Use the column "Segment"');
  await studio.screenshot('viewpoint-json-rule');
  await saved(studio, 'segments.rule.json', /"column": "Segment", \/\/ mistyped\n/);
  const one = await openForm(studio);
  await one.getByRole('radio', { name: 'All but these values' }).check();
  await saved(
    studio,
    'segments.rule.json',
    /"members": \["Business"\],\n {2}"allMembers": null,[^]*"exclusionary": true/,
  );

  await editor.open('shops.rules.json');
  await editor.goTo(4, 61);
  await editor.type('"Seg');
  await editor.accept('Segment');
  await fixProblem(studio, 'must be null', 4, 'Set "allMembers" to null');
  await saved(studio, 'shops.rules.json', /"members": \["Business"\], "allMembers": null,.*\/\/ the shops\n/);
  const set = await openForm(studio);
  await set.getByRole('gridcell', { name: 'only Business' }).click();
  await set.getByRole('radio', { name: 'Everything' }).check();
  await studio.screenshot('viewpoint-json-rule-set');
  await saved(studio, 'shops.rules.json', /"members": \[\], "allMembers": true,.*\/\/ the shops\n/);
});
