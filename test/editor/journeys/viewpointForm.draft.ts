import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { axeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

const name = 'Sales.viewpoint.json';
const columns = [
  '      { "table": "Orders", "column": "Order Id", "dim": "[Orders.Order Id]", "datatype": "numeric", "title": "Order" },',
  '      // what it brings',
  '      { "table": "Order Items", "column": "Unit Price", "dim": "[Order Items.Unit Price]", "datatype": "numeric", "title": "Price", "agg": "sum" }, // net',
  '      { "table": "Stores", "column": "City", "dim": "[Stores.City]", "datatype": "text", "title": "City", "future": 1.0 }',
];
const viewpoint = `{
  // Reviewed every Monday.
  "name": "Sales by city",
  "description": "Revenue and orders of each city",
  "details": {
    "datasource": { "title": "Retail", "fullname": "LocalHost/Retail", "modelType": "external" },
    "columns": [
${columns.join('\n')}
    ]
  },
  "visibility": { "apps": ["Slack"], "groups": ["Sales"], "users": [] },
  "enabled": false
}
`;

async function openFile(studio: Studio): Promise<void> {
  await studio.runCommand('Go to File...');
  await studio.page.locator('.quick-input-widget:visible input').fill(name);
  await studio.quickInput.shows(name);
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor(name);
}

async function openForm(studio: Studio) {
  await openFile(studio);
  await studio.page.getByRole('button', { name: 'Open Form' }).first().click();
  const form = studio.webview();
  await form.getByRole('grid', { name: 'Columns' }).waitFor();
  return form;
}

const saved = (studio: Studio): Promise<string> => readFile(join(studio.workspace, name), 'utf8');

async function save(studio: Studio): Promise<void> {
  await studio.page.keyboard.press('Control+S');
  await studio.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
}

journey(
  'columns are added, moved, titled and taken back in the form of a viewpoint',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { [name]: viewpoint },
      settings: { 'files.autoSave': 'off' },
    });
    const form = await openForm(studio);
    await form.getByText('Loading its tables').waitFor({ state: 'hidden' });
    await form.getByRole('row', { name: /Price/ }).click();
    await studio.screenshot('viewpoint-form-light');

    // Three columns of the live model, after the chosen one.
    await form.getByRole('button', { name: 'Add Columns…' }).click();
    await studio.quickInput.pickMany(['Order Date', 'Status', 'Quantity']);
    await form.getByRole('row', { name: /Quantity/ }).waitFor();
    await form.getByRole('tab', { name: /Columns 6/ }).waitFor();

    // Reordered by the keyboard: the last goes up by one.
    await form.getByRole('row', { name: /City/ }).click();
    await studio.page.keyboard.press('Alt+ArrowUp');

    // A title, with the comment beside its column kept; each keystroke can be taken back.
    await form.getByRole('row', { name: /Price/ }).click();
    await studio.page.keyboard.press('F2');
    await studio.page.keyboard.press('End');
    await studio.page.keyboard.type(' paidX');
    await form.getByRole('row', { name: /Price paidX/ }).waitFor();
    await studio.page.keyboard.press('Control+Z');
    await form.getByRole('row', { name: /Price paid / }).waitFor();

    // Shared, and now published.
    await form.getByText('Shared with 1 app, 1 group, but unseen until it is published').waitFor();
    await form.getByRole('switch', { name: 'Published' }).check();
    await form.getByText('Shared with 1 app, 1 group', { exact: true }).waitFor();
    await save(studio);

    const text = await saved(studio);
    const lines = text.split('\n');
    const price = columns[2]?.replace('"title": "Price"', '"title": "Price paid"');
    assert.equal(lines[1], '  // Reviewed every Monday.');
    assert.deepEqual(lines.slice(7, 10), [columns[0], columns[1], price]);
    assert.match(lines[10] ?? '', /"dim": "\[Orders\.Order Date \(Calendar\)\]", "datatype": "datetime"/);
    assert.equal(lines[12], `${columns[3]},`, 'moved as it was typed');
    assert.match(text, /"users": \[\], "enabled": true \},\n {2}"enabled": true\n/);
    assert.equal((text.match(/"table"/g) ?? []).length, 6);
  },
);

journey(
  'form and text of a viewpoint follow each other, and an invalid text is waited for',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { [name]: viewpoint },
      settings: { 'files.autoSave': 'off' },
      viewport: { width: 1600, height: 900 },
    });
    const form = await openForm(studio);
    // The JSON beside it, by the one icon.
    await studio.page.getByRole('button', { name: 'Open JSON to the Side' }).first().click();
    await studio.editorShows(/Reviewed.every.Monday/);
    await form.getByRole('textbox', { name: 'Name' }).fill('Cities');
    await studio.page.locator('.view-lines', { hasText: /"name":."Cities"/ }).waitFor();
    await studio.screenshot('viewpoint-form-beside');

    await writeFile(join(studio.workspace, name), viewpoint);
    await studio.runCommand('File: Revert File');
    await studio.page.locator('.view-lines').first().click();
    await studio.page.keyboard.press('Control+Home');
    await studio.page.keyboard.type('x');
    await form.getByText(/The text is not valid JSON: line 1/).waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'Name' }).isDisabled(), true);
    await studio.screenshot('viewpoint-form-invalid');
    await studio.page.keyboard.press('Backspace');
    await form.getByText(/The text is not valid JSON/).waitFor({ state: 'hidden' });
    await form.getByRole('row', { name: /City/ }).waitFor();

    // The same columns from the explorer.
    await studio.openView();
    await studio.contextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Customers', 'Segment'],
      'Add to Open Viewpoint',
    );
    await form.getByRole('row', { name: /Segment/ }).waitFor();

    // Rows can be dragged.
    const [first, last] = [
      form.getByRole('row', { name: /^Order / }),
      form.getByRole('row', { name: /Segment/ }),
    ];
    const [from, to] = [await last.boundingBox(), await first.boundingBox()];
    assert.ok(from && to);
    await studio.page.mouse.move(from.x + 60, from.y + 12);
    await studio.page.mouse.down();
    await studio.page.mouse.move(to.x + 60, to.y + 8, { steps: 6 });
    await studio.screenshot('viewpoint-form-drag');
    await studio.page.mouse.move(to.x + 60, to.y + 3);
    await studio.page.mouse.up();
    await form.locator('[aria-rowindex="2"]', { hasText: 'Segment' }).waitFor();
  },
);

journey(
  'the form of a viewpoint is accessible in every theme, and opens from the tree',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({
      env: sandbox.env,
      workspace: {
        [name]: viewpoint.replace('"title": "City"', '"title": "City", "infusion": { "uid": true }'),
      },
    });
    const form = await openForm(studio);
    await form.getByRole('tab', { name: /Problems 1/ }).waitFor();
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await form.getByRole('tab', { name: /Columns/ }).click();
      await form.getByRole('row', { name: /City/ }).click();
      assert.deepEqual(await axeViolations(studio), [], `columns, ${theme}`);
      await studio.screenshot(`viewpoint-form-columns-${theme}`);
      await form.getByRole('tab', { name: 'Sharing' }).click();
      assert.deepEqual(await axeViolations(studio), [], `sharing, ${theme}`);
      await studio.screenshot(`viewpoint-form-sharing-${theme}`);
      await form.getByRole('tab', { name: /Problems/ }).click();
      assert.deepEqual(await axeViolations(studio), [], `problems, ${theme}`);
    }
    await studio.screenshot('viewpoint-form-problems-hc');
    await form.getByRole('button', { name: /unique identifier.*needs a/ }).click();
    await form.getByRole('checkbox', { name: 'Unique identifier' }).waitFor();

    await studio.openView();
    await studio.tree.click(['Sandbox', 'Viewpoints', /Revenue by/]);
    await studio.openedEditor(/Revenue by.*\.viewpoint\.json/);
    await studio.webview().getByRole('grid', { name: 'Columns' }).waitFor();
    await studio.screenshot('viewpoint-form-remote-hc');
  },
);
