import assert from 'node:assert/strict';
import { fetchDatamodel } from '../support/demo.ts';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const recorder = owned.use(await startRecordingProxy(sandbox));
  return { sandbox, recorder, options: { env: recorder.env } };
});

async function openFind(studio: Studio): Promise<void> {
  await studio.runCommand('Datamodel Studio: Find…');
  await studio.page.getByPlaceholder('Name, Table.Column or identifier').waitFor();
}

/** Fills in one field of the search. */
async function fill(studio: Studio, field: string, value: string): Promise<void> {
  await studio.quickPick(field);
  await studio.inputBox(value);
  await studio.page.locator('.quick-input-widget:visible .label-description', { hasText: value }).waitFor();
}

journey(
  'finds loaded resources without a request, and the rest by querying the server',
  async ({ studio, sandbox, recorder }) => {
    const finds = studio.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');

    // A connection that couldn't be searched is named, and the search ends.
    recorder.answer = () => ({ status: 403, body: '{"title":"No"}' });
    await openFind(studio);
    await studio.page.keyboard.type('anything');
    await finds.filter({ hasText: 'Sandbox could not be searched' }).waitFor();
    await studio.screenshot('find-failed');
    await studio.quickInput.cancel();
    recorder.answer = undefined;

    await studio.openView();
    await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
    recorder.takeRequests();
    await openFind(studio);
    // Insert the text at once: the number of requests must not depend on the typing speed of the machine.
    await studio.page.keyboard.insertText('order items.unit');
    await finds.filter({ hasText: 'Unit Price' }).first().waitFor();
    await studio.screenshot('find-column');
    await studio.page.keyboard.press('Enter');
    await studio.openedEditor('Order Items.table.json');
    const first = recorder.takeRequests();
    assert.ok(
      first.length <= 7,
      `at most one request a datamodel, one for their list and one for viewpoints: ${first.join(', ')}`,
    );

    await openFind(studio);
    await studio.page.keyboard.type('Profit by Category');
    await finds.filter({ hasText: 'Profit by Category' }).first().waitFor();
    await studio.page.keyboard.press('Enter');
    await studio.openedEditor('Profit by Category.viewpoint.json');
    const second = recorder.takeRequests();
    assert.deepEqual(
      second.filter((line) => line.includes('/datamodels/')),
      [],
      'what was loaded once is known',
    );

    const { oid } = await fetchDatamodel(sandbox, 'Marketing');
    await openFind(studio);
    await studio.page.keyboard.type(oid);
    const marketing = finds.filter({ hasText: 'Marketing' }).first();
    await marketing.waitFor();
    await marketing.hover();
    await marketing.getByRole('button', { name: 'Reveal in Explorer' }).click();
    const selected = studio.page.locator('.part.sidebar .monaco-list-row.selected', { hasText: 'Marketing' });
    await selected.waitFor();
  },
);

journey('Ctrl+T finds loaded resources and sends no requests', async ({ studio, recorder }) => {
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales']);
  await studio.treeItem(['Sandbox', 'Viewpoints', /Revenue by/]);
  recorder.takeRequests();
  await studio.page.keyboard.press('Control+T');
  await studio.page.locator('.quick-input-widget:visible').waitFor();
  await studio.page.keyboard.type('Unit Price');
  const row = studio.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Order Items' });
  await row.first().waitFor();
  assert.deepEqual(recorder.takeRequests(), []);
  // The location as people read it: the ID in the address is for the editor.
  await row.filter({ hasText: 'Sandbox/Retail/Order Items.table.json' }).first().waitFor();
  await studio.screenshot('find-symbols');
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor('Order Items.table.json');
});

journey(
  'viewpoints are searched by every field, and results open and are revealed in the tree',
  async ({ studio, recorder }) => {
    await studio.openView();
    await studio.treeItem(['Sandbox', 'Viewpoints']);
    await studio.tree.inlineAction(['Sandbox', 'Viewpoints'], 'Search Viewpoints…');
    await fill(studio, 'Text', 'Revenue');
    await fill(studio, 'Name', 'by');
    await fill(studio, 'Datamodel', 'Retail');
    await studio.quickPick('Changed after');
    await studio.inputBox('yesterday');
    await studio.quickInput.message(/This is no time/);
    await studio.inputBox('2020-01-31');
    await studio.quickPick('Details as JSON');
    await studio.inputBox('{"columns":');
    await studio.quickInput.message('This is not JSON.');
    await studio.inputBox('{"columns":[{"agg":"sum"}]}');
    await studio.quickPick('Published');
    await studio.quickPick('Published');
    await studio.screenshot('viewpoint-search-form');
    recorder.takeRequests();
    await studio.quickPick('Search');
    const rows = studio.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await rows
      .filter({ hasText: /Revenue by/ })
      .first()
      .waitFor();
    await studio.screenshot('viewpoint-search-results');
    const [asked = ''] = recorder.takeRequests();
    const search = JSON.parse(
      new URL(asked.replace('GET ', ''), 'http://host').searchParams.get('search') ?? '',
    );
    assert.deepEqual(
      { ...search, lastUpdate: undefined },
      {
        text: 'Revenue',
        name: 'by',
        lastUpdate: undefined,
        visibility: { enabled: true },
        details: { datasource: { title: 'Retail' }, columns: [{ agg: 'sum' }] },
      },
    );
    const found = rows.filter({ hasText: /Revenue by/ }).first();
    const name = (await found.locator('.label-name').innerText()).replaceAll('\u00a0', ' ');
    await found.click();
    await studio.openedEditor(`${name}.viewpoint.json`);

    await studio.runCommand('Datamodel Studio: Search Viewpoints…');
    // Type at once, without checking the fields first.
    await studio.quickInput.title('Search Viewpoints of');
    await studio.page.keyboard.type(name);
    await studio.quickPick(/^Search for "/);
    await found.hover();
    await found.getByRole('button', { name: 'Reveal in Explorer' }).click();
    await studio.page.locator('.part.sidebar .monaco-list-row.selected', { hasText: name }).waitFor();

    // More results appear where "Load more" was accepted, not at the top.
    await studio.runCommand('Datamodel Studio: Search Viewpoints…');
    await studio.quickPick('Search');
    await studio.page.getByPlaceholder(/^100 of \d+ shown/).waitFor();
    await studio.page.keyboard.press('ArrowUp');
    const focused = studio.page.locator('.quick-input-widget:visible .monaco-list-row.focused');
    await focused.filter({ hasText: 'Load more' }).waitFor();
    await studio.page.keyboard.press('Enter');
    await studio.page.getByPlaceholder(/^(?!100 )\d+ of \d+ shown/).waitFor();
    await studio.page
      .locator('.quick-input-widget:visible .monaco-list-row.focused[data-index="100"]')
      .waitFor();
    await studio.screenshot('viewpoint-search-more');
  },
);
