import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { record } from '../support/recorder.ts';
import { openSandbox } from '../support/sandbox.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;

journey('every resource opens as a document by a click, or from its menu', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({
    env: sandbox.env,
    settings: { 'datamodelStudio.documents.openAs': 'text' },
  });
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

journey('a document hides secrets, keeps numbers and follows changes', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using recorder = await record(sandbox);
  const studio = await openStudio({ env: recorder.env });
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
});
