import assert from 'node:assert/strict';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { type Table } from '../../../src/contract/table.ts';
import { journey } from '../support/journey.ts';
import { openSandbox, type TestSandbox } from '../support/sandbox.ts';

const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;

/** The tables of the Retail datamodel as the sandbox has them. */
async function tablesOf(sandbox: TestSandbox): Promise<ReadonlyMap<string, Table>> {
  const datamodels = (await sandbox.request('GET', '/api/v2/datamodels')) as Datamodel[];
  const retail = datamodels.find(({ title }) => title === 'Retail');
  const tables = (retail?.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  return new Map(tables.map((table) => [table.name ?? '', table]));
}

const columnNames = (table: Table | undefined) => (table?.columns ?? []).map(({ name }) => name);

journey(
  'a dropped column: the plan names what breaks, and the history brings it back',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    const before = columnNames((await tablesOf(sandbox)).get('Orders'));
    await studio.contextMenu([...orders, 'Store Id'], 'Delete…');
    const plan = studio.webview();
    await plan.getByText('Monthly Store Sales').first().waitFor();
    await plan.getByText('Orders.Store Id = Stores.Store Id').first().waitFor();
    await plan.getByRole('button', { name: 'Apply Anyway' }).click();
    await studio.runCommand('Datamodel Studio: Focus on History View');
    await studio.treeItem('Deleted Store Id');
    assert.ok(!columnNames((await tablesOf(sandbox)).get('Orders')).includes('Store Id'));
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await studio.tree.expand('Deleted Store Id');
      await studio.screenshot(`history-${theme}`);
    }

    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.page.locator('.monaco-dialog-box', { hasText: 'Store Id gets a new identifier' }).waitFor();
    await studio.screenshot('history-losses');
    await studio.dialogAction('Bring Back');
    // Nothing breaks when it comes back, so there is no plan to look at.
    await studio.treeItem('Took back the change of Store Id');
    assert.deepEqual(columnNames((await tablesOf(sandbox)).get('Orders')), before);
    await studio.treeItem([...orders, 'Store Id']);
    const deleted = await studio.treeItem('Deleted Store Id');
    await deleted.filter({ hasText: 'taken back' }).waitFor();
    await studio.screenshot('history-taken-back');
  },
);
