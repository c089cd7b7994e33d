import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import { waitForTooltip } from '../support/tooltip.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const options = {
    env: sandbox.env,
    viewport: { width: 1280, height: 1100 },
    settings: { 'workbench.editor.empty.hint': 'hidden' },
  };
  return { sandbox, options };
});

const describe = (row: Locator): Promise<string> =>
  row
    .locator('.label-description')
    .innerText()
    .then((text) => text.replaceAll('\u00a0', ' '));

journey('every node has its label, shows details in its tooltip, can be dragged', async ({ studio }) => {
  await studio.openView();
  const shown: readonly (readonly [path: readonly (string | RegExp)[], description: string | RegExp])[] = [
    [['Sandbox', 'Datamodels', 'Retail'], 'extract'],
    [['Sandbox', 'Datamodels', 'Support Desk'], 'live'],
    [['Retail', 'Sales'], 'CSV'],
    [['Retail', 'Custom Tables', 'Customer Value'], 'custom'],
    [['Retail', 'Sales', 'Orders', 'Order Date'], 'Timestamp'],
    [['Retail', 'Sales', 'Orders', 'Customer Id'], 'Integer, hidden'],
    [['Retail', 'Sales', 'Orders', 'Order Day'], 'Date, custom'],
    [['Retail', 'Relations', /Orders – Customers|Customers – Orders/], 'Customer Id'],
    [['Retail', 'Data Security', 'Orders.Status'], /^\d+$/],
  ];
  for (const [path, description] of shown) {
    const text = await describe(await studio.treeItem(path));
    assert.match(text, typeof description === 'string' ? new RegExp(`^${description}$`) : description);
  }
  const hidden = await studio.treeItem(['Retail', 'Sales', 'Orders', 'Customer Id']);
  const visible = await studio.treeItem(['Retail', 'Sales', 'Orders', 'Order Id']);
  const color = (row: Locator): Promise<string> =>
    row.locator('.label-name').evaluate((label) => getComputedStyle(label).color);
  assert.notEqual(await color(hidden), await color(visible), 'a hidden column is dimmed');
  await studio.treeItem(['Sandbox', 'Custom Data', /app: status-tags/]);
  for (const theme of ['dark', 'hc', 'light'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-nodes-${theme}`);
  }
  await showsMoreInTooltips(studio);
  await isDraggedAsSqlNamesIt(studio);
});

async function showsMoreInTooltips(studio: Studio): Promise<void> {
  const shows = async (path: readonly (string | RegExp)[], text: RegExp): Promise<void> => {
    await waitForTooltip(studio.page, async () => (await studio.treeItem(path)).locator('.label-name'), text);
  };
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Retail built/);
  await shows(['Sandbox', 'Datamodels', 'Retail'], /Type:\sextract\s*Last\sbuilt:.*\d/);
  await shows(['Retail', 'Sales'], /Provider:\sCSV.*Tables:\s3/s);
  await shows(['Retail', 'Sales', 'Orders', 'Status'], /Type:\sText\s\(18\).*Size:\s200/s);
  await studio.screenshot('explorer-tooltip');
  await shows(['Retail', 'Custom Tables', 'Customer Value'], /SELECT/i);
  await shows(['Sandbox', 'Viewpoints', /Revenue by/], /State:\s(un)?published/);
}

async function isDraggedAsSqlNamesIt(studio: Studio): Promise<void> {
  await studio.runCommand('File: New Untitled Text File');
  const editor = studio.page.locator('.part.editor .monaco-editor .view-lines');
  const column = await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Date']);
  await column.locator('.label-name').dragTo(editor.first(), { targetPosition: { x: 20, y: 8 } });
  await studio.editorShows('[Orders].[Order Date]');
  await studio.screenshot('explorer-dragged');
}

journey('a cube set is added by its name, shows its rules and is removed', async ({ studio, sandbox }) => {
  const rule = {
    server: 'set',
    elasticube: 'Europe',
    table: 'Customers',
    column: 'Country',
    datatype: 'text',
    members: ['France'],
    allMembers: null,
    exclusionary: false,
    shares: [{ type: 'default' }],
  };
  await sandbox.request('POST', '/api/elasticubes/set/Europe/datasecurity', [rule]);
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Cube Sets', /None yet/]);
  await studio.tree.inlineAction('Cube Sets', 'Add Cube Set…');
  await studio.inputBox('Europe');
  await studio.inputBox('set');
  await studio.treeItem(['Cube Sets', 'Europe', 'Customers.Country', 'Everyone else']);
  await studio.screenshot('explorer-cube-set');
  await studio.contextMenu(['Cube Sets', 'Europe'], 'Remove Cube Set from List');
  await studio.treeItem(['Cube Sets', /None yet/]);
});
