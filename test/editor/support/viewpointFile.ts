import type { Studio } from './studio.ts';

/** The lines of the columns in {@link viewpointFileText}. */
export const viewpointColumnLines = [
  '      { "table": "Orders", "column": "Order Id", "dim": "[Orders.Order Id]", "datatype": "numeric", "title": "Order" },',
  '      // what it brings',
  '      { "table": "Order Items", "column": "Unit Price", "dim": "[Order Items.Unit Price]", "datatype": "numeric", "title": "Price", "agg": "sum" }, // net',
  '      { "table": "Stores", "column": "City", "dim": "[Stores.City]", "datatype": "text", "title": "City", "future": 1.0 }',
];
/** The text of a viewpoint file, with comments and layout as written by hand. */
export const viewpointFileText = `{
  // Reviewed every Monday.
  "name": "Sales by city",
  "description": "Revenue and orders of each city",
  "details": {
    "datasource": { "title": "Retail", "fullname": "LocalHost/Retail", "modelType": "external" },
    "columns": [
${viewpointColumnLines.join('\n')}
    ]
  },
  "visibility": { "apps": ["Slack"], "groups": ["Sales"], "users": [] },
  "enabled": false
}
`;

/** Opens a file of the workspace from Quick Open. */
export async function openWorkspaceFile(studio: Studio, name: string): Promise<void> {
  await studio.runCommand('Go to File...');
  await studio.page.locator('.quick-input-widget:visible input').fill(name);
  await studio.quickInput.waitForRow(name);
  await studio.page.keyboard.press('Enter');
  await studio.waitForEditor(name);
}

/** Opens a file, then its form. */
export async function openViewpointForm(studio: Studio, name: string) {
  await openWorkspaceFile(studio, name);
  await studio.page.getByRole('button', { name: 'Open Form' }).first().click();
  const form = studio.getWebview();
  await form.getByRole('grid', { name: 'Columns' }).waitFor();
  return form;
}
