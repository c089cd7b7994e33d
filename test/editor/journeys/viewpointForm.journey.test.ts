import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';

const viewpoint = `{
  // Reviewed every Monday.
  "name": "Sales by region",
  "description": "Revenue and orders of each region",
  "details": {
    "datasource": { "title": "Retail", "fullname": "LocalHost/Retail", "modelType": "external" },
    "columns": [
      { "table": "Orders", "column": "Order Id", "dim": "[Orders.Order Id]", "datatype": "numeric", "title": "Order" },
      // what it brings
      { "table": "Order Items", "column": "Unit Price", "dim": "[Order Items.Unit Price]", "datatype": "numeric", "title": "Price", "agg": "sum" },
      { "table": "Stores", "column": "Region", "dim": "[Stores.Region]", "datatype": "text", "title": "Region", "infusion": { "uid": true } }
    ]
  },
  "visibility": { "apps": ["Slack"], "groups": ["Sales"], "users": [], "enabled": false },
  "enabled": false
}
`;

journey('a viewpoint is edited in its form', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({
    env: sandbox.env,
    workspace: { 'Sales.viewpoint.json': viewpoint },
    settings: { 'files.autoSave': 'off' },
  });
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  await studio.runCommand('Go to File...');
  await studio.page.keyboard.type('Sales.viewpoint');
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor('Sales.viewpoint.json');
  await studio.runCommand('Datamodel Studio: Open Form');
  const form = studio.webview();
  await form.getByRole('grid', { name: 'Columns' }).waitFor();
  await form.getByRole('row', { name: /Price/ }).click();
  await studio.screenshot('viewpoint-form-light');
});
