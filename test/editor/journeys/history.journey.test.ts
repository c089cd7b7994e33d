import assert from 'node:assert/strict';
import { fetchTable } from '../support/demo.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';

const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;

const journey = createSharedStudio(async (disposables) => {
  const sandbox = disposables.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

/** Returns the column names of Orders, as stored in the sandbox. */
async function getColumns(sandbox: JourneySandbox): Promise<readonly unknown[]> {
  const { table } = await fetchTable(sandbox, 'Retail', 'Orders');
  return (table.columns ?? []).map(({ name }) => name);
}

journey(
  'the plan of a deleted column lists what will break, and the history restores the column',
  async ({ studio, sandbox }) => {
    await studio.openView();
    const before = await getColumns(sandbox);
    await studio.chooseFromContextMenu([...orders, 'Store Id'], 'Delete…');
    const plan = studio.getWebview();
    await plan.getByText('Monthly Store Sales').first().waitFor();
    await plan.getByText('Orders.Store Id = Stores.Store Id').first().waitFor();
    await plan.getByRole('button', { name: 'Apply Anyway' }).click();
    await studio.waitForTreeItemGone([...orders, 'Store Id']);
    await studio.runCommand('Datamodel Studio: Focus on History View');
    const deleted = studio.page.getByRole('treeitem', { name: /^Deleted Store Id, / });
    await deleted.waitFor();
    assert.ok(!(await getColumns(sandbox)).includes('Store Id'));
    await deleted.click();
    await studio.page.keyboard.press('ArrowRight');
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await studio.screenshot(`history-${theme}`);
    }

    await studio.runCommand('Datamodel Studio: Undo Last Change');
    const undo = studio.getWebview();
    await undo.getByText(/^New IDs are assigned to: .*Store Id/).waitFor();
    await studio.screenshot('history-undo');
    await undo.getByRole('button', { name: 'Undo', exact: true }).click();
    await studio.waitForStatusBarItem('Undone: Deleted Store Id');
    await studio.page.getByRole('treeitem', { name: /^Undid the change to Store Id, / }).waitFor();
    assert.deepEqual(await getColumns(sandbox), before);
    await studio.findTreeItem([...orders, 'Store Id']);
    await deleted.filter({ hasText: 'undone' }).waitFor();
    await studio.screenshot('history-undone');
  },
);
