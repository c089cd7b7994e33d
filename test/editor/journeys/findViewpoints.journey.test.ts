import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { record } from '../support/recorder.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

/** Fills one field of the search. */
async function fill(studio: Studio, field: string, value: string): Promise<void> {
  await studio.quickPick(field);
  await studio.inputBox(value);
  await studio.page.locator('.quick-input-widget:visible .label-description', { hasText: value }).waitFor();
}

journey(
  'viewpoints are searched by every field, and found ones open and show in the tree',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    await using recorder = await record(sandbox);
    const studio = await openStudio({ env: recorder.env });
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
    recorder.take();
    await studio.quickPick('Search');
    const rows = studio.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await rows
      .filter({ hasText: /Revenue by/ })
      .first()
      .waitFor();
    await studio.screenshot('viewpoint-search-results');
    const [asked = ''] = recorder.take();
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
    await fill(studio, 'Name', name);
    await studio.quickPick('Search');
    await found.hover();
    await found.getByRole('button', { name: 'Reveal in Explorer' }).click();
    await studio.page.locator('.part.sidebar .monaco-list-row.selected', { hasText: name }).waitFor();

    // More come where "Load more" was accepted, and not at the top.
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
