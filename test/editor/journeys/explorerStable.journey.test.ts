import assert from 'node:assert/strict';
import { readBrowserStorage } from '../support/browserStorage.ts';
import { fetchTable } from '../support/demo.ts';
import { journey } from '../support/journey.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import type { Studio } from '../support/studio.ts';

const row = (studio: Studio, label: RegExp) =>
  studio.page.locator('.part.sidebar .monaco-list-row', {
    has: studio.page.locator('.label-name', { hasText: label }),
  });

/** Waits until the tree shows the expanded rows, without expanding any: the check must not help. */
async function isAsItWas(studio: Studio, table: RegExp): Promise<void> {
  for (const open of [/^Retail$/, /^Sales$/, table, /^Data.Security$/]) {
    await row(studio, open).and(studio.page.locator('[aria-expanded="true"]')).waitFor();
  }
  await row(studio, /^Order.Date$/).waitFor();
  await row(studio, /^Customers\.Segment$/).waitFor();
  await row(studio, /^Custom.Tables$/)
    .and(studio.page.locator('[aria-expanded="false"]'))
    .waitFor();
  const selected = studio.page.locator('.part.sidebar .monaco-list-row.selected .label-name');
  await selected.filter({ hasText: /^Channel$/ }).waitFor();
  assert.equal(await selected.count(), 1);
}

/** Waits until the editor has stored the state that it needs after a reload. */
async function isKept({ page }: Studio, state: RegExp): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await readBrowserStorage(page)).some(({ text }) => state.test(text))) {
    assert.ok(performance.now() < deadline, `${state} is not kept`);
  }
}

/** Renames a table through the API, as a colleague would. */
async function renameTable(sandbox: JourneySandbox, from: string, to: string): Promise<void> {
  const { path } = await fetchTable(sandbox, 'Retail', from);
  await sandbox.request('PATCH', path, { name: to });
}

journey('expanded and selected nodes survive a refresh, a rename and a reload', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({ env: sandbox.env, viewport: { width: 1280, height: 1100 } });
  await studio.openView();
  await studio.expand(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders']);
  await studio.expand(['Retail', 'Data Security']);
  await studio.tree.click(['Orders', 'Channel']);
  await studio.openedEditor('Orders.table.json');
  await studio.runCommand('View: Close Editor');
  await isAsItWas(studio, /^Orders$/);

  await studio.contextMenu('Sandbox', 'Refresh');
  await isAsItWas(studio, /^Orders$/);

  await renameTable(sandbox, 'Orders', 'All Orders');
  await studio.contextMenu(['Retail', 'Sales'], 'Refresh');
  await isAsItWas(studio, /^All.Orders$/);

  await studio.contextMenu('Sandbox', 'Edit Connection…');
  await studio.inputBox(sandbox.url);
  await studio.inputBox('');
  await studio.quickPick('development');
  await studio.inputBox('Demo');
  await studio.inputBox('');
  await row(studio, /^Demo$/).waitFor();
  await isAsItWas(studio, /^All.Orders$/);

  await studio.reload();
  await isAsItWas(studio, /^All.Orders$/);
  await studio.screenshot('explorer-after-reload');

  await studio.tree.collapse(['Retail', 'Data Security']);
  await isKept(studio, /\/rules\\*",false/);
  await studio.reload();
  await row(studio, /^Order.Date$/).waitFor();
  await row(studio, /^Data.Security$/)
    .and(studio.page.locator('[aria-expanded="false"]'))
    .waitFor();

  // View actions are visible only while the pointer is over the view.
  await studio.page.locator('.pane-header', { hasText: 'Connections' }).hover();
  await studio.page.getByRole('button', { name: 'Collapse All' }).first().click();
  await row(studio, /^Datamodels$/).waitFor({ state: 'hidden' });
  await isKept(studio, /"[\w-]+\\*",false/);
  await studio.reload();
  await row(studio, /^(Sandbox|Demo)$/)
    .and(studio.page.locator('[aria-expanded="false"]'))
    .waitFor();
});
