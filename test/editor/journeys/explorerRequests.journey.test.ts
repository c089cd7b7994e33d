import assert from 'node:assert/strict';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';

const journey = createSharedStudio(async (owned) => {
  const recorder = owned.use(await startRecordingProxy(owned.use(await startJourneySandbox())));
  return { recorder, options: { env: recorder.env } };
});

async function openFilter(studio: Studio): Promise<void> {
  await studio.runCommand('Datamodel Studio: Filter…');
  await studio.page.getByPlaceholder('Words of the name').waitFor();
}

journey('expanding any node sends one request, and none the second time', async ({ studio, recorder }) => {
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  assert.deepEqual(recorder.takeRequests(), ['GET /api/v2/datamodels']);

  const paths: readonly (readonly [path: readonly string[], asks: RegExp | undefined])[] = [
    [['Sandbox', 'Datamodels', 'Retail'], /^GET \/api\/v2\/datamodels\/[\w-]+$/],
    [['Retail', 'Sales'], undefined],
    [['Retail', 'Sales', 'Orders'], undefined],
    [['Retail', 'Relations'], undefined],
    [['Retail', 'Data Security'], /^GET \/api\/elasticubes\/LocalHost\/Retail\/datasecurity$/],
    [['Retail', 'Data Security', 'Customers.Segment'], undefined],
    [['Sandbox', 'Cube Sets'], undefined],
    [['Sandbox', 'Viewpoints'], /^GET \/api\/v1\/infusion\/viewpoints\?/],
    [['Sandbox', 'Custom Data'], /^GET \/api\/v1\/custom_data$/],
    [['Sandbox', 'Builds'], /^GET \/api\/v2\/builds$/],
  ];
  for (const [path, asks] of paths) {
    await studio.expand(path);
    // The row expands at once; its children are requested after that.
    const asked = asks === undefined ? recorder.takeRequests() : await recorder.waitForRequests(1);
    assert.equal(asked.length, asks === undefined ? 0 : 1, `${path.join(' › ')} asked ${asked.join(', ')}`);
    assert.match(asked[0] ?? '', asks ?? /^$/);
    await studio.tree.collapse(path);
  }
  for (const [path] of paths) {
    await studio.expand(path);
    await studio.tree.collapse(path);
  }
  assert.deepEqual(recorder.takeRequests(), []);
});

journey(
  'a refresh requests the smallest part, and keeps the expanded and selected nodes',
  async ({ studio, recorder }) => {
    await studio.openView();
    await studio.expand(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders']);
    await studio.expand(['Retail', 'Data Security']);
    await studio.tree.click(['Orders', 'Channel']);
    await studio.openedEditor('Orders.table.json');
    // An open document follows a refresh with its own request.
    await studio.runCommand('View: Close Editor');
    await studio.page.locator('.part.editor .tab').waitFor({ state: 'detached' });
    await studio.expand(['Sandbox', 'Viewpoints']);
    recorder.takeRequests();

    await studio.contextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
    assert.match(
      (await recorder.waitForRequests(1)).join('\n'),
      /^GET \/api\/v1\/infusion\/viewpoints\?\S*$/,
    );

    await studio.contextMenu(['Retail', 'Data Security'], 'Refresh');
    assert.deepEqual(await recorder.waitForRequests(1), [
      'GET /api/elasticubes/LocalHost/Retail/datasecurity',
    ]);

    await studio.contextMenu(['Retail', 'Sales', 'Orders'], 'Refresh');
    const asked = (await recorder.waitForRequests(2)).map((line) => line.replace(/[\da-f-]{36}/, 'OID'));
    assert.deepEqual(asked.toSorted(), ['GET /api/v2/datamodels', 'GET /api/v2/datamodels/OID']);

    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.treeItem(['Retail', 'Sales', 'Orders', 'Order Date']);
    await studio.treeItem(['Retail', 'Data Security', 'Customers.Segment']);
    const selected = studio.page.locator('.part.sidebar .monaco-list-row.selected .label-name');
    await selected.filter({ hasText: /^Channel$/ }).waitFor();
  },
);

journey('the tree is filtered while typing, without requests', async ({ studio, recorder }) => {
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Date']);
  recorder.takeRequests();
  const labels = studio.page.locator('.part.sidebar .monaco-list-row .label-name');

  await openFilter(studio);
  await studio.page.keyboard.type('ship dat');
  await labels.filter({ hasText: /^Order Date$/ }).waitFor({ state: 'hidden' });
  await studio.treeItem(['Retail', 'Sales', 'Orders', 'Ship Date']);
  await studio.screenshot('explorer-filter-typing');
  await studio.page.keyboard.press('Enter');
  await studio.page.locator('.part.sidebar .message', { hasText: 'Filtered by “ship dat”.' }).waitFor();
  assert.equal(await labels.filter({ hasText: /^Returns$/ }).count(), 0);
  await studio.screenshot('explorer-filtered');

  await studio.page.getByRole('button', { name: 'Clear Filter' }).click();
  await studio.treeItem(['Retail', 'Sales', 'Returns']);
  await studio.page.locator('.part.sidebar .message', { hasText: 'Filtered' }).waitFor({ state: 'hidden' });

  await openFilter(studio);
  await studio.page.keyboard.type('Marketing');
  await labels.filter({ hasText: /^Retail$/ }).waitFor({ state: 'hidden' });
  await studio.page.keyboard.press('Escape');
  await studio.treeItem(['Retail', 'Sales', 'Returns']);
  assert.deepEqual(recorder.takeRequests(), []);
});

journey('loading nodes show progress, and nothing else waits for them', async ({ studio, recorder }) => {
  await studio.openView();
  const unknown = await studio.treeItem(['Sandbox', 'Datamodels', 'Support Desk']);
  const { promise, resolve } = Promise.withResolvers<void>();
  recorder.gate = promise;
  await unknown.locator('.monaco-tl-twistie').click();
  await unknown.locator('.codicon-tree-item-loading').waitFor();
  await studio.treeItem(['Sandbox', 'Cube Sets', /None yet/]);
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-loading-${theme}`);
  }
  recorder.gate = undefined;
  resolve();
  await studio.treeItem(['Support Desk', 'Relations']);
});
