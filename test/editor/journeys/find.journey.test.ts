import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { record } from '../support/recorder.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

async function openFind(studio: Studio): Promise<void> {
  await studio.runCommand('Datamodel Studio: Find…');
  await studio.page.getByPlaceholder('Name, Table.Column or identifier').waitFor();
}

journey('what is known is found without a server, the rest by asking', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using recorder = await record(sandbox);
  const studio = await openStudio({ env: recorder.env });
  const finds = studio.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');

  // A connection that could not be searched is named, and the list ends.
  recorder.answer = () => ({ status: 403, body: '{"title":"No"}' });
  await openFind(studio);
  await studio.page.keyboard.type('anything');
  await finds.filter({ hasText: 'Sandbox could not be searched' }).waitFor();
  await studio.screenshot('find-failed');
  await studio.quickInput.cancel();
  recorder.answer = undefined;

  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  recorder.take();
  await openFind(studio);
  // At once: how often servers are asked must not hang on how fast a machine types.
  await studio.page.keyboard.insertText('order items.unit');
  await finds.filter({ hasText: 'Unit Price' }).first().waitFor();
  await studio.screenshot('find-column');
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor('Order Items.table.json');
  const first = recorder.take();
  assert.ok(
    first.length <= 7,
    `at most one request a datamodel, one for their list and one for viewpoints: ${first.join(', ')}`,
  );

  await openFind(studio);
  await studio.page.keyboard.type('Profit by Category');
  await finds.filter({ hasText: 'Profit by Category' }).first().waitFor();
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor('Profit by Category.viewpoint.json');
  const second = recorder.take();
  assert.deepEqual(
    second.filter((line) => line.includes('/datamodels/')),
    [],
    'what was loaded once is known',
  );

  const models = (await sandbox.request('GET', '/api/v2/datamodels')) as { title: string; oid: string }[];
  const oid = models.find(({ title }) => title === 'Marketing')?.oid ?? '';
  await openFind(studio);
  await studio.page.keyboard.type(oid);
  const marketing = finds.filter({ hasText: 'Marketing' }).first();
  await marketing.waitFor();
  await marketing.hover();
  await marketing.getByRole('button', { name: 'Reveal in Explorer' }).click();
  const selected = studio.page.locator('.part.sidebar .monaco-list-row.selected', { hasText: 'Marketing' });
  await selected.waitFor();
});

journey('Ctrl+T finds what is known, and asks no server', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using recorder = await record(sandbox);
  const studio = await openStudio({ env: recorder.env });
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales']);
  await studio.treeItem(['Sandbox', 'Viewpoints', /Revenue by/]);
  recorder.take();
  await studio.page.keyboard.press('Control+T');
  await studio.page.keyboard.type('Unit Price');
  const row = studio.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Order Items' });
  await row.first().waitFor();
  assert.deepEqual(recorder.take(), []);
  // Where it is, in the words of people: the identity in the address is for the editor.
  await row.filter({ hasText: 'Sandbox/Retail/Order Items.table.json' }).first().waitFor();
  await studio.screenshot('find-symbols');
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor('Order Items.table.json');
});
