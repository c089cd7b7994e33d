import assert from 'node:assert/strict';
import { getExpressionText } from '../../../src/contract/table.ts';
import { fetchTable } from '../support/demo.ts';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { textEditorSettings } from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const recorder = owned.use(await startRecordingProxy(sandbox));
  return { sandbox, recorder, options: { env: recorder.env, settings: textEditorSettings } };
});

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;

journey('every resource opens as a document by a click, or from its menu', async ({ studio }) => {
  await studio.openView();
  const byClick: readonly (readonly [path: readonly (string | RegExp)[], title: RegExp, text: RegExp])[] = [
    [[...retail, 'Sales', 'Orders', 'Order Date'], /Orders\.table\.json/, /"name":."Order.Date"/],
    [['Retail', 'Relations', /Orders.*Customers|Customers.*Orders/], /\.relation\.json/, /"columns":.\[/],
    [['Retail', 'Data Security', 'Orders.Status', /./], /\.rule\.json/, /"column":."Status"/],
    [['Sandbox', 'Viewpoints', /Revenue by/], /\.viewpoint\.json/, /"name":."Revenue/],
    [['Sandbox', 'Custom Data', /app: status-tags, model: Retail/], /\.custom-data\.json/, /"certified"/],
  ];
  for (const [path, title, text] of byClick) {
    await studio.tree.click(path);
    await studio.openedEditor(title);
    await studio.editorShows(text);
  }
  const byMenu: readonly (readonly [path: readonly string[], title: string, text: RegExp])[] = [
    [retail, 'Retail.datamodel.json', /"title":."Retail"/],
    [['Retail', 'Sales'], 'Sales.dataset.json', /"fullname"/],
    [['Retail', 'Sales', 'Order Items'], 'Order Items.table.json', /"Order.Items"/],
    [['Retail', 'Data Security', 'Orders.Status'], 'Orders.Status.rules.json', /"column":."Status"/],
  ];
  for (const [path, title, text] of byMenu) {
    await studio.contextMenu(path, 'Open as JSON');
    await studio.openedEditor(title);
    await studio.editorShows(text);
  }
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`document-${theme}`);
  }
});

journey('the SQL of a custom table is saved, and its table shows the same', async ({ studio, sandbox }) => {
  await studio.openView();
  const table = ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'] as const;
  await studio.contextMenu(table, 'Open SQL Expression');
  await studio.openedEditor('Customer Value.datamodel.sql');
  const lines = await studio.editorShows(/SELECT/i);
  await lines.click();
  await studio.page.keyboard.press('Control+End');
  await studio.page.keyboard.insertText('\n-- looked at');
  await waitForDirtyState(studio, true);
  await pressSave(studio);
  await waitForDirtyState(studio, false);
  const { table: saved } = await fetchTable(sandbox, 'Retail', 'Customer Value');
  assert.match(getExpressionText(saved.expression) ?? '', /-- looked at/);
  await studio.contextMenu(table, 'Open as JSON');
  await studio.openedEditor('Customer Value.table.json');
  await studio.editorShows(/looked.at/);
});

journey('names are shown beside the oids of a relation', async ({ studio }) => {
  await studio.openView();
  await studio.tree.click([
    'Sandbox',
    'Datamodels',
    'Retail',
    'Relations',
    /^Orders – Customers|^Customers – Orders/,
  ]);
  await studio.openedEditor(/\.relation\.json/);
  await studio.editorShows(/Customer.Id/);
  await studio.screenshot('document-relation');
});

journey('a document hides secrets, preserves numbers and follows changes', async ({ studio, recorder }) => {
  let size = '12345678901234567890';
  recorder.answer = (_method, path) =>
    /\/datasets\/[\w-]+$/.test(path)
      ? {
          status: 200,
          body: `{"oid":"d","size":${size},"rate":1.0,"connection":{"provider":"x","parameters":{"Password":"hunter2"}}}`,
        }
      : undefined;
  await studio.openView();
  await studio.contextMenu([...retail, 'Sales'], 'Open as JSON');
  await studio.openedEditor('Sales.dataset.json');
  await studio.editorShows('12345678901234567890');
  await studio.editorShows('1.0');
  const lines = await studio.editorShows('••••••••');
  assert.doesNotMatch(await lines.innerText(), /hunter2/);

  size = '5';
  await studio.contextMenu(retail, 'Refresh');
  await studio.editorShows(/"size":.5,/);
  recorder.answer = undefined;
});

journey('a collection is shown as JSON, follows changes, reports failures', async ({ studio, recorder }) => {
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Custom Data'], 'Open as JSON');
  await studio.openedEditor('Custom Data.custom-data.json');
  await studio.editorShows(/status-tags/);

  let size = '12345678901234567890';
  recorder.answer = (_method, path) =>
    path.endsWith('/datasecurity')
      ? { status: 200, body: `[{"_id":"r","table":"T","column":"C","rate":1.0,"size":${size}}]` }
      : undefined;
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Open as JSON');
  await studio.openedEditor('Data Security.rules.json');
  await studio.editorShows('12345678901234567890');
  await studio.editorShows('1.0');

  size = '5';
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Refresh');
  await studio.editorShows(/"size":.5/);

  recorder.answer = () => ({ status: 404, body: '{"title":"Gone","detail":"No such cube"}' });
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Open as JSON');
  await studio.editorShows(/no.longer.has.it/);
  await studio.screenshot('json-view-failed');
  recorder.answer = undefined;
});
